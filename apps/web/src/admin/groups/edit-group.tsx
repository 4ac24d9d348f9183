import { TextInput } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { type Right, useRights } from '../../shared-queries.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { Check, RightsInput } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAdminGroupTexts } from './texts.ts';

export type GroupForm = Output<'getGroupForEdit'>;

const TEXTS = ['name', 'email', 'externalId'] as const;

/** Creates or edits a group. @param onDone is called with the id of the group */
export function EditGroup({
  group,
  onClose,
  onDone,
}: {
  /** Absent for a new group. */
  group?: GroupForm;
  onClose: () => void;
  onDone?: (id: number) => void;
}) {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const mine = useRights().data ?? new Set<Right>();
  const [values, setValues] = useState<Readonly<Record<(typeof TEXTS)[number], string>>>({
    name: group?.name ?? '',
    email: group?.email ?? '',
    externalId: group?.externalId ?? '',
  });
  const [visible, setVisible] = useState(group?.visible ?? true);
  const before = group?.adminCapabilities ?? [];
  const [rights, setRights] = useState<readonly Right[]>(before);
  const { busy, faults, setFaults, send } = useSend();
  const save = async () => {
    if (values.name.trim() === '') {
      setFaults({ name: texts.required });
      return;
    }
    const email = values.email.trim();
    const externalId = values.externalId.trim();
    const body = {
      name: values.name.trim(),
      visible,
      ...(email !== '' && { email }),
      ...(externalId !== '' && { externalId }),
      ...(rights.toSorted().join() !== before.toSorted().join() && { adminCapabilities: [...rights] }),
    };
    let id = group?.id;
    const saved = await send(async () => {
      if (group) await portal.groups.replace({ groupId: group.id!, ...body, occToken: group.occToken! });
      else id = (await portal.groups.create(body)).groupId;
    }, texts.saved);
    if (!saved) return;
    onClose();
    onDone?.(id!);
  };
  return (
    <FormDialog
      label={group ? words.editGroup : words.newGroup}
      className="admin-dialog"
      send={{ label: group ? texts.save : texts.create, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      {TEXTS.map((name) => (
        <TextInput
          key={name}
          label={texts[name]}
          required={name === 'name'}
          {...(name === 'externalId' && { description: texts.externalIdHint })}
          error={faults[name]}
          value={values[name]}
          onChange={({ currentTarget: { value } }) => setValues((known) => ({ ...known, [name]: value }))}
        />
      ))}
      <Check label={words.visible} hint={words.visibleHint} checked={visible} onChange={setVisible} />
      <RightsInput mine={mine} value={rights} onChange={setRights} />
      <Fault text={faultBeside(faults, TEXTS)} />
    </FormDialog>
  );
}
