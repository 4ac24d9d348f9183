import { useState } from 'react';
import { portal } from '../../portal.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { type Invitation, InvitationDialog } from './invite-person.tsx';
import { LeavePerson } from './leave-person.tsx';
import type { PersonForm } from './person-screen.tsx';
import { type AdminPeopleTexts, useAdminPeopleTexts } from './texts.ts';

type SimpleAction = 'signOut' | 'block' | 'unblock' | 'removeFactor' | 'reset' | 'invite';
export type PersonAction = SimpleAction | 'leave';

interface Question {
  readonly title: string;
  readonly action: string;
  readonly hint?: string;
  /** Absent where a dialog shows the outcome. */
  readonly done?: string;
}

function questionOf(action: SimpleAction, name: string, words: AdminPeopleTexts): Question {
  switch (action) {
    case 'signOut':
      return { title: words.signOutTitle(name), action: words.signOut, hint: words.signOutHint, done: words.signedOut };
    case 'block':
      return { title: words.blockTitle(name), action: words.block, hint: words.blockHint, done: words.blocked };
    case 'unblock':
      return { title: words.unblockTitle(name), action: words.unblock, hint: words.unblockHint, done: words.unblocked };
    case 'removeFactor':
      return {
        title: words.removeFactorTitle(name),
        action: words.removeFactor,
        hint: words.removeFactorHint,
        done: words.factorRemoved,
      };
    case 'reset':
      return { title: words.resetTitle(name), action: words.resetPassword, done: words.resetSent };
    case 'invite':
      return { title: words.sendInvitation, action: words.sendInvitation };
  }
}

/** Runs an action on an account. @param dryRun whether it is only tried */
function runOn(action: SimpleAction, userId: number, dryRun: boolean) {
  const input = { userId, ...(dryRun && { dryRun }) };
  switch (action) {
    case 'signOut':
      return portal.users.signOut(input);
    case 'block':
      return portal.users.block(input);
    case 'unblock':
      return portal.users.unblock(input);
    case 'removeFactor':
      return portal.users.removeTotp(input);
    case 'reset':
      return portal.users.resetPassword(input);
    case 'invite':
      return portal.users.invite(input);
  }
}

/** The dialog of an action on an account. @param onGone called when the account was deleted */
export function PersonDialog({
  action,
  person,
  name,
  onClose,
  onGone,
}: {
  action: PersonAction;
  person: PersonForm;
  name: string;
  onClose: () => void;
  onGone: () => void;
}) {
  const words = useAdminPeopleTexts();
  const [invitation, setInvitation] = useState<Invitation>();
  if (action === 'leave') return <LeavePerson person={person} name={name} onClose={onClose} onGone={onGone} />;
  if (invitation) return <InvitationDialog invitation={invitation} onClose={onClose} />;
  const { title, action: label, hint, done } = questionOf(action, name, words);
  const run = async () => {
    const answer = await runOn(action, person.userId, false);
    if (action === 'invite') setInvitation(answer as Invitation);
  };
  return (
    <ConfirmDialog
      title={title}
      action={label}
      dryRun={() => runOn(action, person.userId, true)}
      run={run}
      {...(done !== undefined && { done })}
      {...(action === 'invite' && { onDone: () => undefined })}
      onClose={onClose}
    >
      {hint !== undefined && <p>{hint}</p>}
    </ConfirmDialog>
  );
}
