/** The command palette: the search over everything, pages, communities and actions. */
import './palette.css';
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  CircleCheck,
  CircleDot,
  Clock,
  Inbox,
  Keyboard,
  LayoutList,
  LogOut,
  type LucideIcon,
  Moon,
  Search,
  Settings,
  Sun,
  Trash2,
  User,
  Users,
} from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { AdminTexts } from '../admin/texts.ts';
import { portal } from '../portal.ts';
import { hitTarget } from '../search/hit-link.ts';
import { kindIcons } from '../search/kind-icon.tsx';
import type { SearchAddress } from '../search/search-address.ts';
import { useSearch } from '../search/use-search.ts';
import { useCommunities, useRights } from '../shared-queries.ts';
import { Dialog } from '../shell/dialog.tsx';
import { useFormats, usePageTexts, useTexts } from '../texts/index.ts';
import { usePaletteTexts } from './texts.ts';

interface PaletteItem {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly run: () => unknown;
}

interface Group {
  readonly title: string;
  readonly items: readonly PaletteItem[];
  /** Whether the items are side by side, like the filters of a search. */
  readonly inline?: boolean;
}

/** Number of results that are shown; the page of the search shows all. */
const SHOWN = 5;
const RECENT = 6;
/** Number of recently read posts shown above the results. */
const RECENT_FOUND = 2;
/** Pause after a typed letter before the search. Milliseconds. */
const TYPING_PAUSE = 80;
/** Maximum number of states, and of communities, offered to narrow a search. */
const NARROWED = 6;

/** Moves of the mark in the list, by the key. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export default function Palette({
  typed,
  onClose,
  showKeys,
  signOut,
}: {
  /** Text that was typed while the palette was loading. */
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
  const groups = usePaletteItems(sought.trim(), { showKeys, signOut });
  const all = groups.flatMap(({ items }) => items);
  const current = Math.min(at, Math.max(0, all.length - 1));
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
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
          data-always-open
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
          ({ title, items, inline }) =>
            items.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped so
              <div key={title} role="group" aria-label={title} {...(inline && { className: 'palette-inline' })}>
                <p className="palette-group" aria-hidden>
                  {title}
                </p>
                {items.map((item) => {
                  const own = ++index;
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the input
                    <div
                      key={item.id}
                      id={`${id}-${own}`}
                      role="option"
                      tabIndex={-1}
                      aria-selected={own === current}
                      className="palette-option"
                      onClick={() => run(item)}
                      onMouseMove={() => setAt(own)}
                    >
                      <item.icon size={16} aria-hidden />
                      <span className="clip">{item.label}</span>
                      {item.detail && <span className="muted clip">{item.detail}</span>}
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

/** Loads the list of the screens of the administration, for holders of a right only. */
const loadAdmin = async () => {
  const [screens, texts] = await Promise.all([import('../admin/screens.ts'), import('../admin/texts.ts')]);
  return { ...screens, english: texts.en };
};

/** The screens of the administration that the typed text finds; without a text, its first page. */
function useAdminItems(wanted: string): readonly PaletteItem[] {
  const texts = useTexts();
  const navigate = useNavigate();
  const rights = useRights().data;
  const administers = rights !== undefined && rights.size > 0;
  const admin = useQuery({
    queryKey: ['admin', 'palette'],
    queryFn: loadAdmin,
    enabled: administers,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const words = usePageTexts<AdminTexts | undefined>('admin', admin?.english);
  if (!administers) return [];
  const first: PaletteItem = {
    id: '/admin',
    icon: Settings,
    label: texts.administration,
    run: () => navigate({ to: '/admin' }),
  };
  if (wanted === '' || !admin || !words) return [first];
  const found = admin.findScreens(admin.adminSections(words, rights), wanted).flatMap(({ screens }) => screens);
  return [
    ...(first.label.toLowerCase().includes(wanted) ? [first] : []),
    ...found.map(({ to, label, hint }) => ({
      id: to,
      icon: Settings,
      label,
      detail: hint,
      run: () => navigate({ to }),
    })),
  ];
}

/** The items that match the typed text, in groups. */
function usePaletteItems(
  sought: string,
  { showKeys, signOut }: { showKeys: () => void; signOut: () => void },
): Group[] {
  const texts = useTexts();
  const words = usePaletteTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const known = useCommunities().data ?? [];
  const [text] = useDebouncedValue(sought, TYPING_PAUSE);
  const recent = useQuery({
    queryKey: ['recent', 'palette'],
    queryFn: () => portal.posts.recent({ pageSize: 50 }),
  });
  const found = useSearch({ text }, SHOWN);
  const wanted = sought.toLowerCase();
  const administration = useAdminItems(wanted);
  const matching = (items: readonly PaletteItem[]) =>
    items.filter(({ label }) => wanted === '' || label.toLowerCase().includes(wanted));
  const read = (recent.data?.items ?? []).map(
    ({ postId, postTitle, communityName }): PaletteItem => ({
      id: `post-${postId}`,
      icon: Clock,
      label: postTitle || texts.untitled,
      detail: communityName,
      run: () => navigate({ to: '/post/$postId', params: { postId: String(postId) } }),
    }),
  );
  const searching = sought !== '';
  const results = searching ? found.data : undefined;
  const { communities = [], states = [], total = 0, more = false } = results?.counts ?? {};
  // Communities whose names have the text are in a group of their own.
  const named = matching(
    known.map(({ id, name }) => ({
      id: `community-${id}`,
      icon: LayoutList,
      label: name ?? '',
      run: () => navigate({ to: '/community/$communityId', params: { communityId: String(id) } }),
    })),
  );
  const above = new Set(named.map(({ id }) => id));
  const searched = (results?.items ?? [])
    .map((hit): PaletteItem => {
      const { kind = 'post', id, title, postTitle, stateName, communityName } = hit;
      const place = kind === 'community' ? [] : [kind === 'post' ? stateName : undefined, communityName];
      const ofPost = kind === 'task' || kind === 'file' ? postTitle : undefined;
      return {
        id: `${kind}-${id}`,
        icon: kindIcons[kind],
        label: title || texts.untitled,
        detail: [ofPost, ...place].filter(Boolean).join(' · '),
        run: () => navigate(hitTarget(hit)),
      };
    })
    .filter(({ id }) => !above.has(id));
  const shown = new Set(searched.map(({ id }) => id));
  const recently = matching(read).filter(({ id }) => !shown.has(id));
  const search = (id: string, icon: LucideIcon, label: string, within: SearchAddress = {}): PaletteItem => ({
    id,
    icon,
    label,
    run: () => navigate({ to: '/search', search: { text: sought, ...within } }),
  });
  // A filter that all results fulfil is not offered.
  const narrowed = [
    ...(states.length < 2 ? [] : states.slice(0, NARROWED)).map(({ value = '' }) =>
      search(`state-${value}`, CircleDot, value, { states: [value] }),
    ),
    ...(communities.length < 2 ? [] : communities.slice(0, NARROWED)).map(({ value, name = '' }) =>
      search(`within-${value}`, LayoutList, name, { communities: [Number(value)] }),
    ),
  ];
  const counted = `${formats.number(total)}${more ? '+' : ''}`;
  const page = (to: '/' | '/tasks' | '/people' | '/deleted' | '/me', icon: LucideIcon, label: string): PaletteItem => ({
    id: to,
    icon,
    label,
    run: () => navigate({ to }),
  });
  return [
    {
      title: words.recent,
      items: recently.slice(0, searching ? RECENT_FOUND : RECENT),
    },
    {
      title: total > searched.length ? words.resultsOf(String(searched.length), counted) : words.results,
      items: [
        ...searched,
        ...(searching && (total > 0 || found.isFetching || text !== sought)
          ? [search('search', Search, total > 0 ? words.all(counted) : words.everywhere(sought))]
          : []),
      ],
    },
    { title: words.narrow, items: narrowed, inline: true },
    { title: texts.communities, items: named },
    {
      title: words.pages,
      items: matching([
        page('/', Inbox, texts.home),
        page('/tasks', CircleCheck, texts.tasks),
        page('/people', Users, texts.people),
        page('/deleted', Trash2, words.deleted),
        page('/me', User, texts.account),
      ]),
    },
    { title: texts.administration, items: administration },
    {
      title: words.actions,
      items: matching([
        { id: 'light', icon: Sun, label: words.light, run: () => setColorScheme('light') },
        { id: 'dark', icon: Moon, label: words.dark, run: () => setColorScheme('dark') },
        { id: 'keys', icon: Keyboard, label: texts.keys, run: showKeys },
        { id: 'sign-out', icon: LogOut, label: texts.signOut, run: signOut },
      ]),
    },
  ];
}
