/** Creates what posts need: workspace, community, people, fields, values, states, hashtags. */
import { oneLine, RoleId } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import { createCatalogEntries, type EnsuredCatalog, ensureCatalog, textIn } from '../catalogs/index.ts';
import {
  addEnumValues,
  attachWorkflow,
  type CommunityDefinition,
  createWorkflow,
  ensureCommunity,
  ensureField,
  ensureHashtags,
  ensureState,
  ensureTransition,
  getWholeDefinition,
  type NewField,
  setCommunityRoles,
} from '../communities/index.ts';
import { isChoice } from '../fields/index.ts';
import { ensureUsers, findDeletedUsers, findUsers } from '../people/index.ts';
import { ensureWorkspace } from '../workspaces/index.ts';
import { communityDifferences, fieldDifferences, workflowDifferences } from './differences.ts';
import { findGroups } from './groups.ts';
import { type MadeKind, noteMade } from './made.repository.ts';
import type { CommunityMapping, FieldMapping, Mapping, StateMapping } from './mapping-types.ts';
import { type Made, shortened } from './report.ts';
import { runInBatches } from './run-in-batches.ts';
import type { Survey, WantedLabel } from './scan.ts';
import { labelKey } from './scan.ts';
import { composed } from './values.ts';

/** Ids by the names in rows. A name without an id cannot be used; `unusable` holds the reason. */
export interface PortalIds {
  readonly communityId: number;
  /** By person key. */
  readonly people: Map<string, number>;
  /** By key of the group: its id, or the reason why it cannot be named. */
  readonly groups: Map<string, number | string>;
  /** By key of the field. */
  readonly fieldIds: Map<string, number>;
  /** By key of the field, then by key of the label. */
  readonly labels: Map<string, Map<string, number>>;
  readonly states: Map<string, number>;
  /** Reasons by kind (`person`, `state`, or the key of a field) and key, put together by {@link unusableKey}. */
  readonly unusable: Map<string, string>;
}

/** Import whose file was read once, and whose community exists. */
export interface Prepared {
  readonly scope: Scope;
  readonly mapping: Mapping;
  readonly survey: Survey;
  readonly portalIds: PortalIds;
  /** Id of an import over the API: an undo removes the objects that it creates. */
  readonly importId?: number | undefined;
}

export const unusableKey = (kind: string, key: string) => `${kind}\0${key}`;

const PEOPLE_AT_ONCE = 150;
const LABELS_AT_ONCE = 400;

/** Community by its name; missing parts are created. */
interface NamedTarget {
  readonly workspace: string;
  readonly community: string;
  /** Ids of accounts that become managers; default: the tenant's first administrator. */
  readonly managerIds?: readonly number[] | undefined;
}

/** Existing community, as its actor sees it. */
interface PresentTarget {
  readonly definition: CommunityDefinition;
  /** Whether missing people are created; otherwise their rows are refused. */
  readonly makesPeople: boolean;
}

/** Target of the rows. */
export type ImportTarget = NamedTarget | PresentTarget;

/**
 * @param scope of the importing user, who becomes a manager if the community is named and not given
 * @param notes gets a sentence for each difference between the mapping and an existing definition
 * @throws ImportError, ValidationError if the mapping contradicts existing objects
 */
export async function prepare(
  scope: Scope,
  mapping: Mapping,
  survey: Survey,
  target: ImportTarget,
  notes: Set<string>,
  importId?: number,
): Promise<PortalIds> {
  const there = 'definition' in target;
  const communityId = there ? target.definition.id : await makeCommunity(scope, mapping.community, target);
  const portalIds: PortalIds = {
    communityId,
    people: new Map(),
    groups: new Map(),
    fieldIds: new Map(),
    labels: new Map(mapping.fields.map((field) => [field.key, new Map()])),
    states: new Map(),
    unusable: new Map(),
  };
  const prepared: Prepared = { scope, mapping, survey, portalIds, importId };
  await preparePeople(prepared, !there || target.makesPeople);
  for (const [key, id] of await findGroups(scope, survey.groups)) portalIds.groups.set(key, id);
  if (there) await giveAuthorRoles(prepared);
  else await prepareRoles(prepared, target.managerIds);
  const definition = await writeTransaction(scope, 'none', (write) => getWholeDefinition(write, communityId));
  if (!definition) throw new Error(`community ${communityId} was made and is not there`);
  for (const note of communityDifferences(mapping, definition)) notes.add(note);
  if (mapping.workflow) {
    if (definition.workflow) for (const note of workflowDifferences(mapping, definition.workflow)) notes.add(note);
    await prepareWorkflow(prepared, definition);
  }
  const catalogIds = new Map<string, number>();
  for (const field of mapping.fields) {
    await prepareField(prepared, field, catalogIds, definition);
    const present = definition.fieldById.get(portalIds.fieldIds.get(field.key)!);
    if (!present || field.known) continue;
    const wanted = definitionOf(field, portalIds, catalogIds.get(field.key));
    for (const note of fieldDifferences(wanted, present)) notes.add(note);
  }
  await runInBatches(
    [...survey.hashtags.values()],
    LABELS_AT_ONCE,
    async (batch) => void (await ensureHashtags(scope, communityId, batch)),
    (name, reason) => portalIds.unusable.set(unusableKey('hashtag', name), reason),
  );
  return portalIds;
}

async function makeCommunity(scope: Scope, mapping: CommunityMapping, target: NamedTarget): Promise<number> {
  const workspaceId = await ensureWorkspace(scope, { name: target.workspace });
  return ensureCommunity(scope, {
    workspaceId,
    name: target.community,
    description: mapping.description,
    colorCode: mapping.color,
    externalId: mapping.externalId,
    defaultVisibility: mapping.defaultVisibility,
    titleEnabled: mapping.title,
    descriptionEnabled: mapping.body,
    eventsEnabled: mapping.events,
  });
}

/** @param makes whether missing people are created */
async function preparePeople(prepared: Prepared, makes: boolean): Promise<void> {
  const { scope, survey, portalIds, importId } = prepared;
  await prepareDeleted(prepared);
  await runInBatches(
    [...survey.people].filter(([, { deleted }]) => !deleted),
    PEOPLE_AT_ONCE,
    async (batch) => {
      const people = batch.map(([, { name, email }]) => ({ name, ...(email && { contactEmail: email }) }));
      const ids = await writeTransaction(scope, 'none', async (write) => {
        const known = await findUsers(write, people);
        if (!makes || known.every((id) => id !== undefined)) return known;
        const ensured = await ensureUsers(write, people);
        const made = ensured.filter((_, index) => known[index] === undefined);
        await noteMade(write.tx, importId, 'person', made);
        return ensured;
      });
      for (const [index, [key]] of batch.entries()) {
        const id = ids[index];
        if (id === undefined) portalIds.unusable.set(unusableKey('person', key), 'no user has this name or address');
        else portalIds.people.set(key, id);
      }
    },
    ([key], reason) => portalIds.unusable.set(unusableKey('person', key), reason),
  );
}

/** Finds the people whom the file marks as deleted. Creates none of them. */
async function prepareDeleted({ scope, survey, portalIds }: Prepared): Promise<void> {
  const marked = [...survey.people].filter(([, { deleted }]) => deleted);
  if (marked.length === 0) return;
  const names = marked.map(([, { name }]) => name);
  const found = await findDeletedUsers(scope.joined ?? scope.db, names);
  for (const [index, [key, { name }]] of marked.entries()) {
    const ids = found[index]!;
    if (ids.length === 1) portalIds.people.set(key, ids[0]!);
    else {
      const many = ids.length === 0 ? 'no deleted person is' : `${ids.length} deleted people are`;
      const reason = `${many} called "${shortened(name)}"; name a person who is there, or leave it out, by "map"`;
      portalIds.unusable.set(unusableKey('person', key), reason);
    }
  }
}

/**
 * Makes the import itself and the named accounts managers of the community; gives writers without a
 * role theirs.
 * @param named ids; if omitted, the first administrator becomes a manager, but only with the first
 * import into a community or if it has no manager: later imports do not restore a removed role
 */
async function prepareRoles(prepared: Prepared, named: readonly number[] | undefined): Promise<void> {
  const { scope, mapping } = prepared;
  const present = await presentRoles(prepared);
  const wanted = authorRoles(prepared, present);
  const managerIds = await writeTransaction(scope, 'none', (write) =>
    ensureUsers(
      write,
      mapping.community.managers.map((email) => ({ name: email.slice(0, email.indexOf('@')), contactEmail: email })),
    ),
  );
  managerIds.push(...(named ?? []));
  const managed = [...present].some(([principal, role]) => role === RoleId.MANAGER && principal !== scope.actor.userId);
  if (named === undefined && !(managed && present.has(scope.actor.userId))) {
    managerIds.push(...(await firstAdministrator(scope)));
  }
  for (const id of [...managerIds, scope.actor.userId])
    if (present.get(id) !== RoleId.MANAGER) wanted.set(id, RoleId.MANAGER);
  await giveRoles(prepared, wanted);
}

async function giveRoles({ scope, portalIds }: Prepared, wanted: ReadonlyMap<number, CommunityRole>): Promise<void> {
  const roles = [...wanted].map(([principal, role]) => ({ principal, role }));
  if (roles.length > 0) await setCommunityRoles(scope, portalIds.communityId, roles);
}

/** Roles that people and groups have in the community themselves, by principal. */
async function presentRoles({ scope, portalIds }: Prepared): Promise<Map<number, CommunityRole>> {
  const db = scope.joined ?? scope.db;
  const rows = await db.query<{ principal: number; role: CommunityRole }>(
    'SELECT principal, role_id AS role FROM community_roles WHERE tenant_id = $1 AND community_id = $2',
    [db.tenantId, portalIds.communityId],
  );
  return new Map(rows.map(({ principal, role }) => [principal, role]));
}

/** Returns the roles of writers who have none. */
function authorRoles(
  { mapping, survey, portalIds }: Prepared,
  present: ReadonlyMap<number, CommunityRole>,
): Map<number, CommunityRole> {
  const { authorRole = RoleId.CONTRIBUTOR } = mapping.community;
  const wanted = new Map<number, CommunityRole>();
  if (authorRole === null) return wanted;
  for (const key of survey.authors) {
    const id = portalIds.people.get(key);
    if (id !== undefined && !present.has(id)) wanted.set(id, authorRole);
  }
  return wanted;
}

/** Gives writers of a community that was there already a role in it, unless they have one. */
async function giveAuthorRoles(prepared: Prepared): Promise<void> {
  if (prepared.survey.authors.size > 0) await giveRoles(prepared, authorRoles(prepared, await presentRoles(prepared)));
}

/** Returns the holder of both administrative rights with the lowest id, if any. */
async function firstAdministrator(scope: Scope): Promise<number[]> {
  const db = scope.joined ?? scope.db;
  const rows = await db.query<{ id: number }>(
    `SELECT id FROM users
      WHERE tenant_id = $1 AND manages_users AND manages_workplace AND NOT system_account AND NOT service_account
        AND NOT blocked AND deleted_at IS NULL
      ORDER BY id LIMIT 1`,
    [db.tenantId],
  );
  return rows.map(({ id }) => id);
}

async function prepareWorkflow(prepared: Prepared, definition: CommunityDefinition): Promise<void> {
  const { scope, mapping, survey, portalIds } = prepared;
  const workflow = mapping.workflow!;
  const listed = new Map(workflow.states.map((state) => [state.name, state]));
  const found = [...survey.states].filter((name) => !listed.has(name));
  const states: StateMapping[] = [
    ...workflow.states,
    ...(workflow.addStates ? found.map((name) => ({ name, initial: false, terminal: false })) : []),
  ];
  if (definition.workflow) {
    for (const state of definition.workflow.states)
      if (!state.deleted) portalIds.states.set(composed(oneLine(state.name)), state.id);
    const id = definition.workflow.id;
    await runInBatches(
      states.filter((state) => !portalIds.states.has(state.name)),
      1,
      async ([state]) => {
        const make = async (within: Scope) => [await ensureState(within, id, state!)];
        const [stateId] = await makeNoted(prepared, 'state', definition.workflow!.states, make);
        portalIds.states.set(state!.name, stateId!);
      },
      (state, reason) => portalIds.unusable.set(unusableKey('state', state.name), reason),
    );
    await prepareTransitions(prepared, id);
    return;
  }
  if (states.length === 0) return;
  // Names that no state can have would spoil the workflow as a whole; they are tried one by one below.
  const [safe, doubtful] = [states.filter(fits), states.filter((state) => !fits(state))];
  for (const state of doubtful)
    portalIds.unusable.set(unusableKey('state', state.name), 'a state has a name of 1 to 200 characters');
  if (safe.length > 0 && !safe.some((state) => state.initial)) safe[0] = { ...safe[0]!, initial: true };
  const id = await writeTransaction(scope, 'definitions', async (write) => {
    const joined = { ...write, joined: write.tx };
    const made = await createWorkflow(joined, { title: workflow.title, states: safe });
    await attachWorkflow(joined, portalIds.communityId, made.id);
    for (const [name, stateId] of made.states) portalIds.states.set(name, stateId);
    await noteMade(write.tx, prepared.importId, 'state', [...made.states.values()]);
    return made.id;
  });
  await prepareTransitions(prepared, id);
}

const fits = (state: StateMapping) => state.name.trim() === state.name && state.name !== '' && state.name.length <= 200;

async function prepareTransitions({ scope, mapping, portalIds }: Prepared, workflowId: number): Promise<void> {
  for (const { name, from, to, roles, byAuthor } of mapping.workflow!.transitions) {
    for (const state of from) {
      const [fromStateId, toStateId] = [portalIds.states.get(state), portalIds.states.get(to)];
      if (fromStateId === undefined || toStateId === undefined) continue;
      await ensureTransition(scope, workflowId, { name, fromStateId, toStateId, run: { roles, byAuthor } });
    }
  }
}

/**
 * Creates parts of the definition, and records in the same transaction which of them are new: after
 * an interrupted import, its undo knows all of them.
 * @param make returns the ids of the parts, including existing ones
 */
async function makeNoted(
  { scope, importId }: Prepared,
  kind: MadeKind,
  before: readonly { readonly id: number }[],
  make: (within: Scope) => Promise<number[]>,
): Promise<number[]> {
  const known = new Set(before.map(({ id }) => id));
  return writeTransaction(scope, 'definitions', async (write) => {
    const ids = await make({ ...write, joined: write.tx });
    const made = ids.filter((id) => !known.has(id));
    await noteMade(write.tx, importId, kind, made);
    return ids;
  });
}

async function prepareField(
  prepared: Prepared,
  field: FieldMapping,
  catalogIds: Map<string, number>,
  definition: CommunityDefinition,
): Promise<void> {
  const { scope, mapping, survey, portalIds } = prepared;
  const wanted = new Map<string, WantedLabel>();
  if (isChoice(field)) {
    for (const label of field.values) wanted.set(labelKey(label, undefined), { label });
    if (field.addValues) for (const [key, label] of survey.labels.get(field.key)!) wanted.set(key, label);
  }
  const catalogId = field.known
    ? (field.known.catalogId ?? undefined)
    : field.catalog && (await findOrMakeCatalog(scope, catalogOf(mapping, field, catalogIds)));
  if (catalogId !== undefined) catalogIds.set(field.key, catalogId);
  const owner = { communityId: portalIds.communityId };
  const fields = [...definition.fieldById.values()];
  const ensure = async (within: Scope) => [
    (await ensureField(within, owner, definitionOf(field, portalIds, catalogId))).id,
  ];
  const there = field.known ?? fields.find(({ externalId }) => externalId === field.key);
  const id = field.known?.id ?? (await (there ? ensure(scope) : makeNoted(prepared, 'field', fields, ensure)))[0]!;
  portalIds.fieldIds.set(field.key, id);
  if (!isChoice(field)) return;
  const before = catalogId === undefined ? await valuesOf(scope, id) : [];
  const ids = portalIds.labels.get(field.key)!;
  // Values below others differ in more than their label; the verbs find these.
  if (field.parent === undefined || !field.addValues) await readPresent(scope, id, catalogId, ids);
  const missing = [...wanted].filter(([key]) => !ids.has(key));
  const parents = (label: WantedLabel) => {
    const parentId = label.parent === undefined ? undefined : portalIds.labels.get(field.parent!)?.get(label.parent);
    return parentId === undefined ? [] : [parentId];
  };
  await runInBatches(
    missing,
    LABELS_AT_ONCE,
    async (batch) => {
      const made =
        catalogId === undefined
          ? await makeNoted(prepared, 'value', before, (within) =>
              addEnumValues(
                within,
                id,
                batch.map(([key, label]) => ({
                  label: label.label,
                  ...(label.parent !== undefined && { externalId: key.replaceAll('\0', ' / ') }),
                  parents: parents(label),
                })),
              ),
            )
          : await createCatalogEntries(
              scope,
              catalogId,
              batch.map(([, label]) => ({ label: label.label, parentIds: parents(label) })),
            );
      for (const [index, [key]] of batch.entries()) ids.set(key, made[index]!);
    },
    ([key], reason) => portalIds.unusable.set(unusableKey(field.key, key), reason),
  );
}

/** The values of a field's own list, deleted ones included. */
async function valuesOf(scope: Scope, fieldId: number): Promise<{ id: number }[]> {
  const db = scope.joined ?? scope.db;
  return db.query<{ id: number }>('SELECT id FROM field_enum_values WHERE tenant_id = $1 AND field_id = $2', [
    db.tenantId,
    fieldId,
  ]);
}

/** Reading first avoids a needless new definitions version. */
async function findOrMakeCatalog(scope: Scope, catalog: EnsuredCatalog & { name: string }): Promise<number> {
  const db = scope.joined ?? scope.db;
  const [known] = await db.query<{ id: number }>(
    `SELECT id FROM catalogs WHERE tenant_id = $1 AND CASE WHEN $2::text IS NULL THEN name ->> $4 = $3 ELSE external_id = $2 END
      ORDER BY deleted, id LIMIT 1`,
    [db.tenantId, catalog.externalId ?? null, catalog.name.trim(), scope.settings.defaultLanguage],
  );
  return known?.id ?? ensureCatalog(scope, catalog);
}

function catalogOf(mapping: Mapping, field: FieldMapping, catalogIds: ReadonlyMap<string, number>) {
  const parent = mapping.fields.find((other) => other.key === field.parent);
  return { ...field.catalog!, parentId: parent && catalogIds.get(parent.key) };
}

function definitionOf(field: FieldMapping, portalIds: PortalIds, catalogId: number | undefined): NewField {
  const { type, label, description, required, readonly, searchable, sortable, metadata, validations } = field;
  return {
    type,
    label,
    externalId: field.key,
    description,
    required,
    readonly,
    searchable,
    sortable,
    visibleInPreview: field.preview,
    metadata,
    parentId: field.parent === undefined ? undefined : portalIds.fieldIds.get(field.parent),
    catalogId,
    validations,
  };
}

/**
 * Reads existing values by label in one line (not all were stored so): all allowed values if none
 * are to be added.
 */
async function readPresent(
  scope: Scope,
  fieldId: number,
  catalogId: number | undefined,
  ids: Map<string, number>,
): Promise<void> {
  const db = scope.joined ?? scope.db;
  if (catalogId !== undefined) {
    const rows = await db.query<{ id: number; label: Readonly<Record<string, string>> }>(
      'SELECT id, label FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND NOT deleted ORDER BY id DESC',
      [db.tenantId, catalogId],
    );
    for (const row of rows)
      ids.set(labelKey(oneLine(textIn(row.label, scope.settings.defaultLanguage)), undefined), row.id);
    return;
  }
  const rows = await db.query<{ id: number; label: string }>(
    'SELECT id, label FROM field_enum_values WHERE tenant_id = $1 AND field_id = $2 AND NOT deleted ORDER BY id DESC',
    [db.tenantId, fieldId],
  );
  for (const row of rows) ids.set(labelKey(oneLine(row.label), undefined), row.id);
}

/** Counts the things that an import may create. */
export async function countThings(scope: Scope): Promise<Made> {
  const db = scope.joined ?? scope.db;
  const tables: Record<keyof Made, string> = {
    workspaces: 'workspaces',
    communities: 'communities',
    people: 'users',
    catalogs: 'catalogs',
    entries: 'catalog_entries',
    fields: 'fields',
    states: 'workflow_states',
    hashtags: 'hashtags',
  };
  const columns = Object.entries(tables).map(
    ([name, table]) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1) AS "${name}"`,
  );
  const [row] = await db.query<Made & { values: number }>(
    `SELECT ${columns.join(', ')}, (SELECT count(*) FROM field_enum_values WHERE tenant_id = $1) AS "values"`,
    [db.tenantId],
  );
  const { values, ...counts } = row!;
  return { ...counts, entries: counts.entries + values };
}
