import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { Check } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import type { Permission, Role } from './roles-screen.tsx';
import { useRolesTexts } from './texts.ts';

type Name = NonNullable<Permission['name']>;

/** Creates a role of the portal, or edits one. */
export function EditRole({
  permissions,
  role,
  onClose,
}: {
  permissions: readonly Permission[];
  /** Absent for a new role. */
  role?: Role;
  onClose: () => void;
}) {
  const texts = useAdminTexts();
  const words = useRolesTexts();
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [chosen, setChosen] = useState<readonly Name[]>(role?.permissions ?? []);
  const { busy, faults, setFaults, send } = useSend();
  const implied = new Set(
    permissions.filter((each) => chosen.includes(each.name!)).flatMap(({ implies = [] }) => implies),
  );
  const save = async () => {
    if (name.trim() === '') {
      setFaults({ name: texts.required });
      return;
    }
    const body = {
      name: name.trim(),
      ...(description.trim() !== '' && { description: description.trim() }),
      permissions: [...new Set([...chosen, ...implied])],
    };
    const saved = await send(
      () =>
        role
          ? portal.roles.replace({ roleId: role.id!, ...body, occToken: role.occToken! })
          : portal.roles.create(body),
      texts.saved,
    );
    if (saved) onClose();
  };
  return (
    <FormDialog
      label={role ? words.editRole(role.name ?? '') : words.newRole}
      className="admin-dialog"
      send={{ label: role ? texts.save : texts.create, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        required
        error={faults['name']}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <Textarea
        label={texts.description}
        rows={2}
        error={faults['description']}
        value={description}
        onChange={({ currentTarget: { value } }) => setDescription(value)}
      />
      <fieldset className="choices">
        <legend>{words.permission}</legend>
        {permissions.map(({ name: each }) => (
          <Check
            key={each}
            label={words.permissions[each!] ?? each}
            hint={implied.has(each!) ? words.implied : undefined}
            disabled={implied.has(each!)}
            checked={chosen.includes(each!) || implied.has(each!)}
            onChange={(on) => setChosen(on ? [...chosen, each!] : chosen.filter((known) => known !== each))}
          />
        ))}
        <Fault text={faults['permissions']} />
      </fieldset>
      <Fault text={faultBeside(faults, ['name', 'description', 'permissions'])} />
    </FormDialog>
  );
}
