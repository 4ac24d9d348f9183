import type { Input, Output } from '@portico/sdk';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import type { Count } from '../../texts/plurals.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { Check } from '../fields.tsx';
import { useRoleLabel } from '../roles/use-roles.ts';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import type { PersonForm } from './person-screen.tsx';
import { useAdminPeopleTexts } from './texts.ts';

type Leaving = Output<'getUserLeaving'>;
type End = Input<'leaveUser'>['account'];
type Role = NonNullable<Leaving['roles']>[number];

const ENDS: readonly End[] = ['keep', 'block', 'delete', 'erase'];
const keyOf = (role: Role) => `${role.communityId ?? ''}/${role.workspaceId ?? ''}/${role.roleId ?? ''}`;

/** The hand-over as the interface takes it. */
function requestOf(
  userId: number,
  account: End,
  successor: Choice | undefined,
  tasks: boolean,
  fieldIds: readonly number[],
  roles: readonly Role[],
): Input<'leaveUser'> {
  if (!successor) return { userId, account };
  return {
    userId,
    account,
    successorUserId: successor.id,
    tasks,
    fieldIds: [...fieldIds],
    communityIds: roles.flatMap(({ communityId }) => communityId ?? []),
    workspaceIds: [...new Set(roles.flatMap(({ workspaceId }) => workspaceId ?? []))],
    everywhere: roles.some(({ everywhere }) => everywhere),
  };
}

/** Shows what names a person, and hands it over to a successor before the account ends. */
export function LeavePerson({
  person: { userId, leaving },
  name,
  onClose,
  onGone,
}: {
  person: PersonForm;
  name: string;
  onClose: () => void;
  onGone: () => void;
}) {
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const handable = (leaving.fields ?? []).filter(({ canHandOver }) => canHandOver);
  const givable = (leaving.roles ?? []).filter(({ canHandOver }) => canHandOver);
  const [successor, setSuccessor] = useState<readonly Choice[]>([]);
  const [account, setAccount] = useState<End>('block');
  const [tasks, setTasks] = useState(true);
  const [fields, setFields] = useState<readonly number[]>(handable.map(({ fieldId }) => fieldId!));
  const [roles, setRoles] = useState<readonly Role[]>(givable);
  const { busy, faults, send } = useSend();
  const leave = async () => {
    let answer: Output<'leaveUser'> | undefined;
    const sent = await send(async () => {
      answer = await portal.users.leave(requestOf(userId, account, successor[0], tasks, fields, roles));
    });
    if (!sent || !answer) return;
    const left = (answer.leftTasksCount ?? 0) + (answer.leftFieldPostsCount ?? 0);
    const numbers = [answer.tasksCount, answer.rolesCount, answer.fieldPostsCount].map((n) => formats.number(n ?? 0));
    showNotice(
      [
        words.left(numbers[0]!, numbers[1]!, numbers[2]!),
        ...(left > 0 ? [words.leftBehind(formats.number(left))] : []),
        ...((answer.notRunCount ?? 0) > 0 ? [words.again(formats.number(answer.notRunCount!))] : []),
      ].join(' '),
    );
    onClose();
    if (account === 'delete' || account === 'erase') onGone();
  };
  return (
    <FormDialog
      label={words.leavingTitle(name)}
      className="admin-dialog"
      send={{ label: words.leave[account], busy, disabled: account === 'keep' && successor.length === 0 }}
      onSend={() => void leave()}
      onClose={onClose}
    >
      <p className="muted">{words.leavingHint}</p>
      <LeavingFacts leaving={leaving} />
      <Picker
        label={words.successor}
        description={words.successorHint}
        offer={{ source: { of: 'accounts' } }}
        several={false}
        value={successor}
        onChange={(chosen) => setSuccessor(chosen.filter(({ id }) => id !== userId))}
      />
      {successor.length > 0 && (
        <HandOver
          leaving={leaving}
          tasks={tasks}
          onTasks={setTasks}
          fields={fields}
          onFields={setFields}
          roles={roles}
          onRoles={setRoles}
        />
      )}
      <fieldset className="choices">
        <legend>{words.account}</legend>
        {ENDS.map((end) => (
          <label key={end} className="check">
            <input type="radio" name="account" checked={account === end} onChange={() => setAccount(end)} />
            <span>{words.ends[end]}</span>
          </label>
        ))}
      </fieldset>
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}

/** Lists the objects that nobody takes over, and the open ones. */
function LeavingFacts({ leaving }: { leaving: Leaving }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const { openTasksCount: tasks = 0, unseenOpenTasksCount: unseen = 0 } = leaving;
  const said = (count: number | undefined, text: (shown: Count) => string) =>
    count ? [text(formats.count(count))] : [];
  const lines = [
    ...said(leaving.postsCount, words.keepsPosts),
    ...said(leaving.draftsCount, words.drafts),
    ...said(tasks, (shown) => [words.tasks(shown), ...said(unseen, words.unseen)].join(', ')),
    ...said(leaving.openAcknowledgementsCount, words.acknowledgements),
    ...said(leaving.managedUsersCount, words.managed),
    ...((leaving.groups ?? []).length > 0
      ? [`${words.leavesGroups}: ${leaving.groups!.map(({ name }) => name).join(', ')}`]
      : []),
  ];
  return (
    <section className="effect" aria-label={texts.preview}>
      <h3>{texts.preview}</h3>
      {lines.length === 0 && <p>{texts.none}</p>}
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

interface HandOverProps {
  leaving: Leaving;
  tasks: boolean;
  onTasks: (tasks: boolean) => void;
  fields: readonly number[];
  onFields: (fields: readonly number[]) => void;
  roles: readonly Role[];
  onRoles: (roles: readonly Role[]) => void;
}

/** The objects that the successor takes over. */
function HandOver({ leaving, tasks, onTasks, fields, onFields, roles, onRoles }: HandOverProps) {
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const roleLabel = useRoleLabel();
  const toggled = <T,>(list: readonly T[], item: T, on: boolean) =>
    on ? [...list, item] : list.filter((each) => each !== item);
  return (
    <>
      <Check label={words.tasks(formats.count(leaving.openTasksCount ?? 0))} checked={tasks} onChange={onTasks} />
      {(leaving.fields ?? []).length > 0 && (
        <fieldset className="choices">
          <legend>{words.fields}</legend>
          {leaving.fields!.map(({ fieldId, label = '', communityName = '', postsCount = 0, canHandOver }) => (
            <Check
              key={fieldId}
              label={words.fieldIn(label, communityName, formats.number(postsCount))}
              hint={canHandOver ? undefined : words.notHanded}
              disabled={!canHandOver}
              checked={fields.includes(fieldId!)}
              onChange={(on) => onFields(toggled(fields, fieldId!, on))}
            />
          ))}
        </fieldset>
      )}
      {(leaving.roles ?? []).length > 0 && (
        <fieldset className="choices">
          <legend>{words.roles}</legend>
          {leaving.roles!.map((role) => (
            <Check
              key={keyOf(role)}
              label={words.roleIn(
                role.roleId === undefined ? words.membership : roleLabel(role.roleId, role.roleName),
                role.communityName ?? role.workspaceName ?? words.everywhere,
              )}
              hint={role.canHandOver ? undefined : words.notGiven}
              disabled={!role.canHandOver}
              checked={roles.includes(role)}
              onChange={(on) => onRoles(toggled(roles, role, on))}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
