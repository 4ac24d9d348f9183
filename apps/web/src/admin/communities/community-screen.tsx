import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { Menu, type MenuItem } from '../../write/menu.tsx';
import { AdminScreenPage, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { type ListedCommunity, stateOf, useWorkspaces } from './communities-screen.tsx';
import { type CommunityAction, CommunityDialog } from './community-dialogs.tsx';
import { EffectivePeople, GivenRoles } from './members.tsx';
import { useCommunitiesTexts } from './texts.ts';

/**
 * Has the browser download the archive of a community. The cookie of the session signs the request
 * in, so that the browser writes the archive to the disk as it arrives.
 */
function downloadArchive(communityId: string): void {
  const link = document.createElement('a');
  link.href = `${portal.apiRoot}/admin/data/communities/${communityId}/archive`;
  link.download = `community-${communityId}.zip`;
  link.click();
}

/** The community with its activity, found by its name among the communities that the caller administers. */
async function readCommunity(communityId: number): Promise<ListedCommunity> {
  const { name = '' } = await portal.communities.readForEdit({ communityId });
  const found = portal.communities.iterateManaged({ nameFilter: name, includeActivity: true, pageSize: 500 });
  for await (const community of found) if (community.id === communityId) return community;
  return { id: communityId, name };
}

/** A community: its facts and faults, its people, and the actions on it. */
export function CommunityScreen() {
  const communityId = Number(useParams({ strict: false }).communityId);
  const community = useQuery({
    queryKey: ['admin', 'community', communityId],
    queryFn: () => readCommunity(communityId),
  });
  return <Loaded query={community}>{(found) => <Community key={found.id} community={found} />}</Loaded>;
}

function Community({ community }: { community: ListedCommunity }) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const { untitled } = useTexts();
  const navigate = useNavigate();
  const [action, setAction] = useState<CommunityAction>();
  const archived = community.archivedTimestamp !== undefined;
  const item = (what: CommunityAction, label: string): MenuItem => ({ label, run: () => setAction(what) });
  const communityId = String(community.id);
  return (
    <AdminScreenPage
      title={community.name || untitled}
      actions={
        <>
          <Link to="/community/$communityId" params={{ communityId }}>
            {words.open}
          </Link>
          <Link to="/community/$communityId/build" params={{ communityId }}>
            {words.build}
          </Link>
          <Menu
            className="small"
            label={texts.moreActions}
            button={texts.moreActions}
            items={[
              archived ? item('unarchive', words.unarchive) : item('archive', words.archive),
              { label: words.exportWhole, run: () => downloadArchive(communityId) },
              item('move', words.move),
              item('delete', words.delete),
            ]}
          />
          <Button onClick={() => setAction('give')}>{words.changeRoles}</Button>
        </>
      }
    >
      <CommunityFacts community={community} />
      <Faults communityId={community.id!} />
      <EffectivePeople communityId={community.id!} />
      <GivenRoles communityId={community.id!} />
      {action !== undefined && (
        <CommunityDialog
          action={action}
          community={community}
          onClose={() => setAction(undefined)}
          onGone={() => void navigate({ to: '/admin/communities' })}
        />
      )}
    </AdminScreenPage>
  );
}

function CommunityFacts({ community }: { community: ListedCommunity }) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const workspaces = useWorkspaces().data ?? [];
  const { postsCount = 0, lastActivityTimestamp: at, workspaceId } = community;
  return (
    <Facts
      facts={[
        [texts.state, stateOf(community, words)],
        [words.workspace, workspaces.find(({ id }) => id === workspaceId)?.name ?? texts.none],
        [words.posts, formats.number(postsCount)],
        [words.lastActivity, at === undefined ? texts.never : formats.moment(at)],
      ]}
    />
  );
}

/** The faults of fields and workflow. */
function Faults({ communityId }: { communityId: number }) {
  const words = useCommunitiesTexts();
  const check = useQuery({
    queryKey: ['admin', 'check', communityId],
    queryFn: () => portal.communities.check({ communityId }),
  });
  return (
    <section aria-label={words.faults}>
      <h2>{words.faults}</h2>
      <Loaded query={check}>
        {({ findings = [] }) =>
          findings.length === 0 ? (
            <p>{words.noFaults}</p>
          ) : (
            <ul>
              {findings.map(({ kind, text, ...where }) => (
                <li key={`${kind} ${JSON.stringify(where)}`}>{text}</li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
