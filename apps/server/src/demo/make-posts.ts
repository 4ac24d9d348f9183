/** Makes the posts of a community: planned in order of time, written in batches through the verb of imports. */
import { type EventPostData, InvitationType, PostType, Visibility } from '@portico/contract';
import { writeTransaction } from '../kernel/access/index.ts';
import { getDefinition } from '../modules/communities/index.ts';
import { createPosts, publishScheduledPost, type TrustedPost } from '../modules/posts/index.ts';
import type { Random } from '../platform/random.ts';
import { cast, people, type TextSpec } from './content.ts';
import { DAY, type DemoContext, HOUR, type MadeCommunity } from './demo-context.ts';
import type { CommunitySpec } from './read-community.ts';
import { type Named, richText, titleOf } from './texts.ts';
import { fieldValues } from './values.ts';

/** Write transactions stay small: a post brings some fifteen rows with it. */
const BATCH = 30;

/** A post of the plan and the post created from it. */
export interface MadePost {
  id: number;
  at: number;
  creatorId: number;
  type: PostType;
  visible: 'public' | 'private' | 'draft';
  /** Users who see the post even if it is private. */
  watcherIds: readonly number[];
  invitedIds: readonly number[];
  input: TrustedPost;
}

/** Returns the users who write posts in a community. */
export function authorsOf(context: DemoContext, spec: CommunitySpec): number[] {
  return context.inGroups(spec.draft ? spec.managers : [...spec.managers, ...spec.contributors]);
}

/** Returns one of the authors; if the pick writes no posts, the next author. */
function writerOf(context: DemoContext, authors: readonly number[]): number {
  const first = authors.indexOf(context.random.pick(authors));
  return context.unlicensed([...authors.slice(first), ...authors])[0] as number;
}

/** Somebody as texts mention them. */
export function named(context: DemoContext, userId: number): Named {
  const person = people[context.people.indexOf(userId)];
  return { id: userId, name: person ? `${person[0]} ${person[1]}` : 'Demo integration' };
}

/** Makes all posts of a community that are there from the start. */
export async function makePosts(context: DemoContext, made: MadeCommunity): Promise<MadePost[]> {
  const plan = planPosts(context, made);
  const posts: MadePost[] = [];
  for (let start = 0; start < plan.length; start += BATCH) {
    const batch = plan.slice(start, start + BATCH);
    const scope = await context.as(context.serviceAccount, context.now);
    const outcomes = await writeTransaction(scope, 'none', async (write) => {
      const definition = await getDefinition(write, made.id);
      if (!definition) throw new Error(`community ${made.id} of the demo has no definition`);
      return createPosts(
        write,
        definition,
        batch.map(({ input }) => input),
        { trusted: true },
      );
    });
    for (const [index, outcome] of outcomes.entries()) {
      const planned = batch[index] as (typeof batch)[number];
      if (outcome.postId === undefined) {
        throw new Error(`a post of the demo was refused: ${JSON.stringify([planned.input, outcome.errors])}`);
      }
      posts.push({ ...planned, id: outcome.postId });
    }
  }
  return posts;
}

type Planned = Omit<MadePost, 'id'>;

function planPosts(context: DemoContext, made: MadeCommunity): Planned[] {
  const { spec } = made;
  const { random } = context;
  const kinds = [
    ...Array.from({ length: spec.posts.custom }, () => PostType.CUSTOM),
    ...Array.from({ length: spec.posts.event }, () => PostType.EVENT),
    ...Array.from({ length: spec.posts.survey }, () => PostType.SURVEY),
  ];
  const order = random.some(kinds, kinds.length);
  const plan = order.map((type, index) =>
    planPost(context, made, type, context.time((index + 0.2) / order.length), index),
  );
  return plan.sort((a, b) => a.at - b.at);
}

function pickTitle(random: Random, texts: TextSpec, type: PostType): string {
  if (type === PostType.EVENT) return random.pick(texts.eventTitles);
  if (type === PostType.SURVEY) return random.pick(texts.surveyTitles);
  return titleOf(random, texts);
}

function planPost(context: DemoContext, made: MadeCommunity, kind: PostType, at: number, index: number): Planned {
  const { spec } = made;
  const { random } = context;
  const texts = spec.texts;
  const creatorId = writerOf(context, authorsOf(context, spec));
  const isPrivate = spec.isPrivate ? !random.chance(0.15) : random.chance(0.1);
  const published = isPrivate ? 'private' : 'public';
  const draft = index % 29 === 17;
  // Where events are at home, drafts are events too.
  const type = draft && spec.posts.event > spec.posts.custom ? PostType.EVENT : kind;
  const cover = type === PostType.EVENT && !draft && index % 4 === 0 ? context.covers.pop() : undefined;
  const everyone = context.members.get('everyone') ?? [];
  const watchers = !spec.watched ? [] : random.some(context.unlicensed(everyone), isPrivate ? 3 : random.int(0, 2));
  const follows = spec.watched && index % 13 === 4;
  const groups = spec.watched && random.chance(0.12) ? [random.pick(['tech', 'hr', 'managers', 'kobe'])] : [];
  const mention = random.chance(0.15) ? named(context, random.pick(everyone)) : undefined;
  const hashtag = random.chance(0.45) ? random.pick([...made.hashtags.keys(), undefined]) : undefined;
  const event = type === PostType.EVENT ? eventData(context, spec, at) : undefined;
  const owner = index % 41 === 17 || (draft && index % 58 === 17) ? context.serviceAccount : creatorId;
  const input: TrustedPost = {
    type,
    ...(type === PostType.SURVEY && { surveyType: index % 3 === 0 ? 2 : 1 }),
    title: pickTitle(random, texts, type),
    description: richText(random, texts.sentences, { mention, hashtag }),
    visibility: isPrivate ? 1 : 2,
    announcement: spec.key === 'bacheca' ? random.chance(0.25) : random.chance(0.02),
    pinned: !isPrivate && !draft && index % 47 === 3,
    watcherUserIds: follows ? [...watchers, context.serviceAccount] : watchers,
    watcherGroupIds: groups.map((key) => context.groups.get(key) as number),
    creatorId: owner,
    at,
    ...(index % 2 === 0 && { clientUid: `demo-${spec.key}-${index}` }),
    ...(draft && { draft: true }),
    ...(draft && index % 58 === 17 && { scheduledPublication: scheduledFor(context.now + random.int(5, 90) * DAY) }),
    ...(event && { event: event.data }),
    ...(cover !== undefined && { coverImageContentRef: cover }),
    ...(type === PostType.EVENT &&
      index % 3 === 0 && {
        linkPreview: {
          title: 'Agenda',
          url: `https://intranet.alveria.example/events/${index}`,
          image: `https://intranet.alveria.example/events/${index}.png`,
          hidden: false,
        },
      }),
    ...(type !== PostType.EVENT && {
      customData: fieldValues(context, made.fields, { at, texts, filled: 0.75, trusted: true, community: spec.key }),
    }),
  };
  return {
    at,
    creatorId: owner,
    type,
    visible: draft ? 'draft' : published,
    watcherIds: input.watcherUserIds ?? [],
    invitedIds: event?.invitedIds ?? [],
    input,
  };
}

/** A moment as clients write it. */
export function scheduledFor(at: number): { datetime: string; timezone: string } {
  return { datetime: new Date(at).toISOString().slice(0, 16), timezone: 'UTC' };
}

function eventData(
  context: DemoContext,
  spec: CommunitySpec,
  at: number,
): { data: EventPostData; invitedIds: number[] } {
  const { random } = context;
  const allDay = random.chance(0.2);
  const day = Math.floor((at + random.int(4, 40) * DAY) / DAY) * DAY;
  const start = day + (allDay ? 0 : random.int(8, 16) * HOUR);
  const timezone = spec.tongue === 'ja' ? 'Asia/Tokyo' : 'Europe/Rome';
  const local = (moment: number) => ({ localDatetime: new Date(moment).toISOString().slice(0, allDay ? 10 : 19) });
  const members = context.inGroups([...spec.managers, ...spec.contributors, ...spec.readers]);
  const known = cast.photographed
    .map((index) => context.people[index] as number)
    .filter((userId) => members.includes(userId));
  const invitedIds = [...new Set([...random.some(members, random.int(3, 6)), ...random.some(known, random.int(0, 1))])];
  const groups = random.some(['kobe', 'tech', 'managers', 'market'], random.int(0, 2));
  const places = ['Sala Grigna', '港タワー 12階', 'Montagehalle, Tor 4', 'Mass lab, Reading', 'Videochiamata'];
  return {
    invitedIds,
    data: {
      startAt: local(start),
      ...(random.chance(0.9) && { endAt: local(allDay ? start + DAY - 1000 : start + random.int(1, 4) * HOUR) }),
      ...(!allDay && { timezone }),
      allDay,
      location: random.pick(places),
      invitations: {
        users: invitedIds.map((id, index) => ({ id, typeId: index === 0 ? 2 : 0 })),
        groups: groups.map((key) => ({ id: context.groups.get(key) as number, typeId: InvitationType.GUEST })),
        sendEditPostNotifications: random.chance(0.5),
      },
    },
  };
}

/** Posts whose publication was planned and has come: written as drafts at their time, then published at the planned one. */
export async function publishPlanned(context: DemoContext, made: MadeCommunity, count: number): Promise<void> {
  const { spec } = made;
  const { random } = context;
  const texts = spec.texts;
  const authors = authorsOf(context, spec);
  for (let index = 0; index < count; index++) {
    const at = context.time(0.2 + (0.6 * index) / count);
    const due = Math.floor((at + random.int(2, 9) * DAY) / 60_000) * 60_000;
    // The author of the last post has lost the right to write here by the time it is due.
    const author =
      spec.readers.length > 0 && index === count - 1 ? outsider(context, spec) : writerOf(context, authors);
    const postId = await writeTransaction(await context.as(context.serviceAccount, at), 'none', async (write) => {
      const definition = await getDefinition(write, made.id);
      if (!definition) throw new Error(`community ${made.id} of the demo has no definition`);
      const [outcome] = await createPosts(
        write,
        definition,
        [
          {
            title: titleOf(random, texts),
            description: richText(random, texts.sentences),
            ...(spec.posts.event > spec.posts.custom
              ? { type: PostType.EVENT, event: eventData(context, spec, due).data }
              : {
                  customData: fieldValues(context, made.fields, {
                    at,
                    texts,
                    filled: 0.6,
                    trusted: true,
                    community: spec.key,
                  }),
                }),
            visibility: Visibility.PUBLIC,
            creatorId: author,
            at,
            draft: true,
            scheduledPublication: scheduledFor(due),
          },
        ],
        { trusted: true },
      );
      if (outcome?.postId === undefined)
        throw new Error(`a scheduled post was refused: ${JSON.stringify(outcome?.errors)}`);
      return outcome.postId;
    });
    await publishScheduledPost(await context.as(author, due + 20_000), postId);
  }
}

/** Somebody who reads a community without writing in it. */
function outsider(context: DemoContext, spec: CommunitySpec): number {
  const authors = authorsOf(context, spec);
  return context.inGroups(spec.readers).find((userId) => !authors.includes(userId)) ?? (authors[0] as number);
}
