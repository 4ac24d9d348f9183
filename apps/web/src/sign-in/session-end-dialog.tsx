import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { portal, queryClient } from '../portal.ts';
import { noteNewSession, noteSignOut, type SessionEnd } from '../session/session.ts';
import { useMe } from '../shared-queries.ts';
import { useDialog } from '../shell/use-dialog.ts';
import { useTexts } from '../texts/index.ts';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Says that the session ended, and signs in again. The page below stays with everything that was
 * typed; it is hidden until the same account is back.
 */
export function SessionEndDialog({ why }: { why: SessionEnd }) {
  const texts = useTexts();
  const dialog = useDialog();
  const heading = useRef<HTMLHeadingElement>(null);
  const me = useMe().data?.userData;
  const page = useRouterState({ select: ({ location }) => `${location.pathname}${location.searchStr}` });
  // The input that had the focus would take a password as its text.
  useEffect(() => heading.current?.focus(), []);
  const enter = async () => {
    const now = await portal.auth.currentUser();
    if (now.userData?.id !== me?.id) return window.location.assign(import.meta.env.BASE_URL);
    noteNewSession();
    await queryClient.invalidateQueries();
  };
  const leave = async () => {
    await noteSignOut();
    window.location.assign(`${import.meta.env.BASE_URL}sign-in`);
  };
  return (
    <dialog
      {...dialog.props}
      className="dialog session-end"
      aria-label={texts.sessionEnded}
      onCancel={(event) => event.preventDefault()}
    >
      <h2 ref={heading} tabIndex={-1}>
        {texts.sessionEnded}
      </h2>
      <SignInForm
        title={texts.signIn}
        intro={why === 'signed-out' ? texts.signedOutHere : texts.sessionEndedWhy}
        user={me?.contactEmail}
        page={page}
        inDialog
        enter={enter}
      />
      <button type="button" className="quiet" onClick={() => void leave()}>
        {texts.otherAccount}
      </button>
    </dialog>
  );
}
