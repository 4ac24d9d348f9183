import './home.css';
import { Panel } from '../failures/boundary.tsx';
import { Failed } from '../placeholders.tsx';
import { useCommunities } from '../shared-queries.ts';
import { moveKeys, useKeys } from '../shell/keys.ts';
import { useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { Drafts, Recent } from './drafts-and-recent.tsx';
import { Notifications } from './notifications.tsx';
import { Waiting } from './waiting.tsx';

/** The caller's work across communities; waiting items come first. */
export function HomePage() {
  const texts = useTexts();
  const communities = useCommunities();
  useTitle(texts.home);
  useKeys(moveKeys(texts));
  // The sidebar does not report its own read errors.
  if (communities.isError) return <Failed query={communities} />;
  return (
    <div className="home">
      <h1>{texts.home}</h1>
      <Panel>
        <Waiting />
      </Panel>
      <Panel>
        <Notifications />
      </Panel>
      <Panel>
        <Drafts />
      </Panel>
      <Panel>
        <Recent />
      </Panel>
    </div>
  );
}
