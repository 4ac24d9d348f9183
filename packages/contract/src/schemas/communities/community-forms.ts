/** Forms of workspaces and communities, for the builders of communities. */
import { WorkspaceMemberRole } from '../../codes/defined-codes.ts';
import { longestVersionRetention, maximumFilterText } from '../../limits.ts';
import * as t from '../fields.ts';
import { acknowledgeTaskEnabled, defaultPostVisibility, postSwitches } from './communities.ts';

const nextOccToken = t.token('Token for the next edit.');

const workspaceTexts: t.Fields = {
  name: t.required(t.name('Name of the workspace; must not be empty.')),
  translations: t.nameMap('The name in other languages.'),
  description: t.languageMap('Purpose of the workspace, in each language.'),
};

/** Switches of a community and its posts, with the names of the post definition. */
const switches: t.Fields = {
  draft: t.flag('True while the community is being prepared: only managers write.'),
  workspaceMemberRoleId: t.code(
    WorkspaceMemberRole,
    'Role that membership of the workspace gives in the community. A new community gives the role of a reader.',
  ),
  ...postSwitches,
  acknowledgeTaskEnabled,
  eventsEnabled: t.flag('Whether there are event posts.'),
  initStateChoiceEnabled: t.flag('Whether authors choose the state in which a post begins.'),
  commentsHiddenFromReaders: t.flag('Whether readers see no comments.'),
  defaultPostVisibility,
  versionRetentionDays: t.checked(
    t.int32(
      `Days that replaced versions of posts are kept, 0 to ${longestVersionRetention}. A new ` +
        'community keeps them for 365 days.',
    ),
    { minimum: 0, maximum: longestVersionRetention },
  ),
};

const attachmentMaxSize = t.checked(
  t.bigCount('Maximum size of an attachment, in bytes, at least 1. Default: the limit of the server.'),
  { minimum: 1 },
);
const colorCode = t.checked(t.text('Colour of the community, as `#` and six hexadecimal digits.'), {
  pattern: '^(?:#[0-9A-Fa-f]{6})?$',
});

const formFields: t.Fields = {
  name: t.name('Name of the community.'),
  description: t.text('Purpose of the community.'),
  colorCode,
  externalId: t.text('Identifier of the community in another system; unique in the tenant.'),
  ...switches,
  attachmentMaxSize,
};
const writeFields: t.Fields = {
  ...formFields,
  name: t.required(t.name('Name of the community; must not be empty.')),
  newCoverImageContentRef: t.upload('Reference of a picture that was uploaded, to become the cover.'),
};
const workspaceId = t.int64('Workspace to which the community belongs.');

export const communityFormTypes = {
  GetPostSchemasResponse: t.type('JSON Schemas of the custom fields of a community.', {
    communityId: t.int64('The community.'),
    schemas: t.objectMap('The schemas by name: PostFields, PostFieldsInput, ScreenFields, ScreenFieldsInput.'),
  }),
  WorkspaceElement: t.type('A workspace, as lists of administration show it.', {
    workspaceId: t.int64('Id of the workspace.'),
    name: t.text('Name of the workspace.'),
    externalId: t.text('Identifier of the workspace in another system.'),
    communitiesCount: t.count('Number of its communities.'),
    archivedTimestamp: t.time('Time since which it is read-only; absent while it is in use.'),
    occToken: t.token('Token for the next edit.'),
  }),
  ListWorkspacesRequest: t.type('Workspaces to return.', {
    nameFilter: t.text('Part of the name.', { maxLength: maximumFilterText }),
    archivedToo: t.flag('Whether archived workspaces are listed too.'),
    ...t.pageInputs,
  }),
  ListWorkspacesResponse: t.page('WorkspaceElement', 'A page of workspaces, by name.'),
  ArchiveWorkspaceRequest: t.type('Whether a workspace is archived.', {
    archived: t.required(
      t.flag('True makes it and its communities such that can only be read; false takes that back.'),
    ),
  }),
  ArchiveWorkspaceResponse: t.type('Whether the workspace is archived.', {
    workspaceId: t.int64('Id of the workspace.'),
    archivedTimestamp: t.time('Time since which it is read-only; absent while it is in use.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  CreateWorkspaceRequest: t.type('A new workspace.', {
    ...workspaceTexts,
    externalId: t.text('Identifier of the workspace in another system; unique in the tenant.'),
  }),
  CreateWorkspaceResponse: t.type('The workspace that was created.', {
    workspaceId: t.int64('Id of the workspace.'),
    nextOccToken,
  }),
  ListManagedCommunitiesRequest: t.type('Communities to return.', {
    nameFilter: t.text('Part of the name.', { maxLength: maximumFilterText }),
    workspaceId: t.int64('Only communities of this workspace.'),
    includeActivity: t.flag('Whether each element has the number of its posts and its last activity. Default false.'),
    ...t.pageInputs,
  }),
  ListManagedCommunitiesResponse: t.page('Community', 'A page of communities, by name.'),
  GetCommunityForEditResponse: t.type('Editable settings of a community.', {
    ...formFields,
    workspaceId: t.int64('Workspace to which the community belongs. Read-only here.'),
    coverImageTemporaryContentViewLink: t.uri(
      'Absolute, short-lived address of the cover picture; absent when there is none. Read-only here.',
    ),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  CreateCommunityRequest: t.type(
    'A new community. The creator becomes its manager; omitted switches take their defaults.',
    { ...writeFields, workspaceId: t.required(workspaceId) },
  ),
  CreateCommunityResponse: t.type('The community that was created.', {
    communityId: t.int64('Id of the community.'),
    nextOccToken,
  }),
  EditCommunityRequest: t.type(
    'New settings of a community. Omitted texts, colour and limit are emptied; omitted ' +
      'switches and the cover keep their value.',
    {
      ...writeFields,
      removeCoverImage: t.flag('Removes the cover picture.'),
      occToken: t.formToken,
    },
  ),
  ArchiveCommunityRequest: t.type('Whether a community is archived.', {
    archived: t.required(t.flag('True makes it a community that can only be read; false takes that back.')),
  }),
  ArchiveCommunityResponse: t.type('Whether the community is archived.', {
    communityId: t.int64('Id of the community.'),
    archivedTimestamp: t.time(
      'Time since which it is read-only, because it or its workspace is archived; absent while it is in use.',
    ),
    nextOccToken,
  }),
  MoveCommunityRequest: t.type('Workspace of a community.', { workspaceId: t.required(workspaceId) }),
  MoveCommunityResponse: t.type('Workspace of the community, and people whose access changed.', {
    communityId: t.int64('Id of the community.'),
    workspaceId,
    gainingUsers: t.list('User', 'Accounts that see it from then on, the first thousand.'),
    gainingUsersCount: t.count('Number of accounts that see it from then on.'),
    losingUsers: t.list('User', 'Accounts that no longer see it, the first thousand.'),
    losingUsersCount: t.count('Number of accounts that no longer see it.'),
    nextOccToken,
  }),
  EditCommunityResponse: t.type('Result of the edit of a community.', { nextOccToken }),
};
