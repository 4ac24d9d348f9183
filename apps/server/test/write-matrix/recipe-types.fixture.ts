/** Types of the recipes of the write matrix. */
import type { TestWorld } from '../support/test-world.ts';

export type Body = Record<string, unknown>;
/** Kinds of objects that ids in paths and bodies name. */
export type Kind =
  | 'postId'
  | 'communityId'
  | 'userId'
  | 'groupId'
  | 'catalogId'
  | 'entryId'
  | 'workspaceId'
  | 'taskId'
  | 'workflowOperationId'
  | 'attachmentId'
  | 'commentId'
  | 'viewId';

/** Inputs of one request that succeeds. */
export interface Call {
  params: Record<string, number>;
  body?: Body;
}

export interface Recipe {
  /** Permitted caller: an administrator, the author of the post or a manager of its community. */
  by: 'admin' | 'author' | 'manager';
  /**
   * Also permitted: `seen`: everybody who sees the object; `anyone`: every signed-in user, with a
   * response about the caller alone; `own`: the write changes the caller's own data, and other
   * users' data is out of reach.
   */
  open?: 'seen' | 'anyone' | 'own';
  /** A caller who does not see the object gets "not found", although an administrator may do it. */
  unseen?: true;
  /**
   * A caller without the right gets "not found", although they may see the object once it is done.
   */
  hidden?: true;
  /**
   * The audit log records it, although it is neither an administrator's write nor one to the
   * caller's own data.
   */
  audited?: true;
  /** It changes no object: only the caller's own view of a post, or messages that are sent. */
  quiet?: true;
  /** Creates the object of the write, afresh. */
  prepare(world: TestWorld): Promise<Call>;
  /** Where the token is. */
  token?: 'occToken' | 'screenOccToken' | 'body.occToken' | 'body.screenOccToken';
  /** It removes its object: with the present token there is nothing to repeat it on. */
  once?: true;
  /** A copy compares its source's token and leaves it. */
  keepsToken?: true;
  /** Another acceptable body, where the operation has one. */
  other?: Body;
  /** Changes to the body that are refused with 400, and the faults that must be told (`field CODE`). */
  refused?: { change: Body; faults: string[] }[];
  /** Changes to the body that put an id of the kind where the operation takes one. */
  references?: { kind: Kind; change(id: number): Body }[];
}
