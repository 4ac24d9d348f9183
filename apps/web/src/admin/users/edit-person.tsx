import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { type Right, useRights } from '../../shared-queries.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { Picker } from '../../write/picker.tsx';
import { RightsInput } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import type { PersonForm } from './person-screen.tsx';
import { useAdminPeopleTexts } from './texts.ts';

const TEXTS = ['firstname', 'lastname', 'contactEmail', 'externalId'] as const;

/** Edits the account of a person, and their rights. */
export function EditPerson({ person: { userId, form }, onClose }: { person: PersonForm; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const mine = useRights().data ?? new Set<Right>();
  const [values, setValues] = useState<Readonly<Record<(typeof TEXTS)[number], string>>>({
    firstname: form.firstname ?? '',
    lastname: form.lastname ?? '',
    contactEmail: form.contactEmail ?? '',
    externalId: form.externalId ?? '',
  });
  const [rights, setRights] = useState<readonly Right[]>(form.adminCapabilities ?? []);
  const { busy, faults, send } = useSend();
  const labels = {
    firstname: words.firstName,
    lastname: words.lastName,
    contactEmail: words.contactEmail,
    externalId: texts.externalId,
  };
  const save = async () => {
    const { contactEmail, externalId, ...names } = values;
    const changed = rights.toSorted().join() !== (form.adminCapabilities ?? []).toSorted().join();
    const saved = await send(
      () =>
        portal.users.replace({
          userId,
          ...names,
          ...(contactEmail.trim() !== '' && { contactEmail: contactEmail.trim() }),
          ...(externalId.trim() !== '' && { externalId: externalId.trim() }),
          ...(form.privateEmail !== undefined && { privateEmail: form.privateEmail }),
          ...(changed && { adminCapabilities: [...rights] }),
          occToken: form.occToken!,
        }),
      texts.saved,
    );
    if (saved) onClose();
  };
  return (
    <FormDialog
      label={texts.edit}
      className="admin-dialog"
      send={{ label: texts.save, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      {TEXTS.map((name) => (
        <TextInput
          key={name}
          label={labels[name]}
          {...(name === 'externalId' && { description: texts.externalIdHint })}
          error={faults[name]}
          value={values[name]}
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <RightsInput mine={mine} value={rights} onChange={setRights} />
      <Fault text={faultBeside(faults, TEXTS)} />
    </FormDialog>
  );
}

/** Chooses the groups of a person. */
export function EditGroups({ person: { userId, leaving }, onClose }: { person: PersonForm; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const before = (leaving.groups ?? []).map(({ groupId, name = '' }) => ({ id: groupId!, label: name }));
  const [groups, setGroups] = useState<readonly Choice[]>(before);
  const { busy, faults, setFaults, send } = useSend();
  const save = async () => {
    const added = groups.filter(({ id }) => !before.some((known) => known.id === id));
    const removed = before.filter(({ id }) => !groups.some((chosen) => chosen.id === id));
    const refused: string[] = [];
    const saved = await send(async () => {
      const groupMembers = await Promise.all(
        [...added, ...removed].map(async ({ id }) => ({
          id,
          occToken: (await portal.groups.readForEdit({ groupId: id })).occToken!,
          ...(added.some((each) => each.id === id) ? { addUserIds: [userId] } : { deleteUserIds: [userId] }),
        })),
      );
      const answer = await portal.groups.updateMembers({ groupMembers });
      for (const { validationErrors } of answer.refusedGroups ?? [])
        for (const { defaultMessage } of validationErrors?.list ?? []) refused.push(defaultMessage ?? '');
    });
    if (refused.length > 0) setFaults({ '': texts.refused(refused.join(' ')) });
    else if (saved) onClose();
  };
  return (
    <FormDialog
      label={words.addToGroup}
      className="admin-dialog"
      send={{ label: texts.save, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      <Picker
        label={words.groups}
        offer={{ source: { of: 'allGroups' } }}
        several
        value={groups}
        onChange={setGroups}
      />
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}
