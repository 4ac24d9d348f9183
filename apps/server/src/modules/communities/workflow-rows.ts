/** SQL that writes the states, transitions, screens and screen fields of workflows. */
import { definitionLimits } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import { type AddedField, insertField } from './field-rows.ts';
import type { Held } from './losses.ts';
import type { NewScreen, NewScreenField, NewState, NewTransition } from './workflow-input.ts';

export async function insertScreenFields(
  write: WriteScope,
  workflowId: number,
  screenFields: readonly NewScreenField[],
): Promise<Map<string, AddedField>> {
  const made = new Map<string, AddedField>();
  for (const [index, { parent, ...field }] of screenFields.entries()) {
    const path = `screenFields[${index}]`;
    const parentId = parent === undefined ? undefined : made.get(parent)?.id;
    if (parent !== undefined && parentId === undefined) throw invalid(`${path}.parent`, 'UNKNOWN_REFERENCE');
    const withParent = parentId === undefined ? field : { ...field, parentId };
    made.set(field.label, await insertField(write, { workflowId }, withParent, false, path));
  }
  return made;
}

export async function insertScreens(
  write: WriteScope,
  workflowId: number,
  screens: readonly NewScreen[],
  fields: ReadonlyMap<string, { id: number }>,
): Promise<Map<string, number>> {
  const ids = await takeIds(write.tx, 'workflow_screens', screens.length);
  const rows = screens.map(({ name, message }, n) => ({ id: ids[n], name, message: message ?? null }));
  await write.tx.send(
    `INSERT INTO workflow_screens (tenant_id, id, workflow_id, name, message)
     SELECT a.tenant_id, s.id, $2, s.name, s.message
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS s (id bigint, name text, message text) WHERE a.tenant_id = $1`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  await placeFields(write, screens, ids, fields);
  return new Map(screens.map(({ name }, index) => [name, ids[index]!]));
}

/** Puts fields on screens without fields. @param ids of the screens  @param fields by label */
async function placeFields(
  write: WriteScope,
  screens: readonly NewScreen[],
  ids: readonly number[],
  fields: ReadonlyMap<string, { id: number }>,
): Promise<void> {
  const placed = screens.flatMap((screen, index) =>
    screen.fields.map(({ label, fieldId, required }, position) => ({
      screen_id: ids[index],
      field_id: fieldId ?? fields.get(label)!.id,
      position: position + 1,
      required: required ?? false,
    })),
  );
  await write.tx.send(
    `INSERT INTO workflow_screen_fields (tenant_id, screen_id, field_id, position, required)
     SELECT a.tenant_id, p.screen_id, p.field_id, p.position, p.required
       FROM tenant_versions a,
            jsonb_to_recordset($2::jsonb) AS p (screen_id bigint, field_id bigint, position integer, required boolean)
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, JSON.stringify(placed)],
  );
}

/**
 * Replaces the screens of a workflow. Omitted screens lose their fields; {@link deleteScreens}
 * deletes them once no state and no transition names them.
 * @returns ids by name, in the given order
 */
export async function replaceScreens(
  write: WriteScope,
  workflowId: number,
  screens: readonly (NewScreen & { id?: number })[],
): Promise<Map<string, number>> {
  const fresh = screens.filter(({ id }) => id === undefined);
  const known = screens.filter(({ id }) => id !== undefined);
  const knownIds = known.map(({ id }) => id!);
  await write.tx.send(
    `DELETE FROM workflow_screen_fields f USING workflow_screens s
      WHERE f.tenant_id = $1 AND s.tenant_id = $1 AND s.id = f.screen_id AND s.workflow_id = $2`,
    [write.tx.tenantId, workflowId],
  );
  const made = await insertScreens(write, workflowId, fresh, new Map());
  const rows = known.map(({ id, name, message }) => ({ id, name, message: message ?? null }));
  await write.tx.send(
    `UPDATE workflow_screens s SET name = r.name, message = r.message
       FROM jsonb_to_recordset($3::jsonb) AS r (id bigint, name text, message text)
      WHERE s.tenant_id = $1 AND s.workflow_id = $2 AND s.id = r.id`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  await placeFields(write, known, knownIds, new Map());
  return new Map(screens.map(({ id, name }) => [name, id ?? made.get(name)!]));
}

/**
 * Deletes the screens of a workflow except the given ones. States and transitions out of use lose
 * the reference to a deleted screen.
 */
export async function deleteScreens(tx: TenantTx, workflowId: number, kept: readonly number[]): Promise<void> {
  const parameters = [tx.tenantId, workflowId, kept];
  await tx.send(
    `UPDATE workflow_states SET screen_id = NULL
      WHERE tenant_id = $1 AND workflow_id = $2 AND screen_id IS NOT NULL AND NOT screen_id = ANY ($3::bigint[])`,
    parameters,
  );
  await tx.send(
    `UPDATE workflow_transitions SET screen_id = NULL
      WHERE tenant_id = $1 AND workflow_id = $2 AND screen_id IS NOT NULL AND NOT screen_id = ANY ($3::bigint[])`,
    parameters,
  );
  await tx.send(
    'DELETE FROM workflow_screens WHERE tenant_id = $1 AND workflow_id = $2 AND NOT id = ANY ($3::bigint[])',
    parameters,
  );
}

export async function insertStates(
  write: WriteScope,
  workflowId: number,
  states: readonly NewState[],
  screens: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const ids = await takeIds(write.tx, 'workflow_states', states.length);
  const rows = states.map((state, n) => ({ ...stateRow(state, screens), id: ids[n], n }));
  await write.tx.send(
    `INSERT INTO workflow_states (tenant_id, id, workflow_id, position, name, description, color, initial, terminal,
       external_id, metadata, screen_id, edit_roles, edit_group_ids, edit_by_author, edit_field_ids)
     SELECT a.tenant_id, s.id, $2, s.n + 1 + (SELECT coalesce(max(position), 0) FROM workflow_states WHERE tenant_id = $1 AND workflow_id = $2),
            s.name, s.description, s.color, s.initial, s.terminal, s.external_id, s.metadata, s.screen_id, s.edit_roles,
            s.edit_group_ids, s.edit_by_author, s.edit_field_ids
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS s (id bigint, n integer, name text, description text, color text, initial boolean,
              terminal boolean, external_id text, metadata jsonb, screen_id bigint, edit_roles integer[],
              edit_group_ids bigint[], edit_by_author boolean, edit_field_ids bigint[])
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  return new Map(states.map(({ name }, index) => [name, ids[index]!]));
}

export async function insertTransitions(
  write: WriteScope,
  workflowId: number,
  transitions: readonly NewTransition[],
  states: ReadonlyMap<string, number>,
  screens: ReadonlyMap<string, number>,
): Promise<number[]> {
  const ids = await takeIds(write.tx, 'workflow_transitions', transitions.length);
  const rows = transitions.map((transition, n) => ({ ...transitionRow(transition, states, screens), id: ids[n], n }));
  await write.tx.send(
    `INSERT INTO workflow_transitions (tenant_id, id, workflow_id, position, name, from_state_id, to_state_id, external_id,
       metadata, screen_id, roles, group_ids, by_author, field_ids, conditions, sets)
     SELECT a.tenant_id, t.id, $2, t.n + 1 + (SELECT coalesce(max(position), 0) FROM workflow_transitions WHERE tenant_id = $1 AND workflow_id = $2),
            t.name, t.from_state_id, t.to_state_id, t.external_id, t.metadata, t.screen_id, t.roles, t.group_ids, t.by_author,
            t.field_ids, t.conditions, t.sets
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS t (id bigint, n integer, name text, from_state_id bigint, to_state_id bigint,
              external_id text, metadata jsonb, screen_id bigint, roles integer[], group_ids bigint[], by_author boolean,
              field_ids bigint[], conditions jsonb, sets jsonb)
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  return ids;
}

function stateRow(state: NewState, screens: ReadonlyMap<string, number>) {
  return {
    name: state.name.trim(),
    description: state.description ?? null,
    color: state.color ?? null,
    initial: state.initial ?? false,
    terminal: state.terminal ?? false,
    external_id: state.externalId ?? null,
    metadata: state.metadata ?? {},
    screen_id: state.screen === undefined ? null : screens.get(state.screen),
    edit_roles: state.edit?.roles ?? [],
    edit_group_ids: state.edit?.groupIds ?? [],
    edit_by_author: state.edit?.byAuthor ?? false,
    edit_field_ids: state.edit?.fieldIds ?? [],
  };
}

function transitionRow(
  transition: NewTransition,
  states: ReadonlyMap<string, number>,
  screens: ReadonlyMap<string, number>,
) {
  const run = transition.run ?? { roles: [2] };
  return {
    name: transition.name.trim(),
    from_state_id: states.get(transition.from),
    to_state_id: states.get(transition.to),
    external_id: transition.externalId ?? null,
    metadata: transition.metadata ?? {},
    screen_id: transition.screen === undefined ? null : screens.get(transition.screen),
    roles: run.roles ?? [],
    group_ids: run.groupIds ?? [],
    by_author: run.byAuthor ?? false,
    field_ids: run.fieldIds ?? [],
    conditions: transition.conditions ?? [],
    sets: transition.sets ?? [],
  };
}

export async function updateTitle(tx: TenantTx, workflowId: number, title: string): Promise<void> {
  await tx.send('UPDATE workflows SET title = $3 WHERE tenant_id = $1 AND id = $2', [tx.tenantId, workflowId, title]);
}

/**
 * Returns the number of posts of the communities in the given states, counted up to the published
 * limit, and some of the posts.
 */
export async function heldInStates(
  tx: TenantTx,
  communityIds: readonly number[],
  stateIds: readonly number[],
): Promise<Held> {
  const [row] = await tx.query<Held>(
    `SELECT count(*) AS posts, 0 AS values, coalesce((array_agg(few.id))[1:20], '{}') AS examples FROM (
       SELECT id FROM posts WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) AND state_id = ANY ($3::bigint[]) AND live
        LIMIT $4) AS few`,
    [tx.tenantId, communityIds, stateIds, definitionLimits.counted + 1],
  );
  return row!;
}

/**
 * Replaces the states of a workflow, in the given order; omitted states are taken out of use.
 * @returns ids by name, in the given order
 */
export async function replaceStates(
  write: WriteScope,
  workflowId: number,
  states: readonly (NewState & { id?: number })[],
  screens: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const fresh = states.filter(({ id }) => id === undefined);
  const made = await insertStates(write, workflowId, fresh, screens);
  const ids = new Map(states.map(({ id, name }) => [name, id ?? made.get(name)!]));
  const rows = states.map((state, n) => ({ ...stateRow(state, screens), id: ids.get(state.name), position: n + 1 }));
  await write.tx.send(
    `UPDATE workflow_states s SET position = r.position, name = r.name, description = r.description, color = r.color,
            initial = r.initial, terminal = r.terminal, external_id = r.external_id, metadata = r.metadata, screen_id = r.screen_id,
            edit_roles = r.edit_roles, edit_group_ids = r.edit_group_ids, edit_by_author = r.edit_by_author,
            edit_field_ids = r.edit_field_ids, deleted = false
       FROM jsonb_to_recordset($3::jsonb) AS r (id bigint, position integer, name text, description text, color text,
              initial boolean, terminal boolean, external_id text, metadata jsonb, screen_id bigint, edit_roles integer[],
              edit_group_ids bigint[], edit_by_author boolean, edit_field_ids bigint[])
      WHERE s.tenant_id = $1 AND s.workflow_id = $2 AND s.id = r.id`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  await write.tx.send(
    `UPDATE workflow_states SET deleted = true, position = position + $4
      WHERE tenant_id = $1 AND workflow_id = $2 AND NOT id = ANY ($3::bigint[]) AND NOT deleted`,
    [write.tx.tenantId, workflowId, [...ids.values()], states.length],
  );
  return ids;
}

/**
 * Replaces the transitions of a workflow, in the given order; omitted transitions are taken out of
 * use.
 * @param states ids by name
 * @returns ids in the given order
 */
export async function replaceTransitions(
  write: WriteScope,
  workflowId: number,
  transitions: readonly (NewTransition & { id?: number })[],
  states: ReadonlyMap<string, number>,
  screens: ReadonlyMap<string, number>,
): Promise<number[]> {
  const fresh = transitions.filter(({ id }) => id === undefined);
  const made = await insertTransitions(write, workflowId, fresh, states, screens);
  const rows = transitions.map((transition, n) => ({
    ...transitionRow(transition, states, screens),
    id: transition.id ?? made[fresh.indexOf(transition)]!,
    position: n + 1,
  }));
  const ids = rows.map(({ id }) => id);
  await write.tx.send(
    `UPDATE workflow_transitions t SET position = r.position, name = r.name, from_state_id = r.from_state_id,
            to_state_id = r.to_state_id, external_id = r.external_id, metadata = r.metadata, screen_id = r.screen_id,
            roles = r.roles, group_ids = r.group_ids, by_author = r.by_author, field_ids = r.field_ids, conditions = r.conditions, sets = r.sets,
            deleted = false
       FROM jsonb_to_recordset($3::jsonb) AS r (id bigint, position integer, name text, from_state_id bigint,
              to_state_id bigint, external_id text, metadata jsonb, screen_id bigint, roles integer[], group_ids bigint[], by_author boolean,
              field_ids bigint[], conditions jsonb, sets jsonb)
      WHERE t.tenant_id = $1 AND t.workflow_id = $2 AND t.id = r.id`,
    [write.tx.tenantId, workflowId, JSON.stringify(rows)],
  );
  await write.tx.send(
    `UPDATE workflow_transitions SET deleted = true, position = position + $4
      WHERE tenant_id = $1 AND workflow_id = $2 AND NOT id = ANY ($3::bigint[]) AND NOT deleted`,
    [write.tx.tenantId, workflowId, ids, transitions.length],
  );
  return ids;
}
