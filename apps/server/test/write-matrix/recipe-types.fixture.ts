/** What a recipe of the write matrix says. */
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
  /** Who may: an administrator, the author of the post or a manager of its community. */
  by: 'admin' | 'author' | 'manager';
  /**
   * Whoever sees the object may; `anyone`: whoever is signed in, the answer being about nothing but the caller; `own`: it is
   * done to what the caller has, and what others have is out of reach.
   */
  open?: 'seen' | 'anyone' | 'own';
  /** Whoever does not see the object is told that there is none, although an administrator may do it. */
  unseen?: true;
  /** Whoever may not is told that there is none, although they may see the object once it is done. */
  hidden?: true;
  /** The audit log records it, although it is neither an administrator's nor done to what only the caller has. */
  audited?: true;
  /** It changes nothing but what the caller alone sees of the post, of which dry runs do not tell. */
  quiet?: true;
  /** Makes what the write is done to, afresh. */
  prepare(world: TestWorld): Promise<Call>;
  /** Where the token is. */
  token?: 'occToken' | 'screenOccToken' | 'body.occToken' | 'body.screenOccToken';
  /** It takes away what it is done to: with the present token there is nothing to do it to again. */
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
