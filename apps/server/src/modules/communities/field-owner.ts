/** Whose field it is: of a community's posts, or of a workflow's screens. */
export type FieldOwner = { communityId: number } | { workflowId: number };

/** The owner as the two columns of table `fields`. */
export function ownerColumns(owner: FieldOwner): [communityId: number | null, workflowId: number | null] {
  return 'communityId' in owner ? [owner.communityId, null] : [null, owner.workflowId];
}
