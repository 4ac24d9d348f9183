/** Everything by typing its name: pages, communities, posts by title, actions. */
import './palette.css';
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  CircleCheck,
  Clock,
  FileText,
  Inbox,
  Keyboard,
  LayoutList,
  LogOut,
  type LucideIcon,
  Moon,
  Search,
  Sun,
  User,
  Users,
} from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { portal } from '../portal.ts';
import { useCommunities } from '../read.ts';
import { Dialog } from '../shell/dialog.tsx';
import { useTexts } from '../texts/index.ts';
import { usePaletteTexts } from './texts.ts';

interface Choice {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly run: () => unknown;
}

/** Communities whose posts are searched, the one that is open first. */
const MOST_COMMUNITIES = 8;
const POSTS_EACH = 5;
const RECENT = 6;

export default function Palette({
  typed,
  onClose,
  showKeys,
  signOut,
}: {
  /** What was typed before it was there. */
  typed: string;
  onClose: () => void;
  showKeys: () => void;
  signOut: () => void;
}) {
  const texts = useTexts();
  const words = usePaletteTexts();
  const id = useId();
  const [sought, setSought] = useState(typed);
  const [at, setAt] = useState(0);
  const groups = useChoices(sought.trim(), { showKeys, signOut });
  const all = groups.flatMap(({ choices }) => choices);
  const current = Math.min(at, Math.max(0, all.length - 1));
  const run = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (current + step + all.length) % Math.max(1, all.length);
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(all[current]);
    }
  };
  let index = -1;
  return (
    <Dialog label={texts.search} className="palette" onClose={onClose}>
      <div className="palette-input">
        <Search size={16} aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-label={words.placeholder}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={all.length > 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={words.placeholder}
          value={sought}
          onChange={({ currentTarget: { value } }) => {
            setSought(value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={id} role="listbox" aria-label={texts.search} className="palette-list">
        {all.length === 0 && <p className="muted">{texts.nothingFound}</p>}
        {groups.map(
          ({ title, choices }) =>
            choices.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped so
              <div key={title} role="group" aria-label={title}>
                <p className="palette-group" aria-hidden>
                  {title}
                </p>
                {choices.map((choice) => {
                  const own = ++index;
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the input
                    <div
                      key={choice.id}
                      id={`${id}-${own}`}
                      role="option"
                      tabIndex={-1}
                      aria-selected={own === current}
                      className="palette-option"
                      onClick={() => run(choice)}
                      onMouseMove={() => setAt(own)}
                    >
                      <choice.icon size={16} aria-hidden />
                      <span className="clip">{choice.label}</span>
                      {choice.detail && <span className="muted clip">{choice.detail}</span>}
                    </div>
                  );
                })}
              </div>
            ),
        )}
      </div>
    </Dialog>
  );
}

/** What matches what was typed, in groups. */
function useChoices(
  sought: string,
  { showKeys, signOut }: { showKeys: () => void; signOut: () => void },
): { title: string; choices: readonly Choice[] }[] {
  const texts = useTexts();
  const words = usePaletteTexts();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const known = useCommunities().data ?? [];
  const open = Number(/^\/community\/(\d+)/.exec(pathname)?.[1]);
  const communities = known.toSorted((a, b) => Number(b.id === open) - Number(a.id === open));
  const [text] = useDebouncedValue(sought, 150);
  const recent = useQuery({
    queryKey: ['recent', 'palette'],
    queryFn: () => portal.posts.recent({ pageSize: 50 }),
  });
  const found = useQuery({
    queryKey: ['posts by title', text, communities.slice(0, MOST_COMMUNITIES).map(({ id }) => id)],
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        communities.slice(0, MOST_COMMUNITIES).map(async ({ id, name }) => {
          const { items = [] } = await portal.posts.list(
            { communityId: id!, title: text, pageSize: POSTS_EACH, fields: 'id,title,currentWorkflowState' },
            { signal },
          );
          return items.map((post) => ({
            id: post.id!,
            title: post.title,
            detail: [post.currentWorkflowState?.name, name].filter(Boolean).join(' · '),
          }));
        }),
      );
      return pages.flat();
    },
  });
  const wanted = sought.toLowerCase();
  const matching = (choices: readonly Choice[]) =>
    choices.filter(({ label }) => wanted === '' || label.toLowerCase().includes(wanted));
  const toPost = (id: number, title: string | undefined, detail: string | undefined, icon: LucideIcon): Choice => ({
    id: `post-${id}`,
    icon,
    label: title || texts.untitled,
    detail,
    run: () => navigate({ to: '/post/$postId', params: { postId: String(id) } }),
  });
  const read = (recent.data?.items ?? []).map(({ postId, postTitle, communityName }) =>
    toPost(postId!, postTitle, communityName, Clock),
  );
  const searched =
    sought.length > 1 ? (found.data ?? []).map(({ id, title, detail }) => toPost(id, title, detail, FileText)) : [];
  const recently = matching(read).slice(0, RECENT);
  const shown = new Set(searched.map(({ id }) => id));
  const page = (to: '/' | '/tasks' | '/people' | '/me', icon: LucideIcon, label: string): Choice => ({
    id: to,
    icon,
    label,
    run: () => navigate({ to }),
  });
  const everywhere: Choice = {
    id: 'search',
    icon: Search,
    label: words.everywhere(sought),
    run: () => navigate({ to: '/search', search: { text: sought } }),
  };
  return [
    { title: words.recent, choices: recently.filter(({ id }) => !shown.has(id)) },
    {
      title: words.posts,
      choices: [...searched, ...(sought.length > 1 ? [everywhere] : [])],
    },
    {
      title: texts.communities,
      choices: matching(
        known.map(({ id, name }) => ({
          id: `community-${id}`,
          icon: LayoutList,
          label: name ?? '',
          run: () => navigate({ to: '/community/$communityId', params: { communityId: String(id) } }),
        })),
      ),
    },
    {
      title: words.pages,
      choices: matching([
        page('/', Inbox, texts.home),
        page('/tasks', CircleCheck, texts.tasks),
        page('/people', Users, texts.people),
        page('/me', User, texts.account),
      ]),
    },
    {
      title: words.actions,
      choices: matching([
        { id: 'light', icon: Sun, label: words.light, run: () => setColorScheme('light') },
        { id: 'dark', icon: Moon, label: words.dark, run: () => setColorScheme('dark') },
        { id: 'keys', icon: Keyboard, label: texts.keys, run: showKeys },
        { id: 'sign-out', icon: LogOut, label: texts.signOut, run: signOut },
      ]),
    },
  ];
}
