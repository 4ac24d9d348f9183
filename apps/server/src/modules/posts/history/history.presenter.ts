/**
 * Presents history events to clients (contract: PostActivityHistoryEvent). Omits properties without
 * a value (docs/decisions/types.md).
 */

import type {
  Community,
  HistoryType,
  JsonValue,
  PostActivityHistoryEvent,
  PostAttachmentData,
  PostAttachmentVersion,
  PostComment,
  PostWorkflowDefinitionTransition,
  Task,
  User,
  Workspace,
} from '@portico/contract';
import type { FileLinks } from '../../../kernel/file-links.ts';
import { historyTypeNames } from '../../../kernel/history-types.ts';
import { ALL_LINKS, type AttachmentLinkFlags, presentAttachment } from '../../files/index.ts';
import type { PostRow } from '../../post-parts/index.ts';
import type { EventRow, HistoryFileRow, VersionRow } from './history.repository.ts';

/** Rows that events refer to, loaded in bulk. */
export interface EventReferences {
  post: PostRow;
  community: Community | undefined;
  workspace: Workspace | undefined;
  users: ReadonlyMap<number, User>;
  comments: ReadonlyMap<number, PostComment>;
  tasks: ReadonlyMap<number, Task>;
  files: ReadonlyMap<number, HistoryFileRow>;
  /** By `attachment-version`. */
  versions: ReadonlyMap<string, VersionRow>;
  transition: (id: number) => PostWorkflowDefinitionTransition | undefined;
  /** Fields that the reader does not see. */
  hiddenFieldIds: ReadonlySet<number>;
  screenValues: (data: Readonly<Record<string, unknown>>) => Record<string, JsonValue>;
  links: FileLinks;
}

const NO_LINKS: AttachmentLinkFlags = {
  view: false,
  download: false,
  preview: false,
  previewAnimated: false,
  previewHiRes: false,
  previewHiResAnimated: false,
};

export function versionKey(attachmentId: number, versionNumber: number): string {
  return `${attachmentId}-${versionNumber}`;
}

/** A removed file keeps its name in the history, without a link. */
function presentFile(id: number | null, references: EventReferences): PostAttachmentData | undefined {
  const row = id === null ? undefined : references.files.get(id);
  if (!row) return undefined;
  const { users, links } = references;
  return presentAttachment(
    row,
    { users, hashtags: new Map([[row.id, row.hashtags]]) },
    links,
    row.deleted ? NO_LINKS : ALL_LINKS,
  );
}

function presentVersion(event: EventRow, references: EventReferences): PostAttachmentVersion | undefined {
  if (event.attachmentId === null || event.attachmentVersion === null) return undefined;
  const file = references.files.get(event.attachmentId);
  const version = references.versions.get(versionKey(event.attachmentId, event.attachmentVersion));
  if (!file || !version) return undefined;
  const { attachmentId: _, ...content } = version;
  const asFile = { ...file, ...content, modifierId: version.creatorId, modifiedAt: version.createdAt };
  const { users, links } = references;
  const {
    type: _type,
    hashtags: _hashtags,
    referencedId: _referencedId,
    reference: _reference,
    ...fields
  } = presentAttachment(asFile, { users }, links, file.deleted ? NO_LINKS : ALL_LINKS);
  return fields;
}

/** Returns an event as one reader sees it. */
export function presentHistoryEvent(event: EventRow, references: EventReferences): PostActivityHistoryEvent {
  const { details } = event;
  const { post } = references;
  return {
    id: event.id,
    timestamp: event.at,
    typeId: event.typeId,
    typeDescription: historyTypeNames[event.typeId as HistoryType],
    workspace: references.workspace,
    community: references.community,
    postId: post.id,
    postCustomId: String(post.customNo),
    postCurrentTitle: post.title ?? undefined,
    postBeforeUpdateTitle: details.titleBefore,
    postAfterUpdateTitle: details.titleAfter,
    targetUser: event.targetUserId === null ? undefined : references.users.get(event.targetUserId),
    postWorkflowOperationDetail: event.transitionId === null ? undefined : references.transition(event.transitionId),
    workflowScreenData: details.screenData && references.screenValues(details.screenData),
    updatedWorkflowScreenFieldIds: details.screenFieldIds?.filter((id) => !references.hiddenFieldIds.has(id)),
    attachment: presentFile(event.attachmentId, references),
    attachmentVersion: presentVersion(event, references),
    comment: event.commentId === null ? undefined : references.comments.get(event.commentId),
    tasks: event.taskIds?.flatMap((id) => references.tasks.get(id) ?? []),
    addedAttachmentsCount: details.addedAttachmentsCount,
    removedAttachmentsCount: details.removedAttachmentsCount,
    updatedAttachmentsCount: details.updatedAttachmentsCount,
    versionedAttachmentsCount: details.versionedAttachmentsCount,
    notes: details.notes,
    imported: (post.importedAt !== null && event.at <= post.importedAt) || undefined,
    authorUser: references.users.get(event.authorId),
  };
}
