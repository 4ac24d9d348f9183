/**
 * Reads one attachment, and checks the visibility of attachments (operations
 * getAttachmentDetailById, checkAttachmentVisibility).
 */
import {
  AttachmentEntityType,
  type CheckVisibilityResponse,
  type GetPostAttachmentDetailResponse,
  type PostBaseInfo,
  type User,
} from '@portico/contract';
import { seesComments } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinitions, presentHashtag, presentState } from '../../communities/index.ts';
import { type AttachmentLinkFlags, presentAttachment } from '../../files/index.ts';
import { usersOf } from '../../people/index.ts';
import { definitionOf } from '../../post-parts/index.ts';
import { type AttachmentPostRow, findAttachment, findVisible } from './attachments.repository.ts';

/** The largest version number that the database can hold. */
const MAX_VERSION = 2_147_483_647;

/**
 * Returns an attachment with its post. Two statements, beside the definition.
 * @param version an earlier version; omitted: the present one
 * @throws PorticoError NOT_FOUND for an attachment or version that is unknown or that the caller
 *   does not see, alike
 */
export async function readAttachment(
  scope: Scope,
  attachmentId: number,
  version: number | undefined,
  flags: AttachmentLinkFlags,
): Promise<GetPostAttachmentDetailResponse> {
  if (version !== undefined && (version < 1 || version > MAX_VERSION)) throw notFound();
  const row = await findAttachment(scope.db, scope.actor, attachmentId, version);
  if (!row) throw notFound();
  const definition = await definitionOf(scope, row.post.communityId);
  if (!isShown(scope, definition, row.entityType)) throw notFound();
  const users = await usersOf(scope, scope.db, [row.creatorId, row.modifierId, row.post.creatorId]);
  const hashtags = new Map([[row.id, row.hashtags.map(presentHashtag)]]);
  return {
    attachmentData: presentAttachment(row, { users, hashtags }, fileLinks(scope), flags),
    post: presentPost(row.post, definition, users),
  };
}

function presentPost(
  row: AttachmentPostRow,
  definition: CommunityDefinition,
  users: ReadonlyMap<number, User>,
): PostBaseInfo {
  const state = row.stateId === null ? undefined : definition.workflow?.stateById.get(row.stateId);
  const creator = users.get(row.creatorId);
  return {
    id: row.id,
    communityId: row.communityId,
    customId: row.customId,
    type: row.type,
    surveyType: row.surveyType ?? undefined,
    title: row.title ?? undefined,
    clientUid: row.clientUid ?? undefined,
    visibility: row.visibility,
    announcement: row.announcement,
    creatorUser: creator,
    currentWorkflowState: state ? presentState(state) : undefined,
    deleted: false,
    occToken: row.version,
  };
}

/** Attachments of comments are visible to users who see the comments. */
function isShown(scope: Scope, definition: CommunityDefinition, entityType: number): boolean {
  return entityType !== AttachmentEntityType.COMMENT || seesComments(scope.actor, definition.community);
}

/**
 * Returns the visible attachments among the given ones, in the order of the ids. Sends one
 * statement, beside the definitions.
 */
export async function checkAttachmentVisibility(
  scope: Scope,
  ids: readonly number[],
): Promise<CheckVisibilityResponse> {
  const wanted = [...new Set(ids)];
  const rows = await findVisible(scope.db, scope.actor, wanted);
  const ofComments = rows.filter((row) => row.entityType === AttachmentEntityType.COMMENT);
  const definitions = await getDefinitions(scope, [...new Set(ofComments.map((row) => row.communityId))]);
  const visible = new Set<number>();
  for (const row of rows) {
    const definition = definitions.get(row.communityId);
    if (row.entityType !== AttachmentEntityType.COMMENT || (definition && isShown(scope, definition, row.entityType))) {
      visible.add(row.id);
    }
  }
  return { ids: wanted.filter((id) => visible.has(id)) };
}
