import { Link, useLocation } from '@tanstack/react-router';
import {
  CalendarDays,
  ChartColumn,
  CircleCheck,
  Inbox,
  Keyboard,
  LogOut,
  Menu,
  Rows3,
  Search,
  Settings,
  SquareKanban,
  Star,
  Users,
  X,
} from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { nameOf } from '../posts/user-name.ts';
import { newPostsOf, useCommunities, useFavourites, useMe, useRights, useTree, useUnread } from '../shared-queries.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import type { Count } from '../texts/plurals.ts';
import { NewPostButton } from '../write/new-post-button.tsx';
import { Avatar } from './avatar.tsx';
import { colourOf } from './colour.ts';
import { KeyCaps } from './key-list.tsx';

const PortalPart = part(() => import('./portal-part.tsx'), 'PortalPart');

/** More new posts than these are not counted. */
const MOST_NEW = 99;

/** A number in a sentence that stands for itself and all greater ones. */
const moreThan = (count: Count): Count => ({ ...count, toString: () => `${count}+` });

/** Other layouts show figures. */
const LAYOUTS: Readonly<Record<string, typeof Rows3>> = {
  table: Rows3,
  board: SquareKanban,
  calendar: CalendarDays,
};

/** Where everything is: what concerns the caller above, communities, and the caller themselves below. */
export function Sidebar({
  search,
  showKeys,
  signOut,
}: {
  search: () => void;
  showKeys: () => void;
  signOut: () => void;
}) {
  const texts = useTexts();
  const formats = useFormats();
  const { pathname } = useLocation();
  const communities = useCommunities();
  const me = useMe().data?.userData;
  const unread = useUnread();
  const administers = (useRights().data?.size ?? 0) > 0;
  const { communities: starred = [], views = [] } = useFavourites().data ?? {};
  const favourites = [
    ...starred.map(({ communityId, communityName }) => ({
      key: `community-${communityId}`,
      communityId,
      view: undefined,
      name: communityName,
      icon: Star,
    })),
    ...views.map(({ id, communityId, name, layout = 'table' }) => ({
      key: `view-${id}`,
      communityId,
      view: id!,
      name,
      icon: LAYOUTS[layout] ?? ChartColumn,
    })),
  ];
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <header className="top-bar">
        <button
          type="button"
          className="tool"
          aria-label={texts.menu}
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <Menu size={20} aria-hidden />
        </button>
        <button type="button" className="tool" aria-label={texts.search} onClick={search}>
          <Search size={20} aria-hidden />
        </button>
      </header>
      {open && <div className="backdrop" aria-hidden onClick={() => setOpen(false)} />}
      <nav className="sidebar" aria-label={texts.navigation} {...(!open && { 'data-closed': '' })}>
        <button type="button" className="close-button" aria-label={texts.close} onClick={() => setOpen(false)}>
          <X size={20} aria-hidden />
        </button>
        <p className="portal-part">
          <Panel fallback={null}>
            <PortalPart />
          </Panel>
        </p>
        <button type="button" onClick={search}>
          <Search size={16} aria-hidden />
          <span className="clip">{texts.search}</span>
          <span className="hint" aria-hidden>
            <KeyCaps name="mod+k" />
          </span>
        </button>
        <NewPostButton />
        <SidebarLink to="/" icon={<Inbox size={16} aria-hidden />} text={texts.home}>
          {unread > 0 && (
            <>
              <span className="count" title={texts.unread(formats.count(unread))} aria-hidden>
                {formats.number(unread)}
              </span>
              <span className="visually-hidden">{texts.unread(formats.count(unread))}</span>
            </>
          )}
        </SidebarLink>
        <SidebarLink to="/tasks" icon={<CircleCheck size={16} aria-hidden />} text={texts.tasks} />
        {favourites.length > 0 && <h2>{texts.favourites}</h2>}
        {favourites.map(({ key, communityId, view, name, icon: Icon }) => (
          <Link
            key={key}
            to={Icon === ChartColumn ? '/community/$communityId/figures' : '/community/$communityId'}
            params={{ communityId: String(communityId) }}
            search={view === undefined ? {} : { view }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            <Icon size={16} aria-hidden />
            <span className="clip">{name || texts.untitled}</span>
          </Link>
        ))}
        {communities.data?.length === 0 && (
          <>
            <h2>{texts.communities}</h2>
            <p className="muted sidebar-note">{texts.noCommunities}</p>
          </>
        )}
        <Workspaces />
        <div className="sidebar-foot">
          <SidebarLink to="/people" icon={<Users size={16} aria-hidden />} text={texts.people} />
          {administers && (
            <SidebarLink to="/admin" icon={<Settings size={16} aria-hidden />} text={texts.administration} />
          )}
          <button type="button" className="wide-only" onClick={showKeys}>
            <Keyboard size={16} aria-hidden />
            <span className="clip">{texts.keys}</span>
            <span className="hint" aria-hidden>
              <KeyCaps name="?" />
            </span>
          </button>
          <div className="sidebar-me">
            <Link to="/me">
              <Avatar user={me} />
              <span className="clip">{nameOf(me)}</span>
            </Link>
            <button
              type="button"
              className="icon-only"
              aria-label={texts.signOut}
              title={texts.signOut}
              onClick={signOut}
            >
              <LogOut size={16} aria-hidden />
            </button>
          </div>
          <Panel fallback={null}>
            <PortalPart legal />
          </Panel>
        </div>
      </nav>
    </>
  );
}

/** Communities by workspace, each with the number of posts that are new in it. */
function Workspaces() {
  const texts = useTexts();
  const formats = useFormats();
  const communities = useCommunities().data ?? [];
  const tree = useTree().data;
  const { workspaces = [] } = tree ?? {};
  const news = newPostsOf(tree);
  const names = new Map(workspaces.map(({ workspaceId, workspaceName }) => [workspaceId, workspaceName]));
  const groups = Map.groupBy(communities, ({ workspaceId }) => names.get(workspaceId));
  return [...groups]
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b))
    .map(([workspace, own]) => (
      <Fragment key={workspace ?? ''}>
        <h2>{workspace ?? texts.communities}</h2>
        {own.map(({ id, name, colorCode }) => {
          const count = news.get(id!) ?? 0;
          const shown = count > MOST_NEW ? moreThan(formats.count(MOST_NEW)) : formats.count(count);
          return (
            <Link key={id} to="/community/$communityId" params={{ communityId: String(id) }}>
              <span className="dot" style={{ background: colourOf(colorCode) }} aria-hidden />
              <span className="clip">{name || texts.untitled}</span>
              {count > 0 && (
                <>
                  <span className="new-count" title={texts.newPosts(shown)} aria-hidden>
                    {String(shown)}
                  </span>
                  <span className="visually-hidden">{texts.newPosts(shown)}</span>
                </>
              )}
            </Link>
          );
        })}
      </Fragment>
    ));
}

function SidebarLink({
  to,
  icon,
  text,
  children,
}: {
  to: '/' | '/tasks' | '/people' | '/admin';
  icon: ReactNode;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Link to={to} activeOptions={{ exact: to === '/' }}>
      {icon}
      <span className="clip">{text}</span>
      {children}
    </Link>
  );
}
