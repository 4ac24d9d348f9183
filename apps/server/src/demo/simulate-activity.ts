/**
 * Simulates activity on existing posts: edits, comments, likes, answers, workflow, each by a
 * fitting user at a fitting time.
 */
import { PostType } from '@portico/contract';
import { createPostComment, deleteComment, likeComment, likePost, unlikePost } from '../modules/post-parts/index.ts';
import {
  copyCustomPost,
  deletePost,
  editCustomPost,
  editPostEventPartecipate,
  editScreenData,
  executeOperation,
} from '../modules/posts/index.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import { DAY, type DemoContext, HOUR, type MadeCommunity, type MadeField } from './demo-context.ts';
import { authorsOf, type MadePost, named } from './make-posts.ts';
import type { TransitionSpec } from './read-community.ts';
import { remark } from './texts.ts';
import { fieldValues } from './values.ts';

/** The verbs return the objects that they create; nothing reads them here. */
const nothing = async () => undefined;

/** Lives through everything that happens to one post. */
export async function simulateActivity(
  context: DemoContext,
  made: MadeCommunity,
  post: MadePost,
  index: number,
  tx: TenantTx,
): Promise<void> {
  if (post.visible === 'draft') return;
  if (post.type !== PostType.EVENT && index % 11 === 5) await edit(context, made, post, tx);
  await comment(context, made, post, tx);
  await like(context, made, post, tx);
  if (post.type === PostType.EVENT) await answer(context, post, tx);
  if (made.spec.workflow && post.type === PostType.CUSTOM) await walk(context, made, post, index, tx);
  if (index % 53 === 21) await copy(context, post, tx);
  if (index % 37 === 30)
    await deletePost(await context.as(managerOf(context, made), context.later(post.at, 60 * DAY), tx), post.id, {
      erasable: index % 2 === 0,
    });
}

function managerOf(context: DemoContext, made: MadeCommunity): number {
  return context.random.pick(context.inGroups(made.spec.managers));
}

/** Returns the users who see a post and may write in its community. */
export function participants(context: DemoContext, made: MadeCommunity, post: MadePost): number[] {
  const authors = authorsOf(context, made.spec);
  if (post.visible === 'public') return authors;
  const near = [...post.watcherIds, ...post.invitedIds].filter((userId) => authors.includes(userId));
  return [...new Set([...near, ...context.inGroups(made.spec.managers)])];
}

async function edit(context: DemoContext, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { input } = post;
  const at = context.later(post.at, 12 * HOUR);
  const shown = Object.entries(input.customData ?? {}).filter(([id]) =>
    [...made.fields.values()].some((field) => String(field.id) === id && !field.spec.hidden && !field.spec.readonly),
  );
  await editCustomPost(
    await context.as(managerOf(context, made), at, tx),
    post.id,
    1,
    {
      title: `${input.title} (${context.random.pick(['2', 'v2', 'new', '更新', 'aggiornato'])})`,
      description: input.description as string,
      customData: Object.fromEntries(shown) as Record<string, never>,
    },
    nothing,
  );
}

async function comment(context: DemoContext, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = context;
  const texts = made.spec.texts;
  const who = participants(context, made, post);
  const count = random.chance(0.05) ? random.int(4, 8) : random.pick([0, 0, 0, 0, 1, 1, 2]);
  let at = post.at;
  const open: number[] = [];
  for (let index = 0; index < count; index++) {
    at = context.later(at, 30 * HOUR);
    const parent = open.length > 0 && random.chance(0.4) ? random.pick(open) : undefined;
    const mention = random.chance(0.2)
      ? named(context, index % 3 === 0 ? context.serviceAccount : random.pick(who))
      : undefined;
    const author = index % 9 === 4 ? context.serviceAccount : random.pick(who);
    const { comment: made_ } = await createPostComment(await context.as(author, at, tx), post.id, {
      comment: remark(random, parent === undefined ? texts.comments : texts.replies, mention),
      ...(parent !== undefined && { parentCommentId: parent }),
      ...(index % 2 === 0 && { clientUid: `demo-comment-${post.id}-${index}` }),
    });
    const id = made_.id as number;
    open.push(id);
    if (made.spec.liked && random.chance(0.15)) {
      await likeComment(
        await context.as(random.chance(0.3) ? context.serviceAccount : random.pick(who), at + 60_000, tx),
        id,
      );
    }
    if (random.chance(0.05)) {
      await deleteComment(await context.as(author, context.later(at, HOUR), tx), id);
      open.pop();
    }
  }
}

async function like(context: DemoContext, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = context;
  if (!made.spec.liked || !random.chance(0.2)) return;
  const fans = random.some(participants(context, made, post), random.int(1, 3));
  if (random.chance(0.25)) fans.push(context.serviceAccount);
  for (const [index, fan] of fans.entries()) {
    const at = context.later(post.at, 5 * DAY);
    await likePost(await context.as(fan, at, tx), post.id);
    if (index === 2 && random.chance(0.4))
      await unlikePost(await context.as(fan, context.later(at, HOUR), tx), post.id);
  }
}

async function answer(context: DemoContext, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = context;
  for (const guest of [...post.invitedIds.slice(0, 3), ...(random.chance(0.2) ? [context.serviceAccount] : [])]) {
    if (!random.chance(0.75)) continue;
    await editPostEventPartecipate(await context.as(guest, context.later(post.at, 3 * DAY), tx), post.id, {
      typeId: random.pick([1, 1, 1, 2, 3]),
      ...(random.chance(0.2) && {
        notes: random.pick(['Arrivo alle dieci.', 'I will join online.', '少し遅れます。']),
      }),
    });
  }
}

async function copy(context: DemoContext, post: MadePost, tx: TenantTx): Promise<void> {
  if (post.type !== PostType.CUSTOM || post.input.customData === undefined) return;
  const scope = await context.as(post.creatorId, context.later(post.at, 20 * DAY), tx);
  const [row] = await tx.query<{ version: number; deleted: boolean }>(
    'SELECT version, deleted_at IS NOT NULL AS deleted FROM posts WHERE tenant_id = $1 AND id = $2',
    [tx.tenantId, post.id],
  );
  if (!row || row.deleted) return;
  await copyCustomPost(
    scope,
    post.id,
    row.version,
    {
      title: `${post.input.title} (copy)`,
      description: post.input.description as string,
      announcement: false,
      ...copied(context, post),
    },
    nothing,
  );
}

/** Custom data that anybody may write. */
function copied(context: DemoContext, post: MadePost): { customData: Record<string, never> } {
  const made = [...context.communities.values()].find(({ fields }) =>
    [...fields.values()].some(({ id }) => Object.hasOwn(post.input.customData ?? {}, String(id))),
  );
  const closed = new Set(
    [...(made?.fields.values() ?? [])].flatMap(({ id, spec }) => (spec.hidden || spec.readonly ? [String(id)] : [])),
  );
  const data = Object.entries(post.input.customData ?? {}).filter(([id]) => !closed.has(id));
  return { customData: Object.fromEntries(data) as Record<string, never> };
}

/** Brings a post some way through its workflow. */
async function walk(
  context: DemoContext,
  made: MadeCommunity,
  post: MadePost,
  index: number,
  tx: TenantTx,
): Promise<void> {
  const { random } = context;
  const { spec, states } = made;
  const workflow = spec.workflow as NonNullable<typeof spec.workflow>;
  // By their number, not by the clock: the demo is the same whenever it is made.
  const recent = index >= 0.92 * (spec.posts.custom + spec.posts.event + spec.posts.survey);
  let current = workflow.states.find(({ initial }) => initial)?.key as string;
  let at = post.at;
  // The token of the screen is raised by every step.
  let token = 1;
  for (let steps = random.pick(recent ? [0, 0, 1] : [0, 0, 1, 1, 2, 3]); steps > 0; steps--) {
    const next = random.some(
      workflow.transitions.filter(({ from }) => from === current),
      1,
    )[0];
    if (!next) return;
    at = context.later(at, 6 * DAY);
    const actor = runner(context, made, post, next);
    await executeOperation(await context.as(actor, at, tx), post.id, made.transitions.get(next.key) as number, {
      ...(next.screen !== undefined && {
        screenOccToken: token,
        screenData: screenData(context, made, next.screen, at) as Record<string, never>,
      }),
    });
    token++;
    current = next.to;
    if (states.get(current) === undefined) return;
  }
  const state = workflow.states.find(({ key }) => key === current);
  if (state?.screen === undefined || !random.chance(0.12) || !state.editors.roles.includes('MANAGER')) return;
  await editScreenData(await context.as(managerOf(context, made), context.later(at, DAY), tx), post.id, token, {
    screenData: screenData(context, made, state.screen, at) as Record<string, never>,
  });
}

/** Returns a user to whom a transition is open. */
function runner(context: DemoContext, made: MadeCommunity, post: MadePost, { who }: TransitionSpec): number {
  if (who.roles.length > 0) return managerOf(context, made);
  if (who.groups.length > 0) return context.random.pick(context.inGroups(who.groups));
  return post.creatorId;
}

function screenData(context: DemoContext, made: MadeCommunity, screen: string, at: number): Record<string, unknown> {
  const wanted = made.spec.workflow?.screens.get(screen) ?? [];
  const fields = new Map<string, MadeField>();
  for (const { key, required } of wanted) {
    const field = made.screenFields.get(key);
    if (field) fields.set(key, { ...field, spec: { ...field.spec, required } });
  }
  return fieldValues(context, fields, {
    at,
    texts: made.spec.texts,
    filled: 0.8,
    trusted: false,
    community: made.spec.key,
  });
}
