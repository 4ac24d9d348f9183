/** Events of the history on the wire (contract: PostActivityHistoryEvent). What has no value is left out (ruling 5). */
import {
  type Community,
  HistoryType,
  type JsonValue,
  type PostActivityHistoryEvent,
  type PostAttachmentData,
  type PostAttachmentVersion,
  type PostComment,
  type PostWorkflowDefinitionTransition,
  type Task,
  type User,
  type Workspace,
} from '@portico/contract';
import type { FileLinks } from '../../platform/files/index.ts';
import { ALL_LINKS, type AttachmentLinkFlags, presentAttachment } from '../attachments/index.ts';
import type { PostRow } from '../posts/parts/index.ts';
import type { EventRow, HistoryFileRow, VersionRow } from './history.repository.ts';

/** What events name, loaded in bulk. */
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
  screenValues: (data: Readonly<Record<string, unknown>>) => Record<string, JsonValue>;
  links: FileLinks;
}

/** Names of the kinds of event, in English. */
export const historyTypeNames: Readonly<Record<HistoryType, string>> = {
  [HistoryType.POST_CREATED]: 'Post created',
  [HistoryType.POST_MODIFIED]: 'Post modified',
  [HistoryType.COMMENT_ADDED]: 'Comment added',
  [HistoryType.MENTIONED_IN_POST]: 'Mentioned in the post',
  [HistoryType.MENTIONED_IN_COMMENT]: 'Mentioned in a comment',
  [HistoryType.WORKFLOW_OPERATION]: 'Workflow operation run',
  [HistoryType.LIKE_ADDED]: 'Like added',
  [HistoryType.LIKE_REMOVED]: 'Like removed',
  [HistoryType.WORKSPACE_CREATED]: 'Workspace created',
  [HistoryType.WORKSPACE_MODIFIED]: 'Workspace modified',
  [HistoryType.ATTACHMENT_ADDED]: 'Attachment added',
  [HistoryType.ATTACHMENT_REMOVED]: 'Attachment removed',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'New version of an attachment',
  [HistoryType.POST_COPIED]: 'Post copied',
  [HistoryType.POST_DELETED]: 'Post deleted',
  [HistoryType.COMMENT_DELETED]: 'Comment deleted',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'Workflow screen modified',
  [HistoryType.TASK_ASSIGNED]: 'Task assigned',
  [HistoryType.MENTIONED_IN_TASK]: 'Mentioned in a task',
  [HistoryType.MENTIONED_IN_TASK_COMMENT]: 'Mentioned in a comment of a task',
};

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

/** A removed file keeps its name in the history, but no link leads to its bytes. */
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

/** An event as one reader sees it. */
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
    updatedWorkflowScreenFieldIds: details.screenFieldIds,
    attachment: presentFile(event.attachmentId, references),
    attachmentVersion: presentVersion(event, references),
    comment: event.commentId === null ? undefined : references.comments.get(event.commentId),
    tasks: event.taskIds?.flatMap((id) => references.tasks.get(id) ?? []),
    addedAttachmentsCount: details.addedAttachmentsCount,
    removedAttachmentsCount: details.removedAttachmentsCount,
    updatedAttachmentsCount: details.updatedAttachmentsCount,
    versionedAttachmentsCount: details.versionedAttachmentsCount,
    notes: details.notes,
    authorUser: references.users.get(event.authorId),
  };
}
