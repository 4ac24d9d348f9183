/** The forms that writes start from: for create, edit and copy, of ordinary posts and of events. */
import {
  EventAnswer,
  type EventPostData,
  type EventPostEditableContentData,
  type GetCustomPostForCopyResponse,
  type GetCustomPostForCreateResponse,
  type GetCustomPostForEditResponse,
  type GetEventPostForCopyResponse,
  type GetEventPostForCreateResponse,
  type GetEventPostForEditResponse,
  type InvitationGroup,
  type InvitationUser,
  type PostDetail,
  type PostEditableContentData,
  PostType,
} from '@portico/contract';
import { readAtOnce, type WriteScope } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { presentState } from '../../communities/index.ts';
import { peopleBehind } from '../../post-parts/index.ts';
import { presentEvent } from '../reading/present-event.ts';
import { presentPostDetail } from '../reading/read-post.ts';
import { requireCreatable } from './create-post.ts';
import { readInvited } from './edit-rows.ts';
import { openPost, type PostState, storedEvent } from './open-post.ts';
import { initialStates } from './post-settings.ts';

/** Fields that new posts and new events share: empty content. */
const newContent = () => ({
  announcement: false,
  attachments: [],
  mentions: [],
  watchers: [],
  watcherUsers: [],
  watcherGroups: [],
  hashtags: [],
  draft: false,
});

/** Returns the starting values of a new post. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function getCustomPostForCreate(
  scope: Scope,
  communityId: number,
): Promise<GetCustomPostForCreateResponse> {
  return readAtOnce(scope, async (read) => {
    const definition = await requireCreatable(read, communityId, false);
    const [initial] = initialStates(definition);
    return {
      contentData: {
        ...newContent(),
        visibility: definition.community.defaultVisibility,
        customData: {},
        currentWorkflowScreenData: {},
        ...(initial && { draftData: { workflowInitState: presentState(initial) } }),
      },
    };
  });
}

/** Returns the starting values of a new event. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function getEventPostForCreate(scope: Scope, communityId: number): Promise<GetEventPostForCreateResponse> {
  return readAtOnce(scope, async (read) => {
    const { community } = await requireCreatable(read, communityId, true);
    return {
      contentData: {
        ...newContent(),
        visibility: community.defaultVisibility,
        pinned: false,
        event: {
          allDay: false,
          participantsCount: 0,
          participate: false,
          invitations: { users: [], groups: [], sendEditPostNotifications: false },
        },
      },
    };
  });
}

/**
 * Returns the editable content that all posts share, and the token. @throws PorticoError NOT_FOUND,
 * FORBIDDEN
 */
export async function getCustomPostForEdit(
  scope: Scope,
  postId: number,
  loadAttachments: boolean,
): Promise<GetCustomPostForEditResponse> {
  return readAtOnce(scope, async (read) => {
    const { post, detail } = await open(read, postId, 'canModify', false);
    return { contentData: contentOf(detail, loadAttachments), occToken: post.version, ...headOf(detail) };
  });
}

/**
 * Returns the starting values of a copy of a post, and the source's token. @throws PorticoError
 * NOT_FOUND, FORBIDDEN
 */
export async function getCustomPostForCopy(
  scope: Scope,
  postId: number,
  loadAttachments: boolean,
): Promise<GetCustomPostForCopyResponse> {
  return readAtOnce(scope, async (read) => {
    const { post, detail } = await open(read, postId, 'canCopy', false);
    return { contentData: contentOf(detail, loadAttachments), occToken: post.version };
  });
}

/**
 * Returns the editable content of an event, and its token. @throws PorticoError NOT_FOUND,
 * FORBIDDEN
 */
export async function getEventPostForEdit(
  scope: Scope,
  postId: number,
  loadAttachments: boolean,
): Promise<GetEventPostForEditResponse> {
  return readAtOnce(scope, async (read) => {
    const { post, detail } = await open(read, postId, 'canModify', true);
    const { currentWorkflowState: _state, ...head } = headOf(detail);
    return {
      coverImage: detail.coverImage,
      occToken: post.version,
      ...head,
      type: post.type,
      ...(post.linkPreview && { linkPreview: post.linkPreview }),
      contentData: await eventContentOf(read, post, detail, loadAttachments),
    };
  });
}

/**
 * Returns the starting values of a copy of an event, and the source's token. @throws PorticoError
 * NOT_FOUND, FORBIDDEN
 */
export async function getEventPostForCopy(
  scope: Scope,
  postId: number,
  loadAttachments: boolean,
): Promise<GetEventPostForCopyResponse> {
  return readAtOnce(scope, async (read) => {
    const { post, detail } = await open(read, postId, 'canCopy', true);
    return {
      coverImage: detail.coverImage,
      occToken: post.version,
      contentData: await eventContentOf(read, post, detail, loadAttachments),
    };
  });
}

async function open(read: WriteScope, postId: number, need: 'canModify' | 'canCopy', event: boolean) {
  const { post } = await openPost(read, postId, { need, hold: false, types: event ? [PostType.EVENT] : undefined });
  return { post, detail: await presentPostDetail(read, postId, true) };
}

/** Returns the fields that forms of ordinary posts and of events share. */
function commonContentOf(detail: PostDetail, loadAttachments: boolean) {
  return {
    title: detail.title,
    descriptionDelta: detail.descriptionDelta,
    descriptionPlainText: detail.descriptionPlainText,
    visibility: detail.visibility,
    announcement: detail.announcement,
    attachments: loadAttachments ? detail.attachments : undefined,
    mentions: detail.mentions,
    watchers: detail.watchers,
    watcherUsers: detail.watcherUsers,
    watcherGroups: detail.watcherGroups,
    hashtags: detail.hashtags,
    draft: detail.draft,
    scheduledPublication: detail.scheduledPublication,
    scheduledPublicationResult: detail.scheduledPublicationResult,
  };
}

function contentOf(detail: PostDetail, loadAttachments: boolean): PostEditableContentData {
  return {
    ...commonContentOf(detail, loadAttachments),
    customData: detail.customData,
    currentWorkflowScreenData: detail.currentWorkflowScreenData,
    ...(detail.draftData && { draftData: detail.draftData }),
  };
}

function headOf(detail: PostDetail) {
  return {
    communityId: detail.communityId,
    customId: detail.customId,
    currentWorkflowState: detail.currentWorkflowState,
    creatorUser: detail.creatorUser,
    creationTimestamp: detail.creationTimestamp,
    lastModifyUser: detail.lastModifyUser,
    lastModifyTimestamp: detail.lastModifyTimestamp,
    lastOperationTimestamp: detail.lastOperationTimestamp,
  };
}

async function eventContentOf(
  read: WriteScope,
  post: PostState,
  detail: PostDetail,
  loadAttachments: boolean,
): Promise<EventPostEditableContentData> {
  return {
    ...commonContentOf(detail, loadAttachments),
    ...(post.coverContentRef !== null && { coverImageContentRef: post.coverContentRef }),
    pinned: post.pinned,
    event: await eventOf(read, post),
  };
}

/** Returns time, place, invitations and answers of an event. */
async function eventOf(read: WriteScope, post: PostState): Promise<EventPostData> {
  const invited = await readInvited(read, post.id);
  const principals = [...invited.keys()];
  const userIds = principals.filter((principal) => principal > 0);
  const groupIds = principals.filter((principal) => principal < 0).map((principal) => -principal);
  const { users, groups } = await peopleBehind(read, read.tx, principals);
  const [answers] = await read.tx.query<{ yes: number; mine: EventAnswer | null }>(
    `SELECT p.participants_count AS yes,
            (SELECT a.type_id FROM event_answers a
              WHERE a.tenant_id = $1 AND a.post_id = p.id AND a.user_id = $3) AS mine
       FROM posts p WHERE p.tenant_id = $1 AND p.id = $2`,
    [read.tx.tenantId, post.id, read.actor.userId],
  );
  return {
    ...presentEvent(storedEvent(post)),
    participantsCount: answers?.yes ?? 0,
    participate: answers?.mine === EventAnswer.YES,
    ...(answers?.mine && { participateTypeId: answers.mine }),
    invitations: {
      users: userIds.flatMap((id): InvitationUser[] => {
        const user = users.get(id);
        return user ? [{ ...user, typeId: invited.get(id)! }] : [];
      }),
      groups: groupIds.flatMap((id): InvitationGroup[] => {
        const group = groups.get(id);
        return group ? [{ ...group, typeId: invited.get(-id)! }] : [];
      }),
      sendEditPostNotifications: post.eventNotifyInvited ?? false,
    },
  };
}
