/** A post and everything that happens to it, as facts: texts, authors, times. No rows yet. */
import {
  type CommunityDefinition,
  type DeltaOp,
  describeDelta,
  type FieldRule,
  type FieldRules,
  plainTextToDelta,
  type StoredValue,
} from '@portico/server/testing/dataset';
import type { FieldPlan } from './field-plan.ts';
import { Dice, mix } from './random.ts';
import { END, momentAt } from './timeline.ts';
import { markedWords, paragraph, phrase } from './words.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Source of the posts of a community. */
export interface CommunitySource {
  readonly tenantId: number;
  readonly definition: CommunityDefinition;
  readonly rules: FieldRules;
  readonly fields: readonly PlannedField[];
  readonly hashtags: readonly { id: number; name: string }[];
  /**
   * People with the right to write here, the most active first; some are mentioned and asked more
   * often than others.
   */
  readonly userIds: readonly number[];
  readonly names: ReadonlyMap<number, string>;
  /** Managers of the community among them: they edit posts of others, and reject. */
  readonly managerIds: readonly number[];
  readonly groupIds: readonly number[];
  /**
   * Callers of the measurements: sometimes they are mentioned, watch, have tasks and view posts.
   */
  readonly measuredIds: readonly number[];
  readonly states: readonly number[];
  readonly posts: number;
  readonly firstPostId: number;
  /** Distinguishes communities, so that their texts differ. */
  readonly seed: number;
}

export interface PlannedField {
  readonly plan: FieldPlan;
  readonly rule: FieldRule;
  readonly ids: readonly number[];
  readonly idsBelow: ReadonlyMap<number, readonly number[]>;
  readonly parentId: number | undefined;
}

interface PlannedComment {
  readonly at: number;
  readonly authorId: number;
  readonly delta: string;
  readonly plain: string;
  readonly mentions: readonly number[];
  /** Index of the answered comment among the comments of the post. */
  readonly answers: number | undefined;
}

interface PlannedTask {
  readonly at: number;
  /** 1 standard, 2 acknowledgement. */
  readonly type: number;
  readonly assignee: number;
  readonly priority: number;
  readonly title: string;
  readonly expiresAt: number;
  readonly closedAt: number | null;
}

export interface PostPlan {
  readonly id: number;
  readonly customNo: number;
  readonly event: { startAt: number; endAt: number; location: string; invited: readonly number[] } | undefined;
  readonly visibility: number;
  readonly draft: boolean;
  readonly pinned: boolean;
  readonly announcement: boolean;
  readonly title: string;
  readonly description: { delta: string; plain: string } | undefined;
  readonly mentions: readonly number[];
  readonly hashtagIds: readonly number[];
  readonly customData: Readonly<Record<string, StoredValue>>;
  readonly creatorId: number;
  readonly createdAt: number;
  readonly watchers: readonly number[];
  /** Edits of its title, oldest first. */
  readonly edits: readonly { at: number; authorId: number; titleBefore: string }[];
  /** The step from the initial state to the present one. */
  readonly step: { at: number; authorId: number; stateId: number } | undefined;
  readonly comments: readonly PlannedComment[];
  readonly tasks: readonly PlannedTask[];
  /** Numbers of files of the tenant. */
  readonly files: readonly number[];
  readonly views: readonly { userId: number; at: number; count: number }[];
}

/** Files of posts; all tenants have the same. */
export const fileKinds = [
  { name: 'Floor plan.png', mimeType: 'image/png', kind: 1, size: 48_211 },
  { name: 'Delivery note.pdf', mimeType: 'application/pdf', kind: 4, size: 120_344 },
  { name: 'Photo.jpg', mimeType: 'image/jpeg', kind: 1, size: 402_118 },
  {
    name: 'Figures.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    kind: 4,
    size: 18_030,
  },
] as const;

/** The number of the post with many comments in each community. */
export const BUSY_POST = 11;
export const busyComments = (posts: number) => Math.min(5_000, Math.max(50, Math.round(posts / 20)));

const COMMENTS = 8_192;
const comments = (() => {
  const dice = new Dice(1234);
  return Array.from({ length: COMMENTS }, () =>
    describeDelta(plainTextToDelta(paragraph(dice, 1 + dice.skewed(3, 2)))),
  );
})();

/** Returns the kind of the post with a number: references need it before the post is planned. */
export function kindOf(source: CommunitySource, index: number): { private: boolean; draft: boolean; event: boolean } {
  const busy = index === BUSY_POST;
  const draw = (salt: number) => mix(mix(source.seed, salt), index) / 2 ** 32;
  return { private: !busy && draw(1) < 0.05, draft: !busy && draw(2) < 0.02, event: !busy && draw(3) < 0.02 };
}

/** Plans the files of a post, as indexes of {@link fileKinds}. */
function planFiles(dice: Dice, index: number): number[] {
  if (dice.chance(0.1)) return Array.from({ length: 1 + dice.skewed(4) }, () => dice.below(fileKinds.length));
  return index === BUSY_POST + 1 ? Array.from({ length: 60 }, (_, file) => file % fileKinds.length) : [];
}

/** Plans the post with a number from 0. */
export function planPost(source: CommunitySource, index: number): PostPlan {
  const dice = new Dice(mix(source.seed, index));
  const { posts, firstPostId } = source;
  const kind = kindOf(source, index);
  const createdAt = momentAt((index + 0.5) / posts);
  const creatorId = author(source, dice);
  const later = (since: number, mean: number) => Math.floor(Math.min(END - 1, since + dice.exponential(mean)));
  // Posts are edited by their author or by a manager; other people who see them comment on them and
  // move them on.
  const editor = () => (kind.draft || dice.chance(0.75) ? creatorId : dice.pick(source.managerIds));
  const worker = () => (kind.private || kind.draft ? creatorId : author(source, dice));
  const text = writeText(source, dice);
  const title = phrase(dice, 2 + dice.below(5)) + markedWords(dice, posts);
  const customData = kind.event ? {} : fillIn(source, dice, index, createdAt);
  const watchers = dice.chance(0.08)
    ? unique([
        somebody(source, dice),
        ...(source.groupIds.length > 0 && dice.chance(0.3) ? [-dice.pick(source.groupIds)] : []),
      ])
    : [];
  const edits: { at: number; authorId: number; titleBefore: string }[] = [];
  if (dice.chance(0.35)) {
    for (let at = later(createdAt, 3 * DAY), left = 1 + dice.skewed(3); left > 0; at = later(at, 20 * DAY), left--) {
      edits.push({ at, authorId: editor(), titleBefore: phrase(dice, 3) });
    }
  }
  const state = source.states[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 2, 4][dice.below(20)] as number];
  const moved = !kind.draft && state !== undefined && state !== source.states[0];
  const step = moved
    ? {
        at: later(createdAt, 10 * DAY),
        authorId: state === source.states.at(-1) ? dice.pick(source.managerIds) : worker(),
        stateId: state,
      }
    : undefined;
  return {
    id: firstPostId + index,
    customNo: index + 1,
    event: kind.event ? planEvent(source, dice, createdAt) : undefined,
    visibility: kind.private ? 1 : 2,
    draft: kind.draft,
    pinned: !kind.draft && mix(source.seed, index * 31) % posts < 20 && posts > 1_000,
    announcement: dice.chance(0.001),
    title,
    description: text,
    mentions: text?.mentions ?? [],
    hashtagIds: text?.hashtagIds ?? [],
    customData,
    creatorId,
    createdAt,
    watchers,
    edits,
    step,
    comments: kind.draft ? [] : planComments(source, dice, index, createdAt, worker),
    tasks: !kind.draft && dice.chance(0.06) ? [planTask(source, dice, createdAt)] : [],
    files: planFiles(dice, index),
    views: kind.draft ? [] : planViews(source, dice, createdAt),
  };
}

const unique = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

function author({ userIds }: CommunitySource, dice: Dice): number {
  return userIds[dice.skewed(userIds.length)] as number;
}

/** Returns a person to ask, notify or add as a watcher: sometimes one of the measured people. */
function somebody(source: CommunitySource, dice: Dice): number {
  return dice.chance(0.05)
    ? dice.pick(source.measuredIds)
    : (source.userIds[dice.skewed(source.userIds.length, 2)] as number);
}

function writeText(source: CommunitySource, dice: Dice) {
  if (dice.chance(0.05)) return undefined;
  const tags = new Map<number, string>();
  if (source.hashtags.length > 0 && dice.chance(0.4)) {
    for (let left = 1 + dice.skewed(3); left > 0; left--) {
      const tag = source.hashtags[dice.falling(source.hashtags.length)] as { id: number; name: string };
      tags.set(tag.id, tag.name);
    }
  }
  const mentioned = dice.chance(0.06) ? somebody(source, dice) : undefined;
  const body = paragraph(dice, 2 + dice.below(4)) + markedWords(dice, source.posts);
  const tail = [...tags.values()].map((name) => ` #${name}`).join('');
  const ops: readonly DeltaOp[] =
    mentioned === undefined
      ? plainTextToDelta(body + tail)
      : [
          { insert: 'Ask ' },
          { insert: { mention: { id: mentioned, value: source.names.get(mentioned) ?? 'somebody' } } },
          { insert: `: ${body}${tail}\n` },
        ];
  const { delta, plain, mentions } = describeDelta(ops);
  return { delta, plain, mentions, hashtagIds: [...tags.keys()] };
}

function fillIn(source: CommunitySource, dice: Dice, index: number, createdAt: number): Record<string, StoredValue> {
  const values: Record<string, StoredValue> = {};
  const earlierPost = () => {
    if (index === 0) return undefined;
    const earlier = Math.max(0, index - 1 - dice.skewed(index));
    const { private: hidden, draft } = kindOf(source, earlier);
    return hidden || draft ? undefined : source.firstPostId + earlier;
  };
  const { userIds, groupIds, posts } = source;
  for (const { plan, rule, ids, idsBelow, parentId } of source.fields) {
    if (!dice.chance(plan.share)) continue;
    const parent = parentId === undefined ? undefined : values[String(parentId)];
    const from = { dice, ids, idsBelow, parent, userIds, groupIds, index, posts, createdAt, earlierPost };
    const value = plan.value(from);
    if (value !== undefined) values[String(rule.id)] = value;
  }
  return values;
}

function planEvent(source: CommunitySource, dice: Dice, createdAt: number): PostPlan['event'] {
  const startAt = Math.floor((createdAt + dice.exponential(20 * DAY)) / HOUR) * HOUR;
  const invited = unique(Array.from({ length: 1 + dice.below(5) }, () => somebody(source, dice)));
  return { startAt, endAt: startAt + (1 + dice.below(4)) * HOUR, location: `Room ${dice.below(40)}`, invited };
}

function planComments(
  source: CommunitySource,
  dice: Dice,
  index: number,
  createdAt: number,
  worker: () => number,
): PlannedComment[] {
  // Five for each post, drafts not counted.
  const count = index === BUSY_POST ? busyComments(source.posts) : Math.floor(dice.exponential(5.62));
  const made: PlannedComment[] = [];
  let at = createdAt;
  for (let place = 0; place < count; place++) {
    at = Math.floor(Math.min(END - 1, at + 1000 + dice.exponential(count > 40 ? HOUR : 1.5 * DAY)));
    const mentioned = dice.chance(0.02) ? somebody(source, dice) : undefined;
    const text =
      mentioned === undefined
        ? dice.pick(comments)
        : describeDelta([
            { insert: { mention: { id: mentioned, value: source.names.get(mentioned) ?? 'somebody' } } },
            { insert: ` ${phrase(dice, 6)}\n` },
          ]);
    const answers = place > 0 && dice.chance(0.2) ? dice.below(place) : undefined;
    made.push({ at, authorId: worker(), ...text, answers });
  }
  return made;
}

function planTask(source: CommunitySource, dice: Dice, createdAt: number): PlannedTask {
  const at = Math.floor(Math.min(END - 1, createdAt + dice.exponential(5 * DAY)));
  const assignee =
    source.groupIds.length > 0 && dice.chance(0.1) ? -dice.pick(source.groupIds) : somebody(source, dice);
  return {
    at,
    type: dice.chance(0.2) ? 2 : 1,
    assignee,
    priority: 1 + dice.below(3),
    title: phrase(dice, 4),
    expiresAt: Math.floor((at + dice.exponential(30 * DAY)) / HOUR) * HOUR,
    closedAt: dice.chance(0.7) ? Math.floor(Math.min(END - 1, at + dice.exponential(15 * DAY))) : null,
  };
}

function planViews(source: CommunitySource, dice: Dice, createdAt: number): PostPlan['views'] {
  const views: { userId: number; at: number; count: number }[] = [];
  for (const userId of source.measuredIds) {
    if (!dice.chance(0.03)) continue;
    const at = Math.floor(Math.min(END - 1, createdAt + dice.exponential(60 * DAY)));
    views.push({ userId, at, count: 1 + dice.skewed(5) });
  }
  return views;
}

/** Returns the person who closed a closed task. */
export function closerOf({ assignee }: PlannedTask, creatorId: number): number {
  return Math.max(assignee, 0) || creatorId;
}

/** When a task was created and closed, and by whom. */
export function marksOf(task: PlannedTask, creatorId: number): { at: number; authorId: number }[] {
  const created = { at: task.at, authorId: creatorId };
  if (task.closedAt === null) return [created];
  return [created, { at: task.closedAt, authorId: closerOf(task, creatorId) }];
}
