/** Why somebody may do something, or may not. */
import { CapabilityScope } from '../../codes/codes.ts';
import {
  findingKinds,
  MailReason,
  NotificationKind,
  NotNotifiedReason,
  PushReason,
  reasonKinds,
} from '../../codes/defined-codes.ts';
import * as t from '../fields.ts';

export const explanationTypes = {
  CheckCommunityResponse: t.type('A problem in the definition of a community.', {
    findings: t.list('CommunityFinding', 'Everything that was found; empty where nothing is wrong.'),
  }),
  CommunityFinding: t.type('Something that is wrong with the definition of a community.', {
    kind: t.word(findingKinds, 'Kind of problem.'),
    text: t.text('The problem, in a sentence, in English.'),
    stateId: t.int64('The state that it is about.'),
    stateName: t.text('Name of the state.'),
    transitionId: t.int64('The transition that it is about.'),
    transitionName: t.text('Name of the transition.'),
    screenId: t.int64('The screen that it is about.'),
    screenName: t.text('Name of the screen.'),
    fieldId: t.int64('The field that it is about.'),
    fieldLabel: t.text('Label of the field.'),
  }),
  ExplainResponse: t.type('Capabilities of a person on an object, with the reasons.', {
    userId: t.int64('The person.'),
    userName: t.text('Name of the person, where the caller may see it.'),
    items: t.list('Explanation', 'The requested capabilities in the order in which they are sent, then transitions.'),
  }),
  Explanation: t.type('Whether a person may do one thing, and why.', {
    capability: t.text(
      'Name of the capability, `workflowOperation` for a transition, `answerEvent` for the answer to an invitation, or the name of the right.',
    ),
    scope: t.code(CapabilityScope, 'For `canEditComment` and `canDeleteComment`: the explained scope.'),
    workflowOperationId: t.int64('The transition.'),
    workflowOperationName: t.text('Name of the transition.'),
    operationIds: t.texts('Operations of this interface that ask for it.'),
    permitted: t.flag('Whether the person may do it.'),
    sentence: t.text('The answer in a sentence, in English.'),
    reason: t.ref('ExplanationReason', 'What decided.'),
  }),
  ExplanationReason: t.type('Something that decided.', {
    kind: t.word(reasonKinds, 'Kind of condition; `ALL_OF` and `ANY_OF` combine the others.'),
    holds: t.flag('Whether it is so.'),
    id: t.int64('The role, group, state or workspace that it is about; absent where the caller may not see it.'),
    name: t.text('Name of that, or of the right.'),
    text: t.text('The condition, in English.'),
    reasons: t.list(
      'ExplanationReason',
      'For a combination, the deciding conditions; for a role or a right, its source: the ' +
        'group, the workspace, or, without `id`, a direct assignment.',
    ),
  }),
  ExplainNotificationsResponse: t.type('Notifications of a person about a post, and why there are no others.', {
    userId: t.int64('The person.'),
    userName: t.text('Name of the person, where the caller may see it.'),
    mailHeld: t.word(
      Object.values(MailReason),
      'Why no mail of notifications is sent to the person; absent if mail is sent.',
    ),
    pushHeld: t.word(
      [PushReason.TENANT_OFF, PushReason.NO_RECIPIENT, PushReason.NO_BROWSER],
      'Why no browser of the person shows notifications; absent if one does.',
    ),
    items: t.list('ExplainedNotification', 'Events of the post, the newest first, without their contents.'),
  }),
  ExplainedNotification: t.type('Whether a person was notified of an event, by mail, and in browsers.', {
    timestamp: t.time('Time of the event.'),
    typeDescription: t.text('Name of the event, as in the history of the post.'),
    notified: t.flag('Whether there is a notification.'),
    kind: t.code(NotificationKind, 'Reason of the notification.'),
    reason: t.word(Object.values(NotNotifiedReason), 'Why there is none, by the present settings.'),
    mail: t.ref('NotificationMail', 'What became of it by mail.'),
    push: t.ref('NotificationPush', 'What became of it at the browsers.'),
    sentence: t.text('The answer in a sentence, in English.'),
  }),
};
