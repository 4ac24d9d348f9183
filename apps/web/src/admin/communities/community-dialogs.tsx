import type { Output } from '@portico/sdk';
import { useEffect, useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { Picker } from '../../write/picker.tsx';
import { ConfirmDialog } from '../confirm.tsx';
import { FilterSelect } from '../fields.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { type ListedCommunity, useWorkspaces } from './communities-screen.tsx';
import { useCommunitiesTexts } from './texts.ts';

export type CommunityAction = 'archive' | 'unarchive' | 'move' | 'delete' | 'give';

interface DialogProps {
  community: ListedCommunity;
  onClose: () => void;
}

/** The dialog of an action on a community. @param onGone called when the community was deleted */
export function CommunityDialog({
  action,
  onGone,
  ...props
}: DialogProps & { action: CommunityAction; onGone: () => void }) {
  switch (action) {
    case 'move':
      return <MoveCommunity {...props} />;
    case 'give':
      return <GiveRole {...props} />;
    case 'delete':
      return <DeleteCommunity {...props} onGone={onGone} />;
    default:
      return <ArchiveCommunity {...props} archived={action === 'archive'} />;
  }
}

function ArchiveCommunity({ community, archived, onClose }: DialogProps & { archived: boolean }) {
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const { id, name = '', postsCount = 0 } = community;
  const input = { communityId: id!, archived };
  return (
    <ConfirmDialog
      title={archived ? words.archiveTitle(name) : words.unarchiveTitle(name)}
      action={archived ? words.archive : words.unarchive}
      dryRun={() => portal.communities.archive({ ...input, dryRun: true })}
      run={() => portal.communities.archive(input)}
      done={archived ? words.archiveDone : words.unarchiveDone}
      onClose={onClose}
    >
      <p>{archived ? words.archiveHint(formats.number(postsCount)) : words.unarchiveHint}</p>
    </ConfirmDialog>
  );
}

function DeleteCommunity({ community, onClose, onGone }: DialogProps & { onGone: () => void }) {
  const words = useCommunitiesTexts();
  const communityId = community.id!;
  return (
    <ConfirmDialog
      title={words.deleteTitle(community.name ?? '')}
      action={words.delete}
      dryRun={() => portal.communities.delete({ communityId, dryRun: true })}
      run={() => portal.communities.delete({ communityId })}
      done={words.deleteDone}
      onDone={onGone}
      onClose={onClose}
    >
      <p>{words.deleteHint}</p>
    </ConfirmDialog>
  );
}

/** Moves a community, with the number of people who gain and lose sight of it. */
function MoveCommunity({ community, onClose }: DialogProps) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const workspaces = (useWorkspaces().data ?? []).filter(({ id }) => id !== community.workspaceId);
  const [workspaceId, setWorkspaceId] = useState<number>();
  const [effect, setEffect] = useState<Output<'moveCommunity'>>();
  const preview = useSend();
  const { busy, faults, send } = useSend();
  const communityId = community.id!;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect belongs to the chosen workspace alone
  useEffect(() => {
    setEffect(undefined);
    if (workspaceId === undefined) return;
    void preview.send(async () => setEffect(await portal.communities.move({ communityId, workspaceId, dryRun: true })));
  }, [workspaceId]);
  const move = async () => {
    if (workspaceId === undefined) return;
    if (await send(() => portal.communities.move({ communityId, workspaceId }), words.moveDone)) onClose();
  };
  return (
    <FormDialog
      label={words.moveTitle(community.name ?? '')}
      className="admin-dialog"
      send={{ label: words.move, busy, disabled: effect === undefined }}
      onSend={() => void move()}
      onClose={onClose}
    >
      <FilterSelect
        label={words.workspace}
        all={words.workspace}
        options={workspaces.map(({ id, name = '' }) => ({ id: id!, label: name }))}
        value={workspaceId}
        onChange={setWorkspaceId}
      />
      {effect && (
        <section className="effect" aria-label={texts.preview}>
          <h3>{texts.preview}</h3>
          <ul>
            <li>{words.gain(formats.number(effect.gainingUsersCount ?? 0))}</li>
            <li>{words.lose(formats.number(effect.losingUsersCount ?? 0))}</li>
          </ul>
        </section>
      )}
      <Fault text={Object.values({ ...preview.faults, ...faults })[0]} />
    </FormDialog>
  );
}

/** Gives a role to people and groups, in place of the role that they had in the community. */
function GiveRole({ community, onClose }: DialogProps) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const roles = useRoles().data?.roles ?? [];
  const [people, setPeople] = useState<readonly Choice[]>([]);
  const [groups, setGroups] = useState<readonly Choice[]>([]);
  const [roleId, setRoleId] = useState<number>();
  const { busy, faults, send } = useSend();
  const give = async () => {
    if (roleId === undefined) return;
    const sent = await send(
      () =>
        portal.communities.updateMembers({
          communityId: community.id!,
          userRoles: people.map(({ id }) => ({ userId: id, roleId })),
          groupRoles: groups.map(({ id }) => ({ groupId: id, roleId })),
        }),
      texts.saved,
    );
    if (sent) onClose();
  };
  return (
    <FormDialog
      label={words.changeRoles}
      className="admin-dialog"
      send={{ label: texts.save, busy, disabled: roleId === undefined || people.length + groups.length === 0 }}
      onSend={() => void give()}
      onClose={onClose}
    >
      <Picker label={words.person} offer={{ source: { of: 'accounts' } }} several value={people} onChange={setPeople} />
      <Picker label={texts.group} offer={{ source: { of: 'allGroups' } }} several value={groups} onChange={setGroups} />
      <FilterSelect
        label={words.role}
        all={words.role}
        options={roles.map(({ id, name = '' }) => ({ id: id!, label: name }))}
        value={roleId}
        onChange={setRoleId}
      />
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}
