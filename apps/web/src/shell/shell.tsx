/** The frame of every page of somebody who is signed in: the sidebar, and the page beside it. */
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { failureOf } from '../portal.ts';
import { useMe } from '../read.ts';
import { ToSignIn } from '../sign-in/to-sign-in.tsx';
import { Failed, Loading } from '../states.tsx';
import { LanguageContext, languageOf, useTexts } from '../texts/index.ts';
import { NewPost } from '../write/new-post-button.tsx';
import { NoticeList } from '../write/notice-list.tsx';
import { Sidebar } from './sidebar.tsx';

export function Shell() {
  const me = useMe();
  const location = useLocation();
  const code = me.data?.userPreferences?.language?.code;
  const language = useMemo(() => languageOf(preferredTags(code)), [code]);
  useEffect(() => {
    document.documentElement.lang = language.tag;
  }, [language]);
  if (me.isPending) return <Loading />;
  if (me.isError) {
    if (failureOf(me.error) !== 'signed-out') return <Failed error={me.error} retry={() => void me.refetch()} />;
    return <ToSignIn {...(location.pathname !== '/' && { page: `${location.pathname}${location.searchStr}` })} />;
  }
  return (
    <LanguageContext value={language}>
      <Frame />
    </LanguageContext>
  );
}

/** The language of the account, as the browser's settings spell it where they name it (`en-GB`), before others of the browser. */
function preferredTags(code: string | undefined): readonly string[] {
  if (code === undefined) return navigator.languages;
  return [...navigator.languages.filter((tag) => tag.startsWith(code)), code, ...navigator.languages];
}

function Frame() {
  const texts = useTexts();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skipToContent}
      </a>
      <Sidebar />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <NewPost />
      <NoticeList />
    </div>
  );
}
