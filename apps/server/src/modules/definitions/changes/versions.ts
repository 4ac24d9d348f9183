/** Operations listDefinitionVersions, getDefinitionVersion and restoreDefinitionVersion. */
import { isDeepStrictEqual } from 'node:util';
import type {
  DefinitionPart,
  DefinitionPartChange,
  GetDefinitionVersionResponse,
  ListDefinitionVersionsResponse,
  RestoreDefinitionVersionRequest,
  RestoreDefinitionVersionResponse,
} from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type Choice,
  type CommunityDefinition,
  changeDefinitions,
  collectsLosses,
  communitiesOf,
  countValues,
  type FieldDefinition,
  heldInStates,
  type Loss,
  listVersions,
  loadDefinition,
  noteLoss,
  type PostWork,
  putBack,
  type Row,
  readConditions,
  readSuccessions,
  readVersion,
  refuseTooManyValues,
  rehearse,
  requireCommunityEditor,
  requireDefinitionRight,
  type StateMove,
  type StoredDefinition,
  startChanges,
  type WorkflowState,
} from '../../communities/index.ts';
import { countHeld, fewPosts, openDefinition } from './open-definition.ts';
import { workOnPosts } from './work-on-posts.ts';

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function listDefinitionVersions(
  scope: Scope,
  communityId: number,
): Promise<ListDefinitionVersionsResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const versions = await listVersions(scope.db, communityId);
  if (versions.length === 0) throw notFound();
  return { versions: versions.map((version, index) => ({ ...version, present: index === 0 })) };
}

/** @throws PorticoError NOT_FOUND for a version that is not stored, FORBIDDEN */
export async function getDefinitionVersion(
  scope: Scope,
  communityId: number,
  version: number,
): Promise<GetDefinitionVersionResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const versions = await listVersions(scope.db, communityId);
  const index = versions.findIndex((one) => one.version === version);
  const definition = index < 0 ? undefined : await readVersion(scope.db, communityId, version);
  if (!definition) throw notFound();
  const before = versions[index + 1];
  const former = before && (await readVersion(scope.db, communityId, before.version));
  return {
    ...versions[index]!,
    parts: partsOf(definition).map(told),
    changes: former ? differences(former, definition) : [],
  };
}

interface Part {
  readonly kind: NonNullable<DefinitionPart['kind']>;
  readonly id: number;
  readonly name: string;
  readonly row: Row;
}

/** Returns a part in the form of responses. */
const told = ({ kind, id, name }: Part) => ({ kind, name, id });

/** Returns the parts of a definition that people see. */
function partsOf(definition: StoredDefinition): Part[] {
  const used = (rows: readonly Row[]) => rows.filter(({ deleted }) => deleted !== true);
  const of = (kind: Part['kind'], rows: readonly Row[], name: string) =>
    used(rows).map((row): Part => ({ kind, id: row['id'] as number, name: String(row[name]), row }));
  const screens = definition.screens.map((screen) => ({
    ...screen,
    fields: definition.screenFields.filter((field) => field['screen_id'] === screen['id']),
  }));
  return [
    ...of('field', definition.fields, 'label'),
    ...of('value', definition.values, 'label'),
    ...of('state', definition.states, 'name'),
    ...of('transition', definition.transitions, 'name'),
    ...of('screen', screens, 'name'),
  ];
}

/** Columns that are not shown to people. */
const SILENT = new Set(['label_key', 'position', 'workflow_id', 'community_id', 'field_id']);

function differences(before: StoredDefinition, after: StoredDefinition): DefinitionPartChange[] {
  const key = ({ kind, id }: Part) => `${kind} ${id}`;
  const former = new Map(partsOf(before).map((part) => [key(part), part]));
  const present = partsOf(after);
  const changes: DefinitionPartChange[] = [];
  for (const name of Object.keys(after.community))
    if (!isDeepStrictEqual(after.community[name], before.community[name]))
      changes.push({ kind: 'setting', name, change: 'changed', properties: [name] });
  for (const part of present) {
    const old = former.get(key(part));
    former.delete(key(part));
    if (!old) changes.push({ ...told(part), change: 'added', properties: [] });
    else {
      const names = Object.keys(part.row).filter(
        (name) => !SILENT.has(name) && !isDeepStrictEqual(part.row[name], old.row[name]),
      );
      if (names.length > 0) changes.push({ ...told(part), change: 'changed', properties: names });
    }
  }
  for (const part of former.values()) changes.push({ ...told(part), change: 'removed', properties: [] });
  return changes;
}

/**
 * Restores the definition of a version.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN, CONFLICT; ValidationError
 * MAPPING_REQUIRED where posts hold values of fields, or are in states, that the version does not
 * have; where the fields would have too many values together
 * @param treatments treatment of the values of single fields, by id; default: that of the form
 */
export async function restoreDefinitionVersion(
  scope: Scope,
  communityId: number,
  version: number,
  form: RestoreDefinitionVersionRequest,
  treatments?: ReadonlyMap<number, Choice>,
): Promise<RestoreDefinitionVersionResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const definition = await readVersion(write.tx, communityId, version);
    if (!definition) throw notFound();
    const open = await openDefinition(write, communityId, form.occToken);
    const { workflow, fields } = open.definition;
    const sharing = await sharingOf(write, communityId, workflow?.id ?? null);
    requireDefinitionRight(write.actor, sharing);
    const present = [...fields, ...(workflow?.fields ?? [])];
    const back = comingBack(
      definition,
      present,
      await readSuccessions(write, { id: communityId, workflowId: workflow?.id ?? null }),
    );
    const left = leftOut(definition, open.definition, back);
    const moves = readStateMoves(definition, open.definition, form);
    const treatmentOf = (fieldId: number) => treatments?.get(fieldId) ?? form.onExisting;
    await noteLeftOut(write, { ...left, communityIds: sharing, communityId, treatmentOf }, form);
    const work: PostWork[] = [
      ...[...back].map(([fromId, toId]) => ({ do: 'copyValues' as const, fromId, toId, back: true })),
      ...indexing(definition, present),
      ...left.fields.flatMap(({ id }) =>
        treatmentOf(id) === 'clear' ? { do: 'clearField' as const, fieldId: id } : [],
      ),
    ];
    const posts = await fewPosts(write, sharing);
    // The states of the version exist only after the definition has changed.
    const follow = async () => {
      if (moves.length === 0) return;
      const moving: PostWork[] = [{ do: 'moveStates', moves }, { do: 'announce' }];
      if (posts) await workOnPosts(write, moving, posts);
      else await startChanges(write, sharing, 'restoreVersion', { work: moving });
    };
    if (work.length === 0 || posts || write.rehearsal) {
      await workOnPosts(write, work, posts ?? []);
      await bringBack(write, communityId, version);
      await follow();
      return { nextOccToken: open.etag + 1 };
    }
    if (moves.length > 0)
      throw invalid(
        'stateMapping',
        'INVALID_VALUE',
        'Posts are so many that the fields of the version come back in the background: restore it with keep, then map the states by an edit of the workflow.',
      );
    await rehearse(write, () => bringBack(write, communityId, version));
    const details = { work, finish: { do: 'restoreVersion', version } } as const;
    const [changeId] = await startChanges(write, [communityId], 'restoreVersion', details);
    return { changeId: changeId!, nextOccToken: open.etag };
  });
}

async function sharingOf(write: WriteScope, communityId: number, workflowId: number | null): Promise<number[]> {
  return workflowId === null ? [communityId] : communitiesOf(write, { workflowId });
}

/**
 * Restores the rows of a version; search texts follow in the background.
 * @throws ValidationError where the fields would have too many values together
 */
export async function bringBack(write: WriteScope, communityId: number, version: number): Promise<void> {
  const definition = await readVersion(write.tx, communityId, version);
  const present = await loadDefinition(write.tx, communityId);
  if (!definition || !present) throw notFound();
  const workflowId = present.workflow?.id ?? null;
  const sharing = await sharingOf(write, communityId, workflowId);
  await changeDefinitions(write, sharing, async () => {
    const owner = workflowId === null ? { communityId } : { workflowId };
    const values = await countValues(write.tx, owner);
    await putBack(write, { id: communityId, workflowId }, definition);
    // Restored fields also bring back values that were added after the version.
    await refuseTooManyValues(write.tx, owner, 'version', 0, values);
    for (const kind of ['refreshTexts', 'announce'] as const)
      await startChanges(write, sharing, kind, { work: [{ do: kind }] });
  });
}

/** Fields and states in use that a version does not have. */
interface LeftOut {
  readonly fields: readonly FieldDefinition[];
  readonly states: readonly WorkflowState[];
}

const idsInUse = (rows: readonly Row[]) =>
  new Set(rows.filter(({ deleted }) => deleted !== true).map(({ id }) => id as number));

/** @param back fields whose values return to a field of the version */
function leftOut(
  version: StoredDefinition,
  { fields, workflow }: CommunityDefinition,
  back: ReadonlyMap<number, number>,
): LeftOut {
  const [kept, states] = [idsInUse(version.fields), idsInUse(version.states)];
  return {
    fields: [...fields, ...(workflow?.fields ?? [])].filter(({ id }) => !kept.has(id) && !back.has(id)),
    states: workflow?.states.filter(({ id, deleted }) => !deleted && !states.has(id)) ?? [],
  };
}

/** Notes the data in fields and states that the version does not have. */
async function noteLeftOut(
  write: WriteScope,
  {
    fields,
    states,
    communityIds,
    communityId,
    treatmentOf,
  }: LeftOut & {
    readonly communityIds: readonly number[];
    readonly communityId: number;
    readonly treatmentOf: (fieldId: number) => Choice | undefined;
  },
  { onExisting, stateMapping = [] }: RestoreDefinitionVersionRequest,
): Promise<void> {
  if (onExisting && !collectsLosses(write)) return;
  const mapped = new Set(stateMapping.map(({ fromStateId }) => fromStateId));
  const found: Loss[] = [];
  for (const field of fields)
    found.push({
      kind: 'field',
      id: field.id,
      held: await countHeld(write, field, communityIds),
      what: `Posts that hold a value of "${field.label}", which the version does not have`,
      choices: ['keep', 'clear'],
      chosen: treatmentOf(field.id),
      ofField: { ...field, communityId },
    });
  for (const { id, name } of states)
    found.push({
      kind: 'state',
      id,
      held: await heldInStates(write.tx, communityIds, [id]),
      what: `Posts in the state "${name}", which the version does not have`,
      choices: ['keep', 'map'],
      chosen: mapped.has(id) ? 'map' : onExisting && 'keep',
      mapping: 'map with stateMapping',
    });
  for (const loss of found) if (loss.held.posts > 0) await noteLoss(write, loss);
}

/**
 * Returns the moves of posts to states of the version.
 * @throws ValidationError for states that do not exist
 */
function readStateMoves(
  version: StoredDefinition,
  { workflow, fieldById }: CommunityDefinition,
  { stateMapping = [] }: RestoreDefinitionVersionRequest,
): StateMove[] {
  const errors = new FieldErrors();
  const states = new Map(
    version.states.filter(({ deleted }) => deleted !== true).map(({ id, name }) => [String(name), id as number]),
  );
  const fields = new Map([...(workflow?.fieldById ?? []), ...fieldById]);
  const moves = stateMapping.map(({ fromStateId, to, conditions }, index): StateMove => {
    const at = `stateMapping[${index}]`;
    if (fromStateId === undefined) errors.add(`${at}.fromStateId`, 'REQUIRED_FIELD');
    else if (!workflow?.stateById.has(fromStateId)) errors.add(`${at}.fromStateId`, 'UNKNOWN_REFERENCE');
    const state = states.get(to?.trim() ?? '');
    if (!to?.trim()) errors.add(`${at}.to`, 'REQUIRED_FIELD');
    else if (state === undefined)
      errors.add(`${at}.to`, 'UNKNOWN_REFERENCE', unknownName('The version', 'state', to.trim(), [...states.keys()]));
    return {
      from: fromStateId ?? 0,
      to: state ?? 0,
      conditions: readConditions(`${at}.conditions`, conditions ?? [], fields, errors),
    };
  });
  errors.throwIfAny();
  return moves;
}

/** Returns fields of the version that come back, by the present fields that have replaced them. */
function comingBack(
  definition: StoredDefinition,
  present: readonly FieldDefinition[],
  formerOf: ReadonlyMap<number, number>,
): Map<number, number> {
  const wanted = new Set(definition.fields.map(({ id }) => id as number));
  const pairs = new Map<number, number>();
  for (const { id } of present) {
    let former = wanted.has(id) ? undefined : formerOf.get(id);
    while (former !== undefined && !wanted.has(former)) former = formerOf.get(former);
    if (former !== undefined) pairs.set(id, former);
  }
  return pairs;
}

/**
 * Returns the work that writes rows for fields that come back, or that become searchable or
 * sortable again.
 */
function indexing(definition: StoredDefinition, present: readonly FieldDefinition[]): PostWork[] {
  const byId = new Map(present.map((field) => [field.id, field]));
  return definition.fields.flatMap((row): PostWork[] => {
    const [id, searchable, sortable] = [row['id'] as number, row['searchable'] === true, row['sortable'] === true];
    const now = byId.get(id);
    const complete = now && (now.searchable || !searchable) && (now.sortable || !sortable);
    return complete ? [] : [{ do: 'indexField', fieldId: id, searchable, sortable }];
  });
}
