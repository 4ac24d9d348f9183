/** Creates the states and transitions that an import needs. */
import { oneLine } from '@portico/contract';
import { joining, writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import {
  attachWorkflow,
  type CommunityDefinition,
  createWorkflow,
  ensureState,
  ensureTransition,
} from '../communities/index.ts';
import { noteMade } from './made.repository.ts';
import { composed } from './mapping/values.ts';
import { makeNoted, type Prepared, unusableKey } from './prepared.ts';
import { runInBatches } from './run-in-batches.ts';
import type { StateMapping } from './source/mapping-types.ts';

export async function prepareWorkflow(prepared: Prepared, definition: CommunityDefinition): Promise<void> {
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
    const joined = joining(write);
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
