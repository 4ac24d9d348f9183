import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { nameOf } from '../../posts/user-name.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { Picker } from '../../write/picker.tsx';
import { ConfirmDialog } from '../confirm.tsx';
import { AdminScreenPage, AdminTable, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { EditGroup, type GroupForm } from './edit-group.tsx';
import { GroupAccess } from './group-access.tsx';
import { useAdminGroupTexts } from './texts.ts';

/** A group: its members and rights, and the actions on it. */
export function GroupScreen() {
  const groupId = Number(useParams({ strict: false }).groupId);
  const group = useQuery({
    queryKey: ['admin', 'group', groupId],
    queryFn: () => portal.groups.readForEdit({ groupId }),
  });
  return <Loaded query={group}>{(found) => <Group key={found.id} group={found} />}</Loaded>;
}

function Group({ group }: { group: GroupForm }) {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const { untitled } = useTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'members' | 'delete'>();
  const close = () => setOpen(undefined);
  const { adminCapabilities: rights = [], members = [] } = group;
  return (
    <AdminScreenPage
      title={group.name || untitled}
      actions={
        <>
          <Button variant="default" onClick={() => setOpen('edit')}>
            {texts.edit}
          </Button>
          <Button variant="default" onClick={() => setOpen('delete')}>
            {texts.delete}
          </Button>
          <Button onClick={() => setOpen('members')}>{words.changeMembers}</Button>
        </>
      }
    >
      <Facts
        facts={[
          [texts.rightsTitle, rights.length === 0 ? texts.none : rights.map((right) => texts.rights[right]).join(', ')],
          [texts.email, group.email ?? texts.none],
          [texts.externalId, group.externalId ?? texts.none],
          [words.visible, group.visible ? texts.yes : texts.no],
        ]}
      />
      <Members members={members} />
      <GroupAccess groupId={group.id!} />
      {open === 'edit' && <EditGroup group={group} onClose={close} />}
      {open === 'members' && <EditMembers group={group} onClose={close} />}
      {open === 'delete' && (
        <DeleteGroup group={group} onClose={close} onDone={() => void navigate({ to: '/admin/groups' })} />
      )}
    </AdminScreenPage>
  );
}

function Members({ members }: { members: NonNullable<GroupForm['members']> }) {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const formats = useFormats();
  return (
    <section aria-label={words.members}>
      <h2>{words.membersCount(formats.count(members.length))}</h2>
      {members.length === 0 ? (
        <Empty>
          <p>{words.noMembers}</p>
        </Empty>
      ) : (
        <AdminTable
          label={words.members}
          rows={members}
          keyOf={({ id }) => id!}
          columns={[
            {
              key: 'name',
              label: texts.name,
              cell: (person) => (
                <Link to="/admin/user/$personId" params={{ personId: String(person.id) }}>
                  {nameOf(person) || `#${person.id}`}
                </Link>
              ),
            },
            { key: 'email', label: texts.email, cell: ({ contactEmail }) => contactEmail },
          ]}
        />
      )}
    </section>
  );
}

/** Adds people to a group and takes people out of it. */
function EditMembers({ group, onClose }: { group: GroupForm; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const before = (group.members ?? []).map((person) => ({ id: person.id!, label: nameOf(person) || `#${person.id}` }));
  const [members, setMembers] = useState<readonly Choice[]>(before);
  const { busy, faults, setFaults, send } = useSend();
  const save = async () => {
    const ids = new Set(members.map(({ id }) => id));
    const known = new Set(before.map(({ id }) => id));
    let refused: string | undefined;
    const saved = await send(async () => {
      const answer = await portal.groups.updateMembers({
        groupMembers: [
          {
            id: group.id!,
            occToken: group.occToken!,
            addUserIds: [...ids].filter((id) => !known.has(id)),
            deleteUserIds: [...known].filter((id) => !ids.has(id)),
          },
        ],
      });
      refused = answer.refusedGroups?.[0]?.validationErrors?.list?.[0]?.defaultMessage;
      if ((answer.concurrencyErrorGroups ?? []).length > 0) refused = texts.changedMeanwhile;
    });
    if (refused !== undefined) setFaults({ '': texts.refused(refused) });
    else if (saved) onClose();
  };
  return (
    <FormDialog
      label={words.changeMembers}
      className="admin-dialog"
      send={{ label: texts.save, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      <Picker
        label={words.members}
        offer={{ source: { of: 'accounts' } }}
        several
        value={members}
        onChange={setMembers}
      />
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}

function DeleteGroup({ group, onClose, onDone }: { group: GroupForm; onClose: () => void; onDone: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const formats = useFormats();
  const { id, name = '', adminCapabilities: rights = [], members = [] } = group;
  const groupId = id!;
  return (
    <ConfirmDialog
      title={words.deleteTitle(name)}
      action={words.deleteGroup}
      dryRun={() => portal.groups.delete({ groupId, dryRun: true })}
      run={() => portal.groups.delete({ groupId })}
      done={words.deleted}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{words.deleteHint(words.membersCount(formats.count(members.length)))}</p>
      {rights.length > 0 && <p>{words.rightsLost(rights.map((right) => texts.rights[right]).join(', '))}</p>}
    </ConfirmDialog>
  );
}
