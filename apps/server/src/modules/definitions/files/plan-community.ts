/**
 * Exports the file of a community, plans a change of it and applies one (operations exportCommunity,
 * planCommunity, applyCommunity). A plan makes the change and undoes it, so that plan and
 * application have one validation.
 */
import {
  type ApplyCommunityRequest,
  type ApplyCommunityResponse,
  type CommunityFile,
  type CommunityFinding,
  type CommunityPlanChange,
  type CommunityPlanFinding,
  type CommunityPlanLoss,
  listLimits,
  type PlanCommunityRequest,
  type PlanCommunityResponse,
  planLimits,
} from '@portico/contract';
import { joining, rehearseWrites, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { AccessWatch, compareAccess } from '../../../kernel/dry-run/index.ts';
import { notFound, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type CollectedLoss,
  collectLosses,
  getWholeDefinition,
  loadDefinition,
  lossError,
  readCommunityHead,
  requireCommunityEditor,
} from '../../communities/index.ts';
import { findingsOf } from '../check/check-community.ts';
import { deleteDraftRow } from '../drafts/drafts.repository.ts';
import { describe } from './describe-community.ts';
import type { Present } from './file-types.ts';
import { FILE_VERSION } from './normalise-file.ts';
import { type PreparedChange, prepareChange } from './prepare-change.ts';
import { quoting } from './quote-words.ts';

/**
 * Location of the JSON Schema for editors: next to the file, where `portico api communities schema`
 * writes it.
 */
const SCHEMA = './community.schema.json';

/**
 * Returns the file of a community.
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit the community;
 * FORBIDDEN; CONFLICT where a catalog is too large for a file
 */
export async function exportCommunity(scope: Scope, communityId: number): Promise<CommunityFile> {
  requireCommunityEditor(scope.actor, communityId);
  const definition = await getWholeDefinition(scope, communityId);
  if (!definition) throw notFound();
  const { file } = await describe(scope.db, { definition, settings: scope.settings, actor: scope.actor });
  return { $schema: SCHEMA, version: FILE_VERSION, ...file };
}

/**
 * Returns the effects of a change: applies it in a transaction that is undone.
 * @throws as {@link applyCommunity}, but for losses without a treatment, which the plan lists
 */
export function planCommunity(scope: Scope, request: PlanCommunityRequest): Promise<PlanCommunityResponse> {
  return quoting(request, () => rehearsed(scope, request));
}

function rehearsed(scope: Scope, request: PlanCommunityRequest): Promise<PlanCommunityResponse> {
  return rehearseWrites(scope, async (write) => {
    const watch = new AccessWatch(write.tx);
    const watched = { ...write, tx: write.tx.recordedIn(watch) };
    const change = await prepareChange(watched, request);
    const { present, planToken } = change;
    const before = await findings(write, present.community?.id);
    await write.tx.query('SAVEPOINT planned');
    const { communityId, losses, changes } = await carryOut(watched, change);
    const after = await findings(watched, communityId, losses);
    const rightsAfter = watch.touched ? await watch.read(write.tx) : undefined;
    await write.tx.query('ROLLBACK TO SAVEPOINT planned');
    const rightsBefore = rightsAfter && (await watch.read(write.tx));
    const told = newFirst(before, after);
    return {
      ...(present.community && { communityId: present.community.id }),
      changes: withCounts(changes, losses, present).slice(0, listLimits.items),
      changesCount: changes.length,
      ...tellLosses(losses, present),
      findings: told.slice(0, planLimits.listed),
      findingsCount: told.length,
      accessChanges: await compareAccess(write.tx, write.actor, rightsBefore, rightsAfter),
      planToken,
    };
  });
}

/**
 * Applies a change, in one transaction.
 * @throws PorticoError FORBIDDEN; NOT_FOUND; CONFLICT where the plan no longer matches the present
 * state; ValidationError, with MAPPING_REQUIRED for losses without a treatment
 */
export async function applyCommunity(scope: Scope, request: ApplyCommunityRequest): Promise<ApplyCommunityResponse> {
  return quoting(request, () => applied(scope, request));
}

function applied(scope: Scope, request: ApplyCommunityRequest): Promise<ApplyCommunityResponse> {
  return writeTransaction(scope, 'both', async (write) => {
    const change = await prepareChange(write, request);
    if (request.planToken !== undefined && request.planToken !== change.planToken) {
      throw new PorticoError('CONFLICT', {
        message:
          'This is not the plan of the file as things are now: make the plan again, and look at what has changed.',
      });
    }
    const { communityId, losses, changes } = await carryOut(write, change);
    const open = losses.filter(({ chosen }) => chosen === undefined);
    if (open.length > 0) throw new ValidationError(open.map((loss) => lossError({ ...loss, ...inRequest(loss) })));
    if (change.isDraft) await deleteDraftRow(write, communityId);
    const head = await readCommunityHead(write.tx, communityId);
    return {
      communityId,
      changesCount: changes.length,
      ...tellLosses(losses, change.present),
      ...(head && { nextOccToken: head.etag }),
    };
  });
}

/** Makes a change, and collects the data that have no place after it. */
async function carryOut(write: WriteScope, change: PreparedChange) {
  const losses = collectLosses(write.tx);
  const communityId = await change.carryOut();
  return { communityId, losses, changes: await change.changes() };
}

/** Members of the request that miss the treatment of a loss. */
const inRequest = ({ kind }: CollectedLoss) => ({
  field: kind === 'state' ? 'file.workflow.states' : 'fieldChanges',
  mapping: 'map',
});

/** @param moved losses, whose posts leave their states */
async function findings(
  write: WriteScope,
  communityId: number | undefined,
  losses: readonly CollectedLoss[] = [],
): Promise<CommunityFinding[]> {
  const definition = communityId === undefined ? undefined : await loadDefinition(write.tx, communityId);
  if (!definition) return [];
  const found = await findingsOf(joining(write), definition);
  const emptied = new Set(losses.flatMap(({ kind, id, chosen }) => (kind === 'state' && chosen === 'map' ? id! : [])));
  return found.filter(({ kind, stateId }) => kind !== 'POSTS_IN_UNUSED_STATE' || !emptied.has(stateId!));
}

/** Returns the findings of a plan, the new ones first. */
function newFirst(before: readonly CommunityFinding[], after: readonly CommunityFinding[]): CommunityPlanFinding[] {
  const keyOf = ({ kind, stateId, transitionId, screenId, fieldId }: CommunityFinding) =>
    [kind, stateId, transitionId, screenId, fieldId].join(' ');
  const known = new Set(before.map(keyOf));
  const told = after.map((finding): CommunityPlanFinding => {
    const { stateId: _s, transitionId: _t, screenId: _c, fieldId: _f, ...words } = finding;
    return { ...words, new: !known.has(keyOf(finding)) };
  });
  return [...told.filter((one) => one.new), ...told.filter((one) => !one.new)];
}

/** Key of the object of a loss: one member. */
type LossKey = Pick<CommunityPlanLoss, 'state' | 'field' | 'screenField'>;

/** Returns the key of the object of a loss in the present definition. */
function keyOfLoss({ kind, id }: CollectedLoss, { ids, renamed }: Present): LossKey {
  const former = (keys: ReadonlyMap<string, string> | undefined, key: string) =>
    [...(keys ?? [])].find(([, to]) => to === key)?.[0] ?? key;
  const ofField = (fields: Present['ids']['fields']) => [...fields].find(([, field]) => field.id === id)?.[0];
  if (kind === 'state') {
    const key = [...ids.states].find(([, state]) => state === id)?.[0];
    return key === undefined ? {} : { state: former(renamed?.state, key) };
  }
  const field = ofField(ids.fields);
  if (field !== undefined) return { field };
  const screenField = ofField(ids.screenFields);
  return screenField === undefined ? {} : { screenField };
}

function tellLosses(losses: readonly CollectedLoss[], present: Present) {
  const told = losses.slice(0, planLimits.listed).map((loss): CommunityPlanLoss => {
    const { kind, held, examples, choices, chosen } = loss;
    return {
      kind,
      ...keyOfLoss(loss, present),
      postsCount: held.posts,
      valuesCount: held.values,
      examples: examples.map(({ id, title }) => ({ postId: id, ...(title !== null && { title }) })),
      choices: [...choices],
      ...(chosen && { chosen }),
      text: lossError({ ...loss, ...inRequest(loss) }).defaultMessage!,
    };
  });
  return { losses: told, lossesCount: losses.length };
}

/** Adds the number of affected posts to the changes. */
function withCounts(
  changes: readonly CommunityPlanChange[],
  losses: readonly CollectedLoss[],
  present: Present,
): CommunityPlanChange[] {
  const counts = new Map(
    losses.map((loss) => {
      const [name] = Object.entries(keyOfLoss(loss, present));
      return [name?.join(' '), loss.kind === 'values' ? loss.held.values : loss.held.posts] as const;
    }),
  );
  return changes.map((change) => {
    const postsCount = change.action === 'create' ? undefined : counts.get(`${change.kind} ${change.key}`);
    return postsCount ? { ...change, postsCount } : change;
  });
}
