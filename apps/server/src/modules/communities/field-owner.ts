/** Owner of a field: the posts of a community, or the screens of a workflow. */
export type FieldOwner = { communityId: number } | { workflowId: number };

/** Returns the owner as the two columns of table `fields`. */
export function ownerColumns(owner: FieldOwner): [communityId: number | null, workflowId: number | null] {
  return 'communityId' in owner ? [owner.communityId, null] : [null, owner.workflowId];
}
