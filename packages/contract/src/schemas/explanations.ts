/** Why somebody may do something, or may not. */
import { CapabilityScope } from '../codes/codes.ts';
import { findingKinds, reasonKinds } from '../codes/defined-codes.ts';
import { code, flag, int64, list, ref, text, texts, type, word } from './fields.ts';

export const explanationTypes = {
  CheckCommunityResponse: type('What is wrong with the definition of a community.', {
    findings: list('CommunityFinding', 'Everything that was found; empty where nothing is wrong.'),
  }),
  CommunityFinding: type('Something that is wrong with the definition of a community.', {
    kind: word(findingKinds, 'What is wrong.'),
    text: text('What is wrong, in a sentence, in English.'),
    stateId: int64('The state that it is about.'),
    stateName: text('Name of the state.'),
    transitionId: int64('The transition that it is about.'),
    transitionName: text('Name of the transition.'),
    screenId: int64('The screen that it is about.'),
    screenName: text('Name of the screen.'),
    fieldId: int64('The field that it is about.'),
    fieldLabel: text('Label of the field.'),
  }),
  ExplainResponse: type('What a person may do with an object, and why.', {
    userId: int64('The person.'),
    userName: text('Name of the person, where the caller may see it.'),
    items: list('Explanation', 'What was asked: capabilities in the order in which they are sent, then transitions.'),
  }),
  Explanation: type('Whether a person may do one thing, and why.', {
    capability: text(
      'Name of the capability, `workflowOperation` for a transition, `answerEvent` for the answer to an invitation, or the name of the right.',
    ),
    scope: code(CapabilityScope, 'Of `canEditComment` and `canDeleteComment`: the scope that is explained.'),
    workflowOperationId: int64('The transition.'),
    workflowOperationName: text('Name of the transition.'),
    operationIds: texts('Operations of this interface that ask for it.'),
    permitted: flag('Whether the person may do it.'),
    sentence: text('The answer in a sentence, in English.'),
    reason: ref('ExplanationReason', 'What decided.'),
  }),
  ExplanationReason: type('Something that decided.', {
    kind: word(reasonKinds, 'What it is; `ALL_OF` and `ANY_OF` combine the others.'),
    holds: flag('Whether it is so.'),
    id: int64('The role, group, state or workspace that it is about; absent where the caller may not see it.'),
    name: text('Name of that, or of the right.'),
    text: text('What is so, in English.'),
    reasons: list(
      'ExplanationReason',
      'Of a combination those that decided; of a role or a right how it was given: through the group, the workspace, or without `id` directly.',
    ),
  }),
};
