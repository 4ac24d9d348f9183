/** The frame of every page after the sign-in: the sidebar, and the page beside it. */
import './shell.css';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { refetchAll, startLiveUpdates } from '../live/live-updates.ts';
import { onReturn } from '../offline/connection.ts';
import { OutboxList } from '../offline/outbox-list.tsx';
import { Failed, Loading } from '../placeholders.tsx';
import { failureOf, queryClient } from '../portal.ts';
import { noteAccount, noteSignOut, sessionEnd, subscribeToSession } from '../session/session.ts';
import { useMe } from '../shared-queries.ts';
import { RedirectToSignIn } from '../sign-in/redirect-to-sign-in.tsx';
import { LanguageContext, languageFor, noteLanguage, usePreferredFile, useTexts } from '../texts/index.ts';
import { setNumberLanguage } from '../texts/numbers.ts';
import { setTimeZone } from '../texts/time-zone.ts';
import { NewPost } from '../write/new-post-button.tsx';
import { NoticeList } from '../write/notice-list.tsx';
import { Dialog } from './dialog.tsx';
import { KeyList } from './key-list.tsx';
import { listenToKeys, useKeys } from './keys.ts';
import { OfflineNotice } from './offline-notice.tsx';
import { usePlace } from './place.ts';
import { Sidebar } from './sidebar.tsx';

const SessionEndDialog = part(() => import('../sign-in/session-end-dialog.tsx'), 'SessionEndDialog');
const SignOutDialog = part(() => import('../write/sign-out-dialog.tsx'), 'SignOutDialog');
const loadAfterPage = () => import('./after-page.ts');
const Palette = part(loadAfterPage, 'Palette');
/** Delay after the page at which they are loaded, so that the palette opens at once. Milliseconds. */
const LOAD_AFTER = 1500;

/** Fragments that name a place in a page. No other may be a search parameter: some hold tokens. */
const PLACE = /^[a-z]+-\d+$/;

/** Returns the address of a page and of the place in it. */
const pageOf = ({ pathname, searchStr, hash }: ReturnType<typeof useLocation>): string =>
  `${pathname}${searchStr}${PLACE.test(hash) ? `#${hash}` : ''}`;

export function Shell() {
  const me = useMe();
  const location = useLocation();
  const { language: { code } = {}, timezone: { zoneId: zone } = {} } = me.data?.userPreferences ?? {};
  const ready = usePreferredFile(code);
  // Set before any time or number is rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of the language arrive later
  const language = useMemo(() => {
    setTimeZone(zone);
    const found = languageFor(code, zone);
    setNumberLanguage(found.own ?? found.tag);
    noteLanguage(found);
    return found;
  }, [code, zone, ready]);
  useEffect(() => {
    document.documentElement.lang = language.tag;
  }, [language]);
  const account = me.data?.userData?.id;
  useEffect(() => {
    if (account !== undefined) noteAccount(account);
  }, [account]);
  if (me.isPending || !ready) return <Loading />;
  if (me.isError) {
    if (failureOf(me.error) !== 'signed-out') return <Failed query={me} />;
    return <RedirectToSignIn {...(location.pathname !== '/' && { page: pageOf(location) })} />;
  }
  return (
    <LanguageContext value={language}>
      <Frame />
    </LanguageContext>
  );
}

/** @param ask asks whether unsaved drafts stay in this browser */
function useSignOut(ask: () => void) {
  const texts = useTexts();
  const navigate = useNavigate();
  const attempt = useAttempt();
  const endSession = async () => {
    await attempt(async () => {
      await (await loadAfterPage()).signOut();
      await noteSignOut();
      queryClient.clear();
      await navigate({ to: '/sign-in' });
    }, texts.signOutFailed);
  };
  const me = useMe().data?.userData?.id ?? 0;
  const signOut = async () => {
    const { hasBrowserDrafts } = await import('../write/browser-drafts.ts');
    if (await hasBrowserDrafts(me)) ask();
    else await endSession();
  };
  return { endSession, signOut };
}

function Frame() {
  const texts = useTexts();
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<'search' | 'keys' | 'drafts'>();
  const [typed, setTyped] = useState('');
  const close = () => {
    setOverlay(undefined);
    setTyped('');
  };
  useEffect(listenToKeys, []);
  usePlace();
  const end = useSyncExternalStore(subscribeToSession, sessionEnd);
  useEffect(() => (end === undefined ? startLiveUpdates() : undefined), [end]);
  useEffect(() => onReturn(() => void refetchAll()), []);
  useEffect(() => {
    const load = async () => (await loadAfterPage()).startInBackground();
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_AFTER);
    return () => clearTimeout(timer);
  }, []);
  useKeys([
    { key: 'mod+k', label: texts.search, run: () => setOverlay('search') },
    { key: '/', label: texts.search, run: () => setOverlay('search') },
    { key: '?', label: texts.keys, run: () => setOverlay('keys') },
    // The panel for new posts handles it.
    { key: 'c', label: texts.newPost, run: () => false },
    { key: 'g h', label: texts.home, run: () => void navigate({ to: '/' }) },
    { key: 'g t', label: texts.tasks, run: () => void navigate({ to: '/tasks' }) },
    { key: 'g p', label: texts.people, run: () => void navigate({ to: '/people' }) },
  ]);
  const { endSession, signOut } = useSignOut(() => setOverlay('drafts'));
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skipToContent}
      </a>
      <Panel>
        <Sidebar
          search={() => setOverlay('search')}
          showKeys={() => setOverlay('keys')}
          signOut={() => void signOut()}
        />
      </Panel>
      <main id="content" tabIndex={-1}>
        <OfflineNotice />
        <OutboxList />
        <Outlet />
      </main>
      <Panel>
        <NewPost />
      </Panel>
      <NoticeList />
      {end !== undefined && (
        <Panel>
          <SessionEndDialog why={end} />
        </Panel>
      )}
      {overlay === 'drafts' && (
        <Panel close={close}>
          <SignOutDialog onClose={close} signOut={() => void endSession()} />
        </Panel>
      )}
      {overlay === 'keys' && <KeyList onClose={close} />}
      {overlay === 'search' && (
        <Panel fallback={<EarlySearch typed={typed} onType={setTyped} onClose={close} />} close={close}>
          <Palette typed={typed} onClose={close} showKeys={() => setOverlay('keys')} signOut={() => void signOut()} />
        </Panel>
      )}
    </div>
  );
}

/** The input for text typed while the palette is loading. */
function EarlySearch({
  typed,
  onType,
  onClose,
}: {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}) {
  const texts = useTexts();
  return (
    <Dialog label={texts.search} className="early-search" onClose={onClose}>
      <input
        autoFocus
        type="search"
        className="field"
        aria-label={texts.search}
        value={typed}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
    </Dialog>
  );
}
