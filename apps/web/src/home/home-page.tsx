import './home.css';
import { useEffect } from 'react';
import { Failed } from '../placeholders.tsx';
import { useCommunities } from '../shared-queries.ts';
import { moveFocus, useKeys } from '../shell/keys.ts';
import { useTexts } from '../texts/index.ts';
import { Drafts, Recent } from './drafts-and-recent.tsx';
import { Notifications } from './notifications.tsx';
import { Waiting } from './waiting.tsx';

/** What concerns the caller, across communities: what waits for them first. */
export function HomePage() {
  const texts = useTexts();
  const communities = useCommunities();
  useEffect(() => {
    document.title = `${texts.home} · Portico`;
  }, [texts]);
  useKeys([
    { key: 'j', label: texts.next, run: () => moveFocus(1) },
    { key: 'k', label: texts.previous, run: () => moveFocus(-1) },
  ]);
  // The sidebar is silent about what it cannot read.
  if (communities.isError) return <Failed error={communities.error} retry={() => void communities.refetch()} />;
  return (
    <div className="home">
      <h1>{texts.home}</h1>
      <Waiting />
      <Notifications />
      <Drafts />
      <Recent />
    </div>
  );
}
