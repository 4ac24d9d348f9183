/** What happens around posts once they are there: edits, comments, likes, answers, workflow. Each by who does it, when. */
import { PostType } from '@portico/contract';
import { createPostComment, deleteComment, likeComment, likePost, unlikePost } from '../modules/comments/index.ts';
import {
  copyCustomPost,
  deletePost,
  editCustomPost,
  editPostEventPartecipate,
} from '../modules/posts/writing/index.ts';
import { editScreenData, executeOperation } from '../modules/workflow/index.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import type { TransitionSpec } from './content-types.ts';
import { authorsOf, type MadePost, named, textsOf } from './posts.ts';
import { DAY, HOUR, type MadeCommunity, type MadeField, type Stage } from './stage.ts';
import { remark } from './texts.ts';
import { fieldValues } from './values.ts';

/** The verbs answer with what they made; nobody reads it here. */
const nothing = async () => undefined;

/** Lives through everything that happens to one post. */
export async function liveThrough(
  stage: Stage,
  made: MadeCommunity,
  post: MadePost,
  index: number,
  tx: TenantTx,
): Promise<void> {
  if (post.visible === 'draft') return;
  if (post.type !== PostType.EVENT && index % 11 === 5) await edit(stage, made, post, tx);
  await comment(stage, made, post, tx);
  await like(stage, made, post, tx);
  if (post.type === PostType.EVENT) await answer(stage, post, tx);
  if (made.spec.workflow && post.type === PostType.CUSTOM) await walk(stage, made, post, index, tx);
  if (index % 53 === 21) await copy(stage, post, tx);
  if (index % 37 === 30)
    await deletePost(await stage.as(managerOf(stage, made), stage.later(post.at, 60 * DAY), tx), post.id, {
      erasable: index % 2 === 0,
    });
}

function managerOf(stage: Stage, made: MadeCommunity): number {
  return stage.random.pick(stage.inGroups(made.spec.managers));
}

/** Who sees a post and may write in its community. */
export function participants(stage: Stage, made: MadeCommunity, post: MadePost): number[] {
  const authors = authorsOf(stage, made.spec);
  if (post.visible === 'public') return authors;
  const near = [...post.watcherIds, ...post.invitedIds].filter((userId) => authors.includes(userId));
  return [...new Set([...near, ...stage.inGroups(made.spec.managers)])];
}

async function edit(stage: Stage, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { input } = post;
  const at = stage.later(post.at, 12 * HOUR);
  const shown = Object.entries(input.customData ?? {}).filter(([id]) =>
    [...made.fields.values()].some((field) => String(field.id) === id && !field.spec.hidden && !field.spec.readonly),
  );
  await editCustomPost(
    await stage.as(managerOf(stage, made), at, tx),
    post.id,
    1,
    {
      title: `${input.title} (${stage.random.pick(['2', 'v2', 'new', '更新', 'aggiornato'])})`,
      description: input.description as string,
      customData: Object.fromEntries(shown) as Record<string, never>,
    },
    nothing,
  );
}

async function comment(stage: Stage, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = stage;
  const texts = textsOf(made.spec);
  const who = participants(stage, made, post);
  const count = random.chance(0.05) ? random.int(4, 8) : random.pick([0, 0, 0, 0, 1, 1, 2]);
  let at = post.at;
  const open: number[] = [];
  for (let index = 0; index < count; index++) {
    at = stage.later(at, 30 * HOUR);
    const parent = open.length > 0 && random.chance(0.4) ? random.pick(open) : undefined;
    const mention = random.chance(0.2)
      ? named(stage, index % 3 === 0 ? stage.serviceAccount : random.pick(who))
      : undefined;
    const author = index % 9 === 4 ? stage.serviceAccount : random.pick(who);
    const { comment: made_ } = await createPostComment(await stage.as(author, at, tx), post.id, {
      comment: remark(random, parent === undefined ? texts.comments : texts.replies, mention),
      ...(parent !== undefined && { parentCommentId: parent }),
      ...(index % 2 === 0 && { clientUid: `demo-comment-${post.id}-${index}` }),
    });
    const id = made_.id as number;
    open.push(id);
    if (made.spec.likeEnabled !== false && random.chance(0.15)) {
      await likeComment(
        await stage.as(random.chance(0.3) ? stage.serviceAccount : random.pick(who), at + 60_000, tx),
        id,
      );
    }
    if (random.chance(0.05)) {
      await deleteComment(await stage.as(author, stage.later(at, HOUR), tx), id);
      open.pop();
    }
  }
}

async function like(stage: Stage, made: MadeCommunity, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = stage;
  if (made.spec.likeEnabled === false || !random.chance(0.2)) return;
  const fans = random.some(participants(stage, made, post), random.int(1, 3));
  if (random.chance(0.25)) fans.push(stage.serviceAccount);
  for (const [index, fan] of fans.entries()) {
    const at = stage.later(post.at, 5 * DAY);
    await likePost(await stage.as(fan, at, tx), post.id);
    if (index === 2 && random.chance(0.4)) await unlikePost(await stage.as(fan, stage.later(at, HOUR), tx), post.id);
  }
}

async function answer(stage: Stage, post: MadePost, tx: TenantTx): Promise<void> {
  const { random } = stage;
  for (const guest of [...post.invitedIds.slice(0, 3), ...(random.chance(0.2) ? [stage.serviceAccount] : [])]) {
    if (!random.chance(0.75)) continue;
    await editPostEventPartecipate(await stage.as(guest, stage.later(post.at, 3 * DAY), tx), post.id, {
      typeId: random.pick([1, 1, 1, 2, 3]),
      ...(random.chance(0.2) && {
        notes: random.pick(['Arrivo alle dieci.', 'I will join online.', '少し遅れます。']),
      }),
    });
  }
}

async function copy(stage: Stage, post: MadePost, tx: TenantTx): Promise<void> {
  if (post.type !== PostType.CUSTOM || post.input.customData === undefined) return;
  const scope = await stage.as(post.creatorId, stage.later(post.at, 20 * DAY), tx);
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
      ...copied(stage, post),
    },
    nothing,
  );
}

/** Custom data that anybody may write. */
function copied(stage: Stage, post: MadePost): { customData: Record<string, never> } {
  const made = [...stage.communities.values()].find(({ fields }) =>
    [...fields.values()].some(({ id }) => Object.hasOwn(post.input.customData ?? {}, String(id))),
  );
  const closed = new Set(
    [...(made?.fields.values() ?? [])].flatMap(({ id, spec }) => (spec.hidden || spec.readonly ? [String(id)] : [])),
  );
  const data = Object.entries(post.input.customData ?? {}).filter(([id]) => !closed.has(id));
  return { customData: Object.fromEntries(data) as Record<string, never> };
}

/** Brings a post some way through its workflow. */
async function walk(stage: Stage, made: MadeCommunity, post: MadePost, index: number, tx: TenantTx): Promise<void> {
  const { random } = stage;
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
    at = stage.later(at, 6 * DAY);
    const actor = runner(stage, made, post, next);
    await executeOperation(await stage.as(actor, at, tx), post.id, made.transitions.get(next.key) as number, {
      ...(next.screen !== undefined && {
        screenOccToken: token,
        screenData: screenData(stage, made, next.screen, at) as Record<string, never>,
      }),
    });
    token++;
    current = next.to;
    if (states.get(current) === undefined) return;
  }
  const state = workflow.states.find(({ key }) => key === current);
  if (state?.screen === undefined || !random.chance(0.12) || !state.editors?.roles?.includes(1)) return;
  await editScreenData(await stage.as(managerOf(stage, made), stage.later(at, DAY), tx), post.id, token, {
    screenData: screenData(stage, made, state.screen, at) as Record<string, never>,
  });
}

/** Somebody to whom a transition is open. */
function runner(stage: Stage, made: MadeCommunity, post: MadePost, { who }: TransitionSpec): number {
  if (who.roles !== undefined && who.roles.length > 0) return managerOf(stage, made);
  if (who.groups !== undefined) return stage.random.pick(stage.inGroups(who.groups));
  return post.creatorId;
}

function screenData(stage: Stage, made: MadeCommunity, screen: string, at: number): Record<string, unknown> {
  const wanted = made.spec.workflow?.screens.find(({ key }) => key === screen)?.fields ?? [];
  const fields = new Map<string, MadeField>();
  for (const { key, required } of wanted) {
    const field = made.screenFields.get(key);
    if (field) fields.set(key, { ...field, spec: { ...field.spec, required: required ?? false } });
  }
  return fieldValues(stage, fields, {
    at,
    texts: textsOf(made.spec),
    filled: 0.8,
    trusted: false,
    community: made.spec.key,
  });
}
