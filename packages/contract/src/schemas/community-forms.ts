/** Forms of workspaces and communities, for those who build them. */
import { WorkspaceMemberRole } from '../codes/defined-codes.ts';
import { longestVersionRetention, maximumFilterText } from '../limits.ts';
import { acknowledgeTaskEnabled, defaultPostVisibility, postSwitches } from './communities.ts';
import {
  bigCount,
  checked,
  code,
  count,
  type Fields,
  flag,
  int32,
  int64,
  languageMap,
  list,
  objectMap,
  page,
  pageInputs,
  required,
  text,
  time,
  token,
  type,
  upload,
  uri,
} from './fields.ts';

const nextOccToken = token('Token for the next edit.');

const workspaceTexts: Fields = {
  name: required(text('Name of the workspace; must not be empty.')),
  translations: languageMap('The name in other languages.'),
  description: languageMap('What the workspace is for, in each language.'),
};

/** Switches of a community and its posts, named as the post definition names them. */
const switches: Fields = {
  draft: flag('True while the community is being prepared: only managers write.'),
  workspaceMemberRoleId: code(
    WorkspaceMemberRole,
    'Role that membership of the workspace gives in the community. A new community gives the role of a reader.',
  ),
  ...postSwitches,
  acknowledgeTaskEnabled,
  eventsEnabled: flag('Whether there are event posts.'),
  initStateChoiceEnabled: flag('Whether authors choose the state in which a post begins.'),
  commentsHiddenFromReaders: flag('Whether readers see no comments.'),
  defaultPostVisibility,
  versionRetentionDays: checked(
    int32(
      `How many days versions of posts are kept after they were replaced, 0 to ${longestVersionRetention}. A new community keeps them for 365 days.`,
    ),
    { minimum: 0, maximum: longestVersionRetention },
  ),
};

const attachmentMaxSize = checked(
  bigCount('Largest attachment, in bytes, at least 1. Left out, the limit of the server holds.'),
  { minimum: 1 },
);
const colorCode = checked(text('Colour of the community, as `#` and six hexadecimal digits.'), {
  pattern: '^(?:#[0-9A-Fa-f]{6})?$',
});

const formFields: Fields = {
  name: text('Name of the community.'),
  description: text('What the community is for.'),
  colorCode,
  externalId: text('Identifier of the community in another system; unique in the tenant.'),
  ...switches,
  attachmentMaxSize,
};
const writeFields: Fields = {
  ...formFields,
  name: required(text('Name of the community; must not be empty.')),
  newCoverImageContentRef: upload('Reference of a picture that was uploaded, to become the cover.'),
};
const workspaceId = int64('Workspace to which the community belongs.');

export const communityFormTypes = {
  GetPostSchemasResponse: type('JSON Schemas of the custom fields of a community.', {
    communityId: int64('The community.'),
    schemas: objectMap('The schemas by name: PostFields, PostFieldsInput, ScreenFields, ScreenFieldsInput.'),
  }),
  WorkspaceElement: type('A workspace, as lists of administration show it.', {
    workspaceId: int64('Id of the workspace.'),
    name: text('Name of the workspace.'),
    externalId: text('Identifier of the workspace in another system.'),
    communitiesCount: count('How many communities it holds.'),
    archivedTimestamp: time('Since when it can only be read; absent while it is in use.'),
    occToken: token('Token for the next edit.'),
  }),
  ListWorkspacesRequest: type('Which workspaces are wanted.', {
    nameFilter: text('Part of the name.', { maxLength: maximumFilterText }),
    archivedToo: flag('Whether archived workspaces are listed too.'),
    ...pageInputs,
  }),
  ListWorkspacesResponse: page('WorkspaceElement', 'A page of workspaces, by name.'),
  ArchiveWorkspaceRequest: type('Whether a workspace is archived.', {
    archived: required(flag('True makes it and its communities such that can only be read; false takes that back.')),
  }),
  ArchiveWorkspaceResponse: type('Whether the workspace is archived.', {
    workspaceId: int64('Id of the workspace.'),
    archivedTimestamp: time('Since when it can only be read; absent while it is in use.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  CreateWorkspaceRequest: type('A new workspace.', {
    ...workspaceTexts,
    externalId: text('Identifier of the workspace in another system; unique in the tenant.'),
  }),
  CreateWorkspaceResponse: type('The workspace that was created.', {
    workspaceId: int64('Id of the workspace.'),
    nextOccToken,
  }),
  ListManagedCommunitiesRequest: type('Which communities are wanted.', {
    nameFilter: text('Part of the name.', { maxLength: maximumFilterText }),
    workspaceId: int64('Only communities of this workspace.'),
    ...pageInputs,
  }),
  ListManagedCommunitiesResponse: page('Community', 'A page of communities, by name.'),
  GetCommunityForEditResponse: type('What can be edited about a community.', {
    ...formFields,
    workspaceId: int64('Workspace to which the community belongs. Read-only here.'),
    coverImageTemporaryContentViewLink: uri(
      'Absolute, short-lived address of the cover picture; absent when there is none. Read-only here.',
    ),
    occToken: token('Token to send back with the next edit.'),
  }),
  CreateCommunityRequest: type(
    'A new community. Whoever creates it becomes its manager; switches that are left out take their defaults.',
    { ...writeFields, workspaceId: required(workspaceId) },
  ),
  CreateCommunityResponse: type('The community that was created.', {
    communityId: int64('Id of the community.'),
    nextOccToken,
  }),
  EditCommunityRequest: type(
    'New settings of a community. Texts, colour and limit that are left out are emptied; switches and the cover keep their value.',
    {
      ...writeFields,
      removeCoverImage: flag('Removes the cover picture.'),
      occToken: required(token('Token that the form gave; a stale one is a 409.')),
    },
  ),
  ArchiveCommunityRequest: type('Whether a community is archived.', {
    archived: required(flag('True makes it a community that can only be read; false takes that back.')),
  }),
  ArchiveCommunityResponse: type('Whether the community is archived.', {
    communityId: int64('Id of the community.'),
    archivedTimestamp: time(
      'Since when it can only be read, because it or its workspace is archived; absent while it is in use.',
    ),
    nextOccToken,
  }),
  MoveCommunityRequest: type('Where a community belongs.', { workspaceId: required(workspaceId) }),
  MoveCommunityResponse: type('Where the community is, and whose sight of it changed.', {
    communityId: int64('Id of the community.'),
    workspaceId,
    gainingUsers: list('User', 'Accounts that see it from then on, the first thousand.'),
    gainingUsersCount: count('How many see it from then on.'),
    losingUsers: list('User', 'Accounts that no longer see it, the first thousand.'),
    losingUsersCount: count('How many no longer see it.'),
    nextOccToken,
  }),
  EditCommunityResponse: type('Result of the edit of a community.', { nextOccToken }),
};
