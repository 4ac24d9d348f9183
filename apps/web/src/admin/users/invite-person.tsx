import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Secret } from '../../account/secret.tsx';
import { portal } from '../../portal.ts';
import { type Right, useRights } from '../../shared-queries.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { RightsInput } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAdminPeopleTexts } from './texts.ts';

/** The outcome of an invitation. */
export interface Invitation {
  readonly sentEmailNotify?: boolean;
  readonly recipient?: string;
  /** Present only where no mail is sent and nobody used the account. */
  readonly invitationLink?: string;
}

const EMPTY = { firstname: '', lastname: '', contactEmail: '', username: '' };

/** Creates an account. The password is one that nobody knows: the invitation replaces it. */
async function createInvited(person: typeof EMPTY, rights: readonly Right[], groups: readonly Choice[]) {
  const username = person.username.trim() || person.contactEmail.trim();
  const { userId } = await portal.users.create({
    firstname: person.firstname.trim(),
    lastname: person.lastname.trim(),
    contactEmail: person.contactEmail.trim(),
    ...(rights.length > 0 && { adminCapabilities: [...rights] }),
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
    resetUserCustomCredentialsCommand: { generatePassword: true },
  });
  for (const { id } of groups) {
    const { occToken } = await portal.groups.readForEdit({ groupId: id });
    await portal.groups.updateMembers({ groupMembers: [{ id, occToken: occToken!, addUserIds: [userId!] }] });
  }
  return portal.users.invite({ userId: userId! });
}

/** Creates a person and invites them. */
export function InvitePerson({ onClose }: { onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const mine = useRights().data ?? new Set<Right>();
  const [person, setPerson] = useState(EMPTY);
  const [rights, setRights] = useState<readonly Right[]>([]);
  const [groups, setGroups] = useState<readonly Choice[]>([]);
  const [invitation, setInvitation] = useState<Invitation>();
  const { busy, faults, setFaults, send } = useSend();
  const input = (
    name: keyof typeof EMPTY,
    label: string,
    more: { hint?: string; required?: boolean; type?: 'email' },
  ) => (
    <TextInput
      label={label}
      description={more.hint}
      required={more.required ?? false}
      type={more.type ?? 'text'}
      autoFocus={name === 'firstname'}
      error={faults[name]}
      value={person[name]}
      onChange={({ currentTarget: { value } }) => setPerson((before) => ({ ...before, [name]: value }))}
    />
  );
  const submit = async () => {
    const missing = (['firstname', 'lastname', 'contactEmail'] as const).filter((name) => person[name].trim() === '');
    if (missing.length > 0) {
      setFaults(Object.fromEntries(missing.map((name) => [name, texts.required])));
      return;
    }
    await send(async () => setInvitation(await createInvited(person, rights, groups)));
  };
  if (invitation) return <InvitationDialog invitation={invitation} onClose={onClose} />;
  return (
    <FormDialog
      label={words.invite}
      className="admin-dialog"
      send={{ label: words.inviteSend, busy }}
      onSend={() => void submit()}
      onClose={onClose}
    >
      {input('firstname', words.firstName, { required: true })}
      {input('lastname', words.lastName, { required: true })}
      {input('contactEmail', words.contactEmail, { required: true, type: 'email' })}
      {input('username', words.userName, { hint: words.userNameHint })}
      <Picker
        label={words.groups}
        offer={{ source: { of: 'allGroups' } }}
        several
        value={groups}
        onChange={setGroups}
      />
      <RightsInput mine={mine} value={rights} onChange={setRights} />
      <Fault text={faultBeside(faults, Object.keys(EMPTY))} />
    </FormDialog>
  );
}

/** Says what became of an invitation, and shows its link once where no mail carries it. */
export function InvitationDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const { invitationLink: link, recipient = '', sentEmailNotify } = invitation;
  const outcome = sentEmailNotify ? words.invitationSent(recipient) : words.invitationUnsent;
  return (
    <Dialog label={words.invite} className="admin-dialog" closeOnOutsideClick={false} onClose={onClose}>
      <h2>{words.invite}</h2>
      {link === undefined ? (
        <p role="status">{outcome}</p>
      ) : (
        <>
          <p>{words.invitationLinkHint}</p>
          <Secret label={words.invitationLink} text={link} />
        </>
      )}
      <div className="buttons">
        <Button
          onClick={() => {
            onClose();
            showNotice(texts.saved);
          }}
        >
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}
