import type { Input, Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { nameOf } from '../../posts/user-name.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { useAllTexts } from '../../write/texts.ts';
import { useAdminTexts } from '../texts.ts';
import { adminFaults, useSend, withNames } from '../use-send.ts';
import type { ListedPerson } from './people-screen.tsx';
import { useAdminPeopleTexts } from './texts.ts';

const ACTIONS = ['block', 'unblock', 'signOut', 'join', 'leave'] as const;
type BulkAction = (typeof ACTIONS)[number];
type Answer = Output<'changeUsers'>;

/** Maximum number of people in one request. */
const AT_ONCE = 1000;
/** Maximum number of refusals that are listed. */
const SHOWN = 20;

/** Actions on the selected people. */
export function BulkPeopleBar({ people, clear }: { people: readonly ListedPerson[]; clear: () => void }) {
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const [action, setAction] = useState<BulkAction>();
  return (
    <section className="admin-bulk" aria-label={words.bulkBar}>
      <strong aria-live="polite">{words.selected(formats.count(people.length))}</strong>
      {ACTIONS.map((each) => (
        <button key={each} type="button" className="quiet" onClick={() => setAction(each)}>
          {words.bulkActions[each]}
        </button>
      ))}
      <button
        type="button"
        className="quiet"
        aria-label={words.clearSelection}
        title={words.clearSelection}
        onClick={clear}
      >
        <X size={14} aria-hidden />
      </button>
      {action && <BulkPeopleDialog action={action} people={people} onClose={() => setAction(undefined)} />}
    </section>
  );
}

function changeOf(action: BulkAction, groups: readonly Choice[]): Omit<Input<'changeUsers'>, 'userIds'> {
  const groupIds = groups.map(({ id }) => id);
  switch (action) {
    case 'block':
    case 'unblock':
      return { blocked: action === 'block' };
    case 'signOut':
      return { signOut: true };
    case 'join':
      return { addGroupIds: groupIds };
    case 'leave':
      return { deleteGroupIds: groupIds };
  }
}

/** Asks before an action on many people, with the outcome that each of them would have. */
function BulkPeopleDialog({
  action,
  people: selected,
  onClose,
}: {
  action: BulkAction;
  people: readonly ListedPerson[];
  onClose: () => void;
}) {
  const texts = useAdminTexts();
  const all = useAllTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  // The people of the moment: the list is read again after the action.
  const [people] = useState(() => selected.slice(0, AT_ONCE));
  const [groups, setGroups] = useState<readonly Choice[]>([]);
  const [answer, setAnswer] = useState<Answer>();
  const { busy, faults, send } = useSend();
  const regroups = action === 'join' || action === 'leave';
  const request = { userIds: people.map(({ id }) => id!), ...changeOf(action, groups) };
  const preview = useQuery({
    queryKey: ['bulk-people', request],
    queryFn: () => portal.users.changeMany({ ...request, dryRun: true }),
    enabled: (!regroups || groups.length > 0) && !answer,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const run = async () => {
    let given: Answer | undefined;
    await send(async () => {
      given = await portal.users.changeMany(request);
    });
    if (!given) return;
    showNotice(words.bulkDone(formats.count(given.okCount ?? 0)));
    if ((given.errorCount ?? 0) > 0) setAnswer(given);
    else onClose();
  };
  const shown = answer ?? preview.data;
  const refused = Object.values(preview.error ? adminFaults(preview.error, all, texts) : faults)[0];
  return (
    <FormDialog
      label={words.bulkTitles[action](formats.count(people.length))}
      className="admin-dialog"
      formClassName="form-fields"
      send={{
        label: answer ? texts.done : words.bulkActions[action],
        busy,
        disabled: !answer && (!preview.isSuccess || preview.data.okCount === 0),
      }}
      onSend={() => (answer ? onClose() : void run())}
      onClose={onClose}
    >
      <p>{words.bulkHints[action]}</p>
      {regroups && (
        <Picker
          label={words.groups}
          offer={{ source: { of: 'allGroups' } }}
          several
          value={groups}
          onChange={setGroups}
        />
      )}
      {preview.isFetching && !shown && (
        <p className="effect" role="status">
          {texts.previewing}
        </p>
      )}
      {shown && <Outcomes answer={shown} done={answer !== undefined} people={people} />}
      <p className="muted">{texts.audited}</p>
      <Fault text={refused} />
    </FormDialog>
  );
}

/** The number of people by outcome, and the refused ones with the reasons. */
function Outcomes({ answer, done, people }: { answer: Answer; done: boolean; people: readonly ListedPerson[] }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const { items = [], okCount = 0, unchangedCount = 0, errorCount = 0 } = answer;
  const names = new Map(people.map((person) => [person.id, nameOf(person) || `#${person.id}`]));
  const refused = items.filter(({ outcome }) => outcome === 'ERROR');
  const counts = [
    (done ? words.bulkChanged : words.bulkWouldChange)(formats.number(okCount)),
    ...(unchangedCount > 0 ? [words.bulkUnchanged(formats.number(unchangedCount))] : []),
    ...(errorCount > 0 ? [words.bulkRefused(formats.number(errorCount))] : []),
  ];
  return (
    <section className="effect" aria-label={texts.preview} role="status">
      <p>{counts.join(' · ')}</p>
      {refused.length > 0 && (
        <ul>
          {refused.slice(0, SHOWN).map(({ userId, error }) => (
            <li key={userId}>
              <strong dir="auto">{userId !== undefined && names.get(userId)}</strong>:{' '}
              <span className="muted">{withNames(error?.message ?? '', texts)}</span>
            </li>
          ))}
          {refused.length > SHOWN && <li>{words.bulkMore(formats.number(refused.length - SHOWN))}</li>}
        </ul>
      )}
    </section>
  );
}
