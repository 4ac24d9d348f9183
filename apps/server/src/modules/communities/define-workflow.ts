/** Defines workflows, for generators and imports (not an operation of the interface). */

import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { checkLength } from '../../kernel/text-input.ts';
import { sqlColumns } from '../columns.ts';
import { insertMissingValues } from '../records/index.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { checkColor } from './create-community.ts';
import { checkLabel } from './definition-input.ts';
import { changeDefinitions } from './definition-versions.ts';
import { communitiesOf } from './field-rows.ts';
import { needsPrefill, prefill } from './prefill-values.ts';
import { countValues, refuseTooManyValues } from './value-limit.ts';
import type { MadeWorkflow, NewState, NewTransition, NewWorkflow } from './workflow-input.ts';
import { insertScreenFields, insertScreens, insertStates, insertTransitions } from './workflow-rows.ts';

const p = sqlColumns('posts', 'p');

/** Maximum length of the description of a state or the message of a screen, in code points. */
const MAX_TEXT = 10_000;

/**
 * Creates a workflow. `createCommunity` or {@link attachWorkflow} gives it to communities.
 * @param communityIds communities that will use the workflow: their managers may create it too
 * @throws PorticoError FORBIDDEN; ValidationError with all errors
 */
export async function createWorkflow(
  scope: Scope,
  workflow: NewWorkflow,
  communityIds: readonly number[] = [],
): Promise<MadeWorkflow> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireDefinitionRight(write.actor, communityIds);
    checkWorkflow(workflow, write.missing);
    const [row] = await write.tx.query<{ id: number }>(
      'INSERT INTO workflows (tenant_id, title) VALUES ($1, $2) RETURNING id',
      [write.tx.tenantId, workflow.title.trim()],
    );
    const id = row!.id;
    const fields = await insertScreenFields(write, id, workflow.screenFields ?? []);
    const screens = await insertScreens(write, id, workflow.screens ?? [], fields);
    const states = await insertStates(write, id, workflow.states, screens);
    const transitionIds = await insertTransitions(write, id, workflow.transitions ?? [], states, screens);
    return { id, states, screens, fields, transitionIds };
  });
}

/** Maximum number of known names in a message about an unknown name. */
const MOST_NAMED = 20;

/** @param missing fields that the request lacks @throws ValidationError with all errors */
export function checkWorkflow(workflow: NewWorkflow, missing?: Scope['missing']): void {
  const errors = new FieldErrors(missing);
  checkLabel('title', workflow.title, errors);
  const namesOf = (path: string, items: readonly { name: string }[]) => {
    const names = new Set<string>();
    for (const [index, { name }] of items.entries()) {
      checkLabel(`${path}[${index}].name`, name, errors);
      if (names.has(name)) {
        const defaultMessage = `Another one of ${path} has this name; each needs one of its own.`;
        errors.add(`${path}[${index}].name`, 'DUPLICATE_VALUE', defaultMessage);
      }
      names.add(name);
    }
    return names;
  };
  const known = (field: string, names: ReadonlySet<string>, name: string | undefined) => {
    if (name === undefined || names.has(name)) return;
    const some = [...names].slice(0, MOST_NAMED).join(', ') || 'none';
    const defaultMessage = `There is no “${name}”; there are: ${some}${names.size > MOST_NAMED ? ', …' : ''}.`;
    errors.add(field, 'UNKNOWN_REFERENCE', defaultMessage, [name]);
  };
  const states = namesOf('states', workflow.states);
  const screens = namesOf('screens', workflow.screens ?? []);
  const labels = namesOf(
    'screenFields',
    (workflow.screenFields ?? []).map(({ label }) => ({ name: label })),
  );
  if (!workflow.states.some((state) => state.initial)) {
    errors.add('states', 'REQUIRED_FIELD', 'At least one state must be initial.');
  }
  for (const [index, state] of workflow.states.entries()) {
    known(`states[${index}].screen`, screens, state.screen);
    if (state.color !== undefined) checkColor(`states[${index}].color`, state.color, errors);
    checkLength(`states[${index}].description`, state.description ?? '', MAX_TEXT, errors);
  }
  for (const [index, transition] of (workflow.transitions ?? []).entries()) {
    checkLabel(`transitions[${index}].name`, transition.name, errors);
    known(`transitions[${index}].from`, states, transition.from);
    known(`transitions[${index}].to`, states, transition.to);
    known(`transitions[${index}].screen`, screens, transition.screen);
  }
  for (const [index, screen] of (workflow.screens ?? []).entries()) {
    checkLength(`screens[${index}].message`, screen.message ?? '', MAX_TEXT, errors);
    for (const { label, fieldId } of screen.fields)
      if (fieldId === undefined) known(`screens[${index}].fields`, labels, label);
  }
  errors.throwIfAny();
}

/**
 * Gives a community a workflow. Existing posts stay without a state, and get empty value rows for
 * the screen fields.
 * @param check throws where the community may not get a workflow, as of the transaction that
 * attaches it
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError when posts of the community are in
 * states of another workflow, or its fields would have too many values together
 */
export async function attachWorkflow(
  scope: Scope,
  communityId: number,
  workflowId: number,
  check: (write: WriteScope) => Promise<void> = async () => undefined,
): Promise<void> {
  const prepare = async (write: WriteScope) => {
    requireDefinitionRight(write.actor, [communityId]);
    await communitiesOf(write, { communityId });
    await communitiesOf(write, { workflowId });
    const fields = await write.tx.query<{ id: number }>(
      'SELECT id FROM fields WHERE tenant_id = $1 AND workflow_id = $2 AND NOT deleted AND (searchable OR sortable)',
      [write.tx.tenantId, workflowId],
    );
    return fields.map((row) => row.id);
  };
  if (!scope.db.inTransaction) {
    const missing = await writeTransaction(scope, 'none', async (write) => {
      const fieldIds = await prepare(write);
      return (await needsPrefill(write, fieldIds.length, [communityId])) ? fieldIds : [];
    });
    if (missing.length > 0) await prefill(scope, missing, [communityId]);
  }
  await writeTransaction(scope, 'definitions', async (write) => {
    await check(write);
    const fieldIds = await prepare(write);
    const elsewhere = await write.tx.query(
      `SELECT FROM posts p JOIN workflow_states s ON s.tenant_id = p.tenant_id AND s.id = ${p.state_id}
        WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND s.workflow_id <> $3 LIMIT 1`,
      [write.tx.tenantId, communityId, workflowId],
    );
    if (elsewhere.length > 0) {
      throw invalid('workflowId', 'INVALID_VALUE', 'Posts of the community are in states of its present workflow.');
    }
    await insertMissingValues(write.tx, fieldIds, [communityId]);
    await changeDefinitions(write, [communityId], async () => {
      const values = await countValues(write.tx, { communityId });
      await write.tx.sendChange(
        'communities',
        [communityId],
        'UPDATE communities SET workflow_id = $3 WHERE tenant_id = $1 AND id = $2',
        [write.tx.tenantId, communityId, workflowId],
      );
      await refuseTooManyValues(write.tx, { communityId }, 'screenFields', 0, values);
    });
  });
}

/**
 * Finds a state of a workflow by its external id, else by its name, or adds it after the last
 * state.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError
 */
export async function ensureState(
  scope: Scope,
  workflowId: number,
  state: Omit<NewState, 'screen' | 'edit'>,
): Promise<number> {
  return ensurePart(scope, workflowId, state.name, {
    find: ({ tx }) =>
      tx.query(
        `SELECT id FROM workflow_states
          WHERE tenant_id = $1 AND workflow_id = $2 AND CASE WHEN $3::text IS NULL THEN name = $4 ELSE external_id = $3 END
          ORDER BY deleted, id LIMIT 1`,
        [tx.tenantId, workflowId, state.externalId ?? null, state.name.trim()],
      ),
    make: async (write) => (await insertStates(write, workflowId, [state], new Map())).get(state.name)!,
  });
}

/**
 * Finds a state or transition of a workflow with `find`, or adds it with `make` after `check`.
 * @returns its id
 */
async function ensurePart(
  scope: Scope,
  workflowId: number,
  name: string,
  part: {
    find(write: WriteScope): Promise<{ id: number }[]>;
    check?(write: WriteScope): Promise<void>;
    make(write: WriteScope): Promise<number>;
  },
): Promise<number> {
  const [known] = await writeTransaction(scope, 'none', part.find);
  if (known) return known.id;
  return writeTransaction(scope, 'definitions', async (write) => {
    const communityIds = await communitiesOf(write, { workflowId });
    requireDefinitionRight(write.actor, communityIds);
    const errors = new FieldErrors();
    checkLabel('name', name, errors);
    errors.throwIfAny();
    await part.check?.(write);
    const [present] = await part.find(write);
    if (present) return present.id;
    return changeDefinitions(write, communityIds, () => part.make(write));
  });
}

/** A transition between existing states. */
type NewTransitionBetween = Omit<NewTransition, 'from' | 'to' | 'screen'> & {
  fromStateId: number;
  toStateId: number;
};

/**
 * Finds a transition between two states by its name, or adds it.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the workflow or for states of another workflow;
 * ValidationError
 */
export async function ensureTransition(
  scope: Scope,
  workflowId: number,
  transition: NewTransitionBetween,
): Promise<number> {
  const { fromStateId, toStateId, ...rest } = transition;
  return ensurePart(scope, workflowId, transition.name, {
    find: ({ tx }) =>
      tx.query(
        `SELECT id FROM workflow_transitions
          WHERE tenant_id = $1 AND workflow_id = $2 AND from_state_id = $3 AND to_state_id = $4 AND name = $5
          ORDER BY deleted, id LIMIT 1`,
        [tx.tenantId, workflowId, fromStateId, toStateId, transition.name.trim()],
      ),
    check: async ({ tx }) => {
      const states = await tx.query(
        'SELECT FROM workflow_states WHERE tenant_id = $1 AND workflow_id = $2 AND id = ANY ($3::bigint[])',
        [tx.tenantId, workflowId, [fromStateId, toStateId]],
      );
      if (states.length < new Set([fromStateId, toStateId]).size) throw notFound();
    },
    make: async (write) => {
      const ids = new Map(Object.entries({ from: fromStateId, to: toStateId }));
      const [id] = await insertTransitions(write, workflowId, [{ ...rest, from: 'from', to: 'to' }], ids, new Map());
      return id!;
    },
  });
}
