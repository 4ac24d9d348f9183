/**
 * Model of a tenant's contents and permissions, as simple as possible: in memory, without tokens of
 * transactions, SQL or caches. The random test compares every read of the server with it.
 */

type Role = 1 | 2 | 3;
/** A user id, or a negated group id. */
type Principal = number;

export interface ModelPost {
  id: number;
  token: number;
  screenToken: number;
  customNo: number;
  creator: number;
  title: string;
  text: string;
  mentions: number[];
  data: { Text?: string; Number?: number; People?: number[] };
  visibility: 1 | 2;
  draft: boolean;
  deleted: boolean;
  state: string;
  screen: { Reason?: string; Score?: number };
  watchers: Set<number>;
  comments: ModelComment[];
  files: { id: number; name: string }[];
  /** Events by type. */
  history: Map<number, number>;
}

interface ModelComment {
  id: number;
  author: number;
  text: string;
  parent: number | undefined;
}

export interface ModelTask {
  id: number;
  postId: number;
  token: number;
  creator: number;
  title: string;
  assignee: Principal;
  steps: { description: string; state: number }[];
  priority: number | undefined;
  watchers: Set<number>;
  deleted: boolean;
}

export interface ModelGroup {
  id: number;
  token: number;
  name: string;
  members: Set<number>;
  visible: boolean;
  deleted: boolean;
}

interface ModelUser {
  id: number;
  token: number;
  firstname: string;
  contactEmail: string | undefined;
  deleted: boolean;
}

export interface ModelCatalog {
  id: number;
  token: number;
  name: string;
  deleted: boolean;
  entries: Map<number, { token: number; label: string; deleted: boolean }>;
}

interface ModelTransition {
  id: number;
  name: string;
  from: string;
  to: string;
  screen: boolean;
  role?: Role;
  group?: number;
  byAuthor?: boolean;
}

const TERMINAL = 'Done';

export class Model {
  readonly roles = new Map<number, Role>();
  readonly posts = new Map<number, ModelPost>();
  readonly tasks = new Map<number, ModelTask>();
  readonly groups = new Map<number, ModelGroup>();
  /** Users that the test makes; the fixed people are not among them. */
  readonly users = new Map<number, ModelUser>();
  readonly catalogs = new Map<number, ModelCatalog>();
  /** The user who manages users. */
  administrator = 0;
  transitions: ModelTransition[] = [];
  workspace = { token: 0, name: '' };
  lastCustomNo = 0;

  inGroup(user: number, groupId: number): boolean {
    const group = this.groups.get(groupId);
    return group !== undefined && !group.deleted && group.members.has(user);
  }

  /** Groups that are not visible are known to their members, and to who manages users. */
  knowsGroup(user: number, groupId: number): boolean {
    return this.groups.get(groupId)?.visible || this.inGroup(user, groupId) || user === this.administrator;
  }

  is(user: number, principal: Principal): boolean {
    return principal > 0 ? principal === user : this.inGroup(user, -principal);
  }

  tasksOf(post: ModelPost): ModelTask[] {
    return [...this.tasks.values()].filter((task) => task.postId === post.id && !task.deleted);
  }

  sees(user: number, post: ModelPost): boolean {
    const role = this.roles.get(user);
    if (role === undefined || post.deleted) return false;
    if (post.draft) return post.creator === user;
    if (post.visibility === 2 || role === 1) return true;
    return (
      post.creator === user ||
      post.watchers.has(user) ||
      (post.data.People ?? []).includes(user) ||
      this.tasksOf(post).some((task) => this.is(user, task.assignee))
    );
  }

  mayModify(user: number, post: ModelPost): boolean {
    const role = this.roles.get(user);
    return role === 1 || (role === 2 && post.creator === user);
  }

  writes(user: number): boolean {
    return (this.roles.get(user) ?? 3) < 3;
  }

  mayRun(user: number, transition: ModelTransition, post: ModelPost): boolean {
    const role = this.roles.get(user);
    if (role === undefined || post.draft) return false;
    return (
      (transition.role !== undefined && role <= transition.role) ||
      (transition.group !== undefined && this.inGroup(user, transition.group)) ||
      (transition.byAuthor === true && post.creator === user)
    );
  }

  permitted(user: number, post: ModelPost): ModelTransition[] {
    return this.transitions.filter(
      (one) => one.from === post.state && one.from !== TERMINAL && this.mayRun(user, one, post),
    );
  }

  /** The screen of Open is its author's and the managers', that of Review the managers'. */
  mayEditScreen(user: number, post: ModelPost, state: string): boolean {
    if (post.draft || this.roles.get(user) === undefined) return false;
    return (state !== TERMINAL && this.roles.get(user) === 1) || (state === 'Open' && post.creator === user);
  }

  capabilities(user: number, post: ModelPost): object {
    const modify = this.mayModify(user, post);
    const writes = this.writes(user);
    const own = this.roles.get(user) === 1 ? 2 : 1;
    const comments = post.draft || !writes ? 0 : own;
    return {
      canViewDetail: true,
      canModify: modify,
      canCopy: writes,
      canDelete: modify,
      canViewComment: true,
      canAddComment: !post.draft && writes,
      canEditComment: comments,
      canDeleteComment: comments,
      canEditLike: !post.draft,
      canEditFollow: !post.draft,
      canEditAttachments: modify,
      canEditVisibility: modify,
      canCreateTask: !post.draft && writes,
      canEditWorkflowScreenData: this.mayEditScreen(user, post, post.state),
      canPin: !post.draft && this.roles.get(user) === 1,
      canAnnounce: !post.draft && this.roles.get(user) === 1,
      canRequestAcknowledgements: !post.draft && modify,
      canAcknowledge: false,
      workflowPermittedOperations: post.draft ? [] : this.permitted(user, post).map(({ name }) => name),
    };
  }

  mayEditTask(user: number, task: ModelTask): boolean {
    return this.writes(user) && (this.roles.get(user) === 1 || task.creator === user);
  }
}

export function note(post: ModelPost, type: number, count = 1): void {
  if (count > 0) post.history.set(type, (post.history.get(type) ?? 0) + count);
}
