/**
 * Explains why a person may or may not do something (operations explainPost, explainComment,
 * explainTask, explainView, explainCommunity, explainRights). The reasons come from the rules that
 * decide about writes and capabilities.
 */
import {
  CapabilityScope,
  type ExplainedObject,
  type ExplainResponse,
  type Explanation,
  explainedOfEachPost,
  explainedPermissions,
  operationList,
  PostType,
} from '@portico/contract';
import {
  administrativeRights,
  all,
  any,
  fact,
  hasRight,
  hasRole,
  on,
  type PostSightCase,
  postSightRule,
  type Reason,
  type Rule,
} from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  communityEditorRule,
  communityRules,
  getDefinition,
  isInUse,
  mayEditCommunity,
  rolesById,
  seesCommunity,
} from '../../communities/index.ts';
import { importRule } from '../../imports/index.ts';
import {
  commentRules,
  commentScopeRules,
  definitionOf,
  eventAnswerRule,
  findLivingComment,
  findTask,
  type PostCase,
  type PostRow,
  postCase,
  postRules,
  requirePost,
  taskRules,
  transitionCase,
  transitionRule,
} from '../../post-parts/index.ts';
import { requireView, viewRules } from '../../posts/index.ts';
import { type Person, readPerson } from './person.ts';
import { factsIn, groupsIn, ReasonPresenter, rolesIn, type Sources } from './present-reasons.ts';
import { findGrants, findRightSources, findRoleSources, isAsked, visibleGroupNames } from './sources.repository.ts';

/** Query of an explanation. */
interface Query {
  userId?: number | undefined;
  capability?: string | undefined;
  operationId?: string | undefined;
  workflowOperationId?: number | undefined;
}

/** An action of the person, with the rule that allows or forbids it. */
interface Question {
  capability: string;
  /** Continuation of "You may". */
  action: string;
  rule: Rule<void>;
  scope?: CapabilityScope;
  transition?: { id: number; name: string };
}

const postActions = {
  canViewDetail: 'read the post',
  canModify: 'edit the post',
  canCopy: 'copy the post',
  canDelete: 'delete the post',
  canViewComment: 'read the comments',
  canAddComment: 'comment on the post',
  canEditLike: 'like the post',
  canEditFollow: 'follow the post',
  canEditAttachments: 'change the attachments of the post',
  canEditVisibility: 'make the post private or public',
  canCreateTask: 'create tasks on the post',
  canEditWorkflowScreenData: 'edit the screen of the present state',
  canPin: 'pin the post',
  canAnnounce: 'make the post an announcement',
  canRequestAcknowledgements: 'ask people to acknowledge the post',
  canAcknowledge: 'acknowledge the post',
} satisfies Record<keyof typeof postRules, string>;
const commentActions = {
  canEdit: 'edit the comment',
  canEditLike: 'like the comment',
  canDelete: 'delete the comment',
  canReply: 'answer the comment',
} satisfies Record<keyof typeof commentRules, string>;
const taskActions = {
  canViewDetail: 'read the task',
  canModify: 'edit the task',
  canUpdateState: 'change the state of the task',
  canCopy: 'copy the task',
  canDelete: 'delete the task',
  canAddComment: 'comment on the task',
  canEditAttachments: 'change the attachments of the task',
  canEditReminders: 'change the reminders of the task',
} satisfies Record<keyof typeof taskRules, string>;
const viewActions = {
  canView: 'see the view',
  canEdit: 'edit the view',
} satisfies Record<keyof typeof viewRules, string>;
const communityActions = {
  viewPost: 'read public posts of the community',
  createPost: 'write posts in the community',
  createEventPost: 'write event posts in the community',
  pinPost: 'pin posts of the community',
  editPostVisibility: 'choose whether posts are private or public',
  setPostAnnouncementFlag: 'make posts announcements',
  editCommunity: 'change the community itself',
  seeMembers: 'see who has a role in the community',
  importPosts: 'import posts into the community',
};

/** Returns a question for each rule of a table. */
function questions<Case, Key extends string>(
  rules: Readonly<Record<Key, Rule<Case>>>,
  actions: Readonly<Record<Key, string>>,
  about: Case,
): Question[] {
  return (Object.keys(rules) as Key[]).map((capability) => ({
    capability,
    action: actions[capability],
    rule: on(() => about, rules[capability]),
  }));
}

/**
 * Explains the permissions of a person on a post that the caller sees. @throws PorticoError
 * NOT_FOUND, FORBIDDEN; ValidationError
 */
export async function explainPost(scope: Scope, postId: number, query: Query): Promise<ExplainResponse> {
  const post = await requirePost(scope.db, scope.actor, postId);
  const opened = await openPost(scope, post, query);
  const { about } = opened;
  const transitions = (about.workflow?.transitions ?? []).filter(
    ({ id }) => query.workflowOperationId === undefined || id === query.workflowOperationId,
  );
  if (query.workflowOperationId !== undefined && transitions.length === 0)
    throw invalid('workflowOperationId', 'UNKNOWN_REFERENCE', 'The workflow of the post has no such transition.');
  const scopes = (capability: string, action: string): Question[] =>
    ([CapabilityScope.OWN, CapabilityScope.ALL] as const).map((reach) => ({
      capability,
      action: `${action} ${reach === CapabilityScope.OWN ? 'own comments' : 'comments of others'}`,
      scope: reach,
      rule: on(() => about, commentScopeRules[reach]),
    }));
  const asked: Question[] = [
    ...(query.workflowOperationId === undefined
      ? [
          ...questions<PostCase, keyof typeof postRules>(postRules, postActions, about),
          ...scopes('canEditComment', 'edit'),
          ...scopes('canDeleteComment', 'delete'),
          ...(post.type === PostType.EVENT
            ? questions({ answerEvent: eventAnswerRule }, { answerEvent: 'answer the invitation to the event' }, about)
            : []),
        ]
      : []),
    ...transitions.map((transition) => ({
      capability: 'workflowOperation',
      action: `run the transition “${transition.name}”`,
      transition,
      rule: all(
        on(() => about, isInUse),
        on(() => transitionCase(about, transition), transitionRule),
      ),
    })),
  ];
  return explain(scope, 'post', query, asked, opened);
}

/**
 * Explains the permissions of a person on a comment that the caller sees. @throws as
 * {@link explainPost}
 */
export async function explainComment(scope: Scope, commentId: number, query: Query): Promise<ExplainResponse> {
  const comment = await findLivingComment(scope.db, commentId);
  if (!comment) throw notFound();
  const post = await requirePost(scope.db, scope.actor, comment.postId);
  const definition = await definitionOf(scope, post.communityId);
  if (!postRules.canViewComment.holds(postCase(scope.actor, definition, post))) throw notFound();
  const opened = await openPost(scope, post, query);
  const asked = questions(commentRules, commentActions, { ...opened.about, comment });
  return explain(scope, 'comment', query, asked, opened);
}

/**
 * Explains the permissions of a person on a task of a post that the caller sees. @throws as
 * {@link explainPost}
 */
export async function explainTask(scope: Scope, taskId: number, query: Query): Promise<ExplainResponse> {
  const task = await findTask(scope.db, taskId);
  if (!task) throw notFound();
  const post = await requirePost(scope.db, scope.actor, task.postId);
  const opened = await openPost(scope, post, query);
  const asked = questions(taskRules, taskActions, { ...opened.about, task });
  return explain(scope, 'task', query, asked, opened);
}

/**
 * Explains the permissions of a person on a saved view that the caller sees. @throws as
 * {@link explainPost}
 */
export async function explainView(scope: Scope, viewId: number, query: Query): Promise<ExplainResponse> {
  const view = await requireView(scope.db, scope.actor, viewId);
  const { communityId } = view;
  const person = await readPerson(scope, query.userId, communityId);
  const about = { actor: person.actor, community: { id: communityId }, view };
  return explain(scope, 'view', query, questions(viewRules, viewActions, about), { person, communityId });
}

/**
 * Explains the permissions of a person in a community that the caller sees or may edit. @throws as
 * {@link explainPost}
 */
export async function explainCommunity(scope: Scope, communityId: number, query: Query): Promise<ExplainResponse> {
  if (!seesCommunity(scope.actor, communityId) && !mayEditCommunity(scope.actor, communityId)) throw notFound();
  const definition = await getDefinition(scope, communityId);
  if (!definition) throw notFound();
  const person = await readPerson(scope, query.userId, communityId);
  const about = { actor: person.actor, community: definition.community };
  const rules = {
    ...communityRules,
    editCommunity: communityEditorRule,
    seeMembers: any<typeof about>(hasRole, communityEditorRule),
    importPosts: all<typeof about>(importRule, isInUse),
  } satisfies Record<keyof typeof communityActions, Rule<never>>;
  const asked = questions<typeof about, keyof typeof rules>(rules, communityActions, about);
  return explain(scope, 'community', query, asked, { person, communityId });
}

/**
 * Explains the administrative rights of a person and their sources. @throws PorticoError FORBIDDEN;
 * ValidationError
 */
export async function explainRights(scope: Scope, query: Query): Promise<ExplainResponse> {
  const person = await readPerson(scope, query.userId);
  const about: { actor: Actor } = person;
  const asked = administrativeRights.map((right) => ({
    capability: right as string,
    action: `do what the right ${right} allows`,
    rule: on(() => about, hasRight(right)),
  }));
  const every = {
    capability: 'everyAdministrativeRight',
    action: 'do what needs every administrative right',
    rule: on(() => about, all(...administrativeRights.map(hasRight))),
  };
  return explain(scope, 'rights', query, [...asked, every], { person });
}

/** Context of an explanation. */
interface Opened {
  person: Person;
  communityId?: number;
  grants?: Sources['grants'];
  /** Definition of the community as the caller sees it, if its fields decide. */
  definition?: CommunityDefinition;
  /** Rule for whether the person sees the post. */
  sight?: Rule<void>;
}

/** Returns the person, and their relation to a post that the caller sees. */
async function openPost(scope: Scope, post: PostRow, query: Query): Promise<Opened & { about: PostCase }> {
  const definition = await definitionOf(scope, post.communityId);
  const person = await readPerson(scope, query.userId, post.communityId);
  const grants = await findGrants(scope.db, post.id, person.actor.principals);
  const asked = person.isCaller ? post.asked : await isAsked(scope.db, post.id, person.actor.userId);
  const about = postCase(person.actor, definition, { ...post, asked });
  const seen: PostSightCase = { ...about, post: { ...post, principals: grants.map(({ principal }) => principal) } };
  return { person, communityId: post.communityId, definition, grants, about, sight: on(() => seen, postSightRule) };
}

/** Operations by the object and the capability that they require. */
const operationsBy = Map.groupBy(
  operationList.flatMap(({ id, permission }) => [
    ...Object.entries<Readonly<Record<string, string>>>(explainedPermissions).flatMap(([object, permissions]) =>
      permissions[permission] === undefined ? [] : [{ id, key: `${object} ${permissions[permission]}` }],
    ),
    ...(explainedOfEachPost[id] === undefined ? [] : [{ id, key: `post ${explainedOfEachPost[id]}` }]),
  ]),
  ({ key }) => key,
);

async function explain(
  scope: Scope,
  object: ExplainedObject,
  query: Query,
  asked: readonly Question[],
  { person, communityId, definition, grants = [], sight }: Opened,
): Promise<ExplainResponse> {
  const { capability, operationId, userId } = query;
  const operationsOf = (question: Question) =>
    (operationsBy.get(`${object} ${question.capability}`) ?? []).map(({ id }) => id);
  const capabilities = [...new Set(asked.map((question) => question.capability))];
  if (capability !== undefined && !capabilities.includes(capability))
    throw invalid('capability', 'INVALID_VALUE', `One of: ${capabilities.join(', ')}.`, capabilities);
  const wanted = asked.filter(
    (question) =>
      (capability === undefined || question.capability === capability) &&
      (operationId === undefined || operationsOf(question).includes(operationId)),
  );
  const explainable = [...new Set(asked.flatMap(operationsOf))];
  if (operationId !== undefined && !explainable.includes(operationId))
    throw invalid('operationId', 'INVALID_VALUE', `One of: ${explainable.join(', ')}.`, explainable);
  const reasons = wanted.map(({ rule }) => withPreconditions(person, sight, rule).explain());
  const sources = { grants, ...(await findSources(scope, person, reasons, communityId)) };
  const groups = await visibleGroupNames(scope.db, scope.actor, groupsIn(reasons, sources));
  const roles = await rolesById(scope.db, rolesIn(reasons));
  const fieldOf = (id: number) => definition?.fieldById.get(id) ?? definition?.workflow?.fieldById.get(id);
  const presenter = new ReasonPresenter(person, sources, { groups, roles, fieldOf });
  return {
    userId: userId ?? person.actor.userId,
    userName: person.name,
    items: wanted.map((question, index) => present(question, reasons[index]!, presenter, operationsOf(question))),
  };
}

const accountIsActive = (person: Person): Rule<void> =>
  fact(() => !person.blocked, {
    kind: 'ACCOUNT',
    yes: () => 'the account is open',
    no: () => 'the account is blocked',
  });

/**
 * Returns the rule with its preconditions: an account that is not blocked, and sight of the post.
 */
function withPreconditions(person: Person, sight: Rule<void> | undefined, rule: Rule<void>): Rule<void> {
  if (person.blocked) return accountIsActive(person);
  return sight ? all(sight, rule) : rule;
}

/** Reads the sources of roles and rights that a reason mentions. */
async function findSources(
  { db }: Scope,
  { actor }: Person,
  reasons: readonly Reason[],
  communityId: number | undefined,
): Promise<Pick<Sources, 'roles' | 'rights'>> {
  const kinds = new Set(reasons.flatMap(factsIn).map(({ kind }) => kind));
  const roles = communityId !== undefined && kinds.has('ROLE') && actor.roles.has(communityId);
  const rights = kinds.has('RIGHT') && actor.rights.size > 0;
  return {
    roles: roles ? await findRoleSources(db, communityId, actor.principals) : [],
    rights: rights ? await findRightSources(db, actor) : [],
  };
}

function present(
  { capability, action, scope, transition }: Question,
  reason: Reason,
  presenter: ReasonPresenter,
  operationIds: readonly string[],
): Explanation {
  const { who } = presenter.speaker;
  const shown = presenter.present(reason);
  const may = `${who.charAt(0).toUpperCase()}${who.slice(1)} may ${reason.holds ? '' : 'not '}`;
  return {
    capability,
    scope,
    ...(transition && { workflowOperationId: transition.id, workflowOperationName: transition.name }),
    operationIds: [...operationIds],
    permitted: reason.holds,
    sentence: `${may}${action}, because ${shown.text}.`,
    reason: shown,
  };
}
