/** Where the contract declares otherwise than the description of the interface, and why. */
import type { OperationId } from '../operations/index.ts';
import type { DeclaredName } from '../schemas/index.ts';

/** Another body of an answer than the described one. */
interface AnswerDeviation {
  readonly status: number;
  readonly declared: DeclaredName;
  readonly reason: string;
}

export const answerDeviations: Readonly<Partial<Record<OperationId, AnswerDeviation>>> = {
  editCatalogEntryDeleted: {
    status: 200,
    declared: 'EditCatalogEntryDeletedResponse',
    reason: 'The described body names the catalog alone; live answers name the entry. Ours names both.',
  },
  deleteTask: {
    status: 200,
    declared: 'DeleteTaskResponse',
    reason:
      'No body is described, though the type is; live answers name the post, and a client that expects none ignores it.',
  },
};

const conditions =
  'The described rule says that there is a condition, not which; clients that show forms need it, and others know the rule.';

const fieldAdditions =
  'Labels and values by language, sections and defaults of fields are settings of Portico alone; clients that know none of them ignore them.';

const kindOfPost =
  'Programs must tell events from other posts to choose the form that edits them; `PostBaseInfo` has it.';

const rights = 'Forms of Portico alone give and revoke administrative rights.';

/** Why types of the interface have fields beside those described, by type; the fields are in `extensionFields`. */
const imported = 'Archives bring posts from other portals, which must not look like work of this one.';

export const fieldDeviations: Readonly<Record<string, string>> = {
  Community: 'Archiving is an operation of Portico alone.',
  GetWorkspaceForEditResponse: 'Archiving is an operation of Portico alone.',
  ListCommunityPostsFilteredRequest:
    'The specification has the filters of posts at the top of the body, the description in a block; both are taken.',
  CommunityPostFilters: 'The page reads changed posts of a list by one request of their ids.',
  EditPostAttachmentsRequest: 'The page takes the removal of an attachment back.',
  EditCatalogEntryDeletedResponse:
    'Existing clients read the catalog that the described answer names; live answers name the entry.',
  EditMultipleGroupsMembersResponse:
    'A group in neither described list was left as it is; programs must learn why to do something about it.',
  BaseListPostsElement: kindOfPost,
  BasePostsStreamChunkElement: kindOfPost,
  GetPostDetailResponse: `${kindOfPost} What a person chose about a post is shown with it. ${imported}`,
  GetPostCapabilitiesResponse: 'Pinning, announcing and acknowledging are operations of Portico alone.',
  PostDetail: `${kindOfPost} ${imported}`,
  PostComment: imported,
  PostActivityHistoryEvent: imported,
  User: imported,
  InvitationUser: imported,
  CurrentUserData: imported,
  PostFieldConfigEnumValue: fieldAdditions,
  PostWorkflowDefinitionScreenFielEnumValue: fieldAdditions,
  PostFieldDefinition: `${conditions} ${fieldAdditions}`,
  PostWorkflowDefinitionScreenField: fieldAdditions,
  PostWorkflowDefinitionScreenFieldAssociation: `${conditions} ${fieldAdditions}`,
  ExecutePostWorkflowOperationRequest:
    'Existing clients leave out what their users emptied; defaults are written where the request asks.',
  CreateCustomPostRequest:
    'Existing clients leave out what their users emptied; defaults are written where the request asks.',
  UserInfo: 'An older generation of clients writes the profile with the user, and reads it back in the form.',
  UserProfileInfo: 'Portico mails a digest of notifications, at an hour that people choose.',
  ListSystemUsersElement: `Administrators must see whose user name looks like that of somebody else. ${imported}`,
  ListSystemGroupsRequest: 'Administrators filter groups by role.',
  ListSystemUsersRequest: 'Administrators filter people by group and role, and list their rights and groups.',
  CreateUserRequest: rights,
  EditUserRequest: rights,
  GetUserForEditResponse: rights,
  CreateGroupRequest: rights,
  EditGroupRequest: rights,
  GetGroupForEditResponse: rights,
};
