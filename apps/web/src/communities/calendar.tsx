import './calendar.css';
import { fieldTypes, type GetPostDefinitionResponse } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Failed } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { hueOf } from '../posts/state-hue.ts';
import { moveKeys, useKeys } from '../shell/keys.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { wallDay } from '../texts/time-zone.ts';
import type { ListSearch, Show } from './list-search.ts';
import { useListTexts } from './texts.ts';
import { type ListedPost, queryOf } from './use-posts.ts';

/** Maximum number of posts read for a month. */
const MAX_POSTS = 500;
const PAGE = 100;
/** Maximum number of posts shown for a day; the rest is shown as a number. */
const POSTS_PER_DAY = 3;
const WEEK = 7;

/**
 * The date by which a calendar shows posts: creation, change, start of the event, or a field of
 * type date or moment.
 */
export type DateField = 'created' | 'changed' | 'eventStart' | `field-${number}`;

/** @returns the dates that a calendar of the community can use, with names */
function dateFieldsOf(
  { fieldDefinitions = [] }: GetPostDefinitionResponse,
  texts: { created: string; changed: string; eventStart: string },
): { by: DateField; label: string; days: boolean }[] {
  const fields = fieldDefinitions.filter(
    ({ type, searchable }) => searchable && ['day', 'instant'].includes(fieldTypes[type!].kind),
  );
  return [
    ...fields.map(({ id, label, type }) => ({
      by: `field-${id!}` as const,
      label: label ?? '',
      days: fieldTypes[type!].kind === 'day',
    })),
    { by: 'created', label: texts.created, days: false },
    { by: 'changed', label: texts.changed, days: false },
    { by: 'eventStart', label: texts.eventStart, days: false },
  ];
}

/** Days are held as their beginnings in UTC, so that no day is lost when clocks change. */
const dayAt = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day));
const dateOf = (day: Date) => day.toISOString().slice(0, 10);
/**
 * Returns the month `by` months later.
 * @param month `2026-11`
 */
const addMonths = (month: string, by: number) => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return dateOf(dayAt(year, number - 1 + by, 1)).slice(0, 7);
};

/** The weeks of a month, each from the first day of the week in the language. */
function weeksOf(month: string, firstDay: number): Date[][] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const before = (dayAt(year, number - 1, 1).getUTCDay() - firstDay + WEEK) % WEEK;
  const days = dayAt(year, number, 0).getUTCDate();
  const weeks = Math.ceil((before + days) / WEEK);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK }, (_each, day) => dayAt(year, number - 1, 1 - before + week * WEEK + day)),
  );
}

/** The day on which a calendar shows a post; undefined if the post has no such date. */
function shownDay(post: ListedPost, { by, days }: { by: DateField; days: boolean }): string | undefined {
  const { allDay, startAt } = post.event ?? {};
  const at = by === 'eventStart' ? startAt?.utcDatetime : undefined;
  if (at !== undefined) return allDay ? at.slice(0, 10) : wallDay(Date.parse(at));
  const times = { created: post.creationTimestamp, changed: post.lastModifyTimestamp, eventStart: undefined };
  const time = by in times ? times[by as keyof typeof times] : post.customData?.[by.slice('field-'.length)];
  if (typeof time !== 'number') return undefined;
  // A day is the same in all time zones; a moment is shown on its day in the account's time zone.
  return days ? new Date(time).toISOString().slice(0, 10) : wallDay(time);
}

export function Calendar({
  communityId,
  definition,
  search,
  show,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: ListSearch;
  show: Show;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const fields = dateFieldsOf(definition, texts);
  const field = fields.find(({ by }) => by === search.date) ?? fields[0]!;
  const today = wallDay(Date.now());
  const month = search.month ?? today.slice(0, 7);
  const weeks = weeksOf(month, formats.firstDayOfWeek);
  const first = weeks[0]![0]!;
  const last = weeks.at(-1)!.at(-1)!;
  const query = queryOf(communityId, search, [[field.by, 'between', dateOf(first), dateOf(last)]]);
  const posts = useQuery({
    queryKey: ['posts', communityId, 'calendar', query],
    queryFn: async ({ signal }) => {
      const found: ListedPost[] = [];
      let pageToken = '';
      do {
        const { items = [], nextPageToken = '' } = await portal.posts.list(
          { ...query, pageSize: PAGE, ...(pageToken !== '' && { pageToken }) },
          { signal },
        );
        found.push(...items);
        pageToken = nextPageToken;
      } while (pageToken !== '' && found.length < MAX_POSTS);
      return { found, more: pageToken !== '' };
    },
  });
  const byDay = Map.groupBy(posts.data?.found ?? [], (post) => shownDay(post, field));
  const go = (to: string) => show({ month: to === today.slice(0, 7) ? undefined : to });
  useKeys([
    ...moveKeys(texts),
    { key: 'ArrowRight', label: list.nextMonth, run: () => go(addMonths(month, 1)) },
    { key: 'ArrowLeft', label: list.previousMonth, run: () => go(addMonths(month, -1)) },
  ]);
  return (
    <div className="calendar">
      <header>
        <h2 aria-live="polite">{formats.month(Date.parse(`${month}-01`))}</h2>
        <button
          type="button"
          className="quiet"
          aria-label={list.previousMonth}
          onClick={() => go(addMonths(month, -1))}
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
        <button type="button" className="quiet" aria-label={list.nextMonth} onClick={() => go(addMonths(month, 1))}>
          <ChevronRight size={16} aria-hidden />
        </button>
        <button type="button" className="small" onClick={() => go(today.slice(0, 7))}>
          {list.today}
        </button>
        <label className="end">
          <span className="muted">{list.by}</span>{' '}
          <select
            className="field auto"
            value={field.by}
            onChange={({ currentTarget: { value } }) => show({ date: value as DateField })}
          >
            {fields.map(({ by, label }) => (
              <option key={by} value={by}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </header>
      {posts.isError && <Failed query={posts} />}
      {posts.data?.more && <p className="muted">{list.tooMany(formats.number(posts.data.found.length))}</p>}
      {posts.data?.found.length === 0 && <p className="muted phone-only">{list.noneThisMonth}</p>}
      <div className="month">
        {weeks[0]!.map((day) => (
          <span key={day.getDay()} className="weekday muted" aria-hidden>
            {formats.weekday(day.getTime())}
          </span>
        ))}
        {weeks.flat().map((day) => (
          <Day
            key={dateOf(day)}
            day={day}
            posts={byDay.get(dateOf(day)) ?? []}
            outside={!dateOf(day).startsWith(month)}
            today={dateOf(day) === today}
          />
        ))}
      </div>
    </div>
  );
}

function Day({
  day,
  posts,
  outside,
  today,
}: {
  day: Date;
  posts: readonly ListedPost[];
  outside: boolean;
  today: boolean;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const link = (post: ListedPost) => (
    <li key={post.id}>
      <Link
        to="/post/$postId"
        params={{ postId: String(post.id) }}
        data-item={`post-${post.id}`}
        data-hue={hueOf(post.currentWorkflowState?.metadata?.['color'])}
      >
        {post.title || texts.untitled}
      </Link>
    </li>
  );
  return (
    <section
      className="day"
      aria-label={formats.day(day.getTime())}
      {...(outside && { 'data-outside': '' })}
      {...(today && { 'data-today': '' })}
      {...(posts.length === 0 && { 'data-empty': '' })}
    >
      <span className="day-number" aria-hidden>
        <span className="phone-only">{formats.weekday(day.getTime())} </span>
        {formats.number(day.getUTCDate())}
      </span>
      <ul>{posts.slice(0, POSTS_PER_DAY).map(link)}</ul>
      {posts.length > POSTS_PER_DAY && (
        <details>
          <summary>{list.moreOfDay(formats.number(posts.length - POSTS_PER_DAY))}</summary>
          <ul>{posts.slice(POSTS_PER_DAY).map(link)}</ul>
        </details>
      )}
    </section>
  );
}
