// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostCommentAttachment } from './attachments.generated.ts';
import type { InputPostCommentAttachment } from './comment-workflow.generated.ts';
import type { PostComment, SubTask, TaskCapabilities, TaskDetail, TaskReminder } from './comments-tasks.generated.ts';
import type { CustomFieldValidationErrors, ValidationErrors, ZonedDatetime, ZonedDatetimeInput } from './common.generated.ts';
import type { Community, Hashtag, PostWorkflowDefinitionState, PostWorkflowDefinitionTransition } from './communities.generated.ts';
import type { EventDatetime, EventPostData } from './events.generated.ts';
import type { Group } from './groups.generated.ts';
import type { CommunityAttachmentFilters, CommunityPostFilters } from './post-lists.generated.ts';
import type { CreateCustomPostRequest, InputPostAttachment } from './post-writes.generated.ts';
import type { BaseListPostsElement } from './posts.generated.ts';
import type { UpdateCustomProfilePhoto } from './user-forms.generated.ts';
import type { User } from './users.generated.ts';
import type { JsonValue } from './json.ts';

/** Entries of a catalog to create and to edit. */
export interface PutCatalogEntriesRequest {
  /** The entries; each once. */
  entries?: CatalogEntryForm[];
}

/** An entry of a catalog as it is to be. */
export interface CatalogEntryForm {
  /** The label by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages. Keys are language codes such as en or pt-BR. */
  label?: Record<string, string>;
  /** Identifier of the entry in another system, by which it is found; left out, it is found by its label. */
  externalId?: string;
  /** Entries of the parent catalog that are parents of this one. */
  parentIds?: number[];
  /** More parents, by their external ids. */
  parentExternalIds?: string[];
  /** True makes the entry no longer choosable. Default false. */
  deleted?: boolean;
}

/** What became of the entries. */
export interface PutCatalogEntriesResponse {
  /** Ids of the entries, in the order in which they were sent. */
  entryIds?: number[];
  /** Entries that were created. */
  createdCount?: number;
  /** Entries that were edited. */
  editedCount?: number;
  /** Entries that were as they are to be already. */
  unchangedCount?: number;
}

/** Whom to list, and paging. */
export interface ListPeopleRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Words looked for in names and the e-mail address, ignoring case and accents. */
  fullTextFilter?: string;
  /** Only who has a role in this community. */
  communityId?: number;
  /** Only who can read this post; of a draft, who could once it is published. */
  postId?: number;
  /** Only those with these ids, at most 1,000. Left out or empty, all. */
  ids?: number[];
}

/** A page of people. */
export interface ListPeopleResponse {
  /** The elements of this page. */
  items?: User[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A page of groups. */
export interface ListPeopleGroupsResponse {
  /** The elements of this page. */
  items?: Group[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A file of people who are to be made and invited. */
export interface ImportUsersRequest {
  /** The file: a header, and a line for each person. Columns, in any order: firstname, lastname, contactEmail, username, externalId, language, role, area, businessUnit, manager, phone, mobilePhone, place, adminCapabilities; `firstname` and `lastname` are needed. Without `username` the address is the user name. `area` and `businessUnit` are names or external ids of units that there are, `manager` is the address or the external id of somebody who is there or in the file, `adminCapabilities` the administrative rights, separated by spaces. Commas separate the cells, or semicolons where the header has no comma. */
  csv?: string;
  /** Whether those who are made, and have an address, are sent a link by which they choose a password. Default true. */
  invite?: boolean;
}

/** What became of one line of a file of people. */
export interface ImportedUser {
  /** Line of the file on which the row begins; the header is 1. */
  line?: number;
  /** Id of the user; in a dry run the one of a new user is void. */
  userId?: number;
  /** `created`, or `present`: a user with this external id, or else this address, was there and was left as they are. */
  outcome?: string;
  /** E-mail address in the file. */
  contactEmail?: string;
  /** User name in the file, or the address that stands for it. */
  username?: string;
  /** Whether the person is sent a link. */
  invited?: boolean;
}

/** What became of a file of people. */
export interface ImportUsersResponse {
  /** A report for each line, in the order of the file. */
  rows?: ImportedUser[];
  /** How many people were made. */
  createdCount?: number;
  /** How many were there already. */
  presentCount?: number;
  /** Until when the links work. Epoch milliseconds, UTC. */
  expiryTimestamp?: number;
  /** False when no mail goes out: nobody is invited, or the installation has no mail server. */
  sentEmailNotify?: boolean;
}

/** A personal access token, without its secret. */
export interface PersonalToken {
  /** Id of the token. */
  id?: number;
  /** What the token is for. */
  name?: string;
  /** `read`: operations that change nothing; any other is a 403 `PERSONAL_TOKEN_READ_ONLY`. `write`: writes too. One of: read, write. */
  access?: 'read' | 'write';
  /** The communities that the token reaches, with the role that its holder has there; left out: every community. A token for chosen communities has no administrative right. */
  onlyCommunityIds?: number[];
  /** When the token was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When it was last used, within about five minutes; absent where it was not used yet. Epoch milliseconds, UTC. */
  lastUseTimestamp?: number;
  /** From when on it is refused. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
}

/** Personal access tokens of the caller. */
export interface ListPersonalTokensResponse {
  /** Those that are accepted, the newest first. */
  tokens?: PersonalToken[];
}

/** A new personal access token. */
export interface CreatePersonalTokenRequest {
  /** What the token is for. */
  name?: string;
  /** `read`: operations that change nothing; any other is a 403 `PERSONAL_TOKEN_READ_ONLY`. `write`: writes too. One of: read, write. */
  access?: 'read' | 'write';
  /** The communities that the token reaches, with the role that its holder has there; left out: every community. A token for chosen communities has no administrative right. */
  onlyCommunityIds?: number[];
  /** Days after which the token is refused. */
  validDays?: number;
}

/** The new token. */
export interface CreatePersonalTokenResponse {
  /** Id of the token. */
  tokenId?: number;
  /** The token, which begins with `ptc_`, to be sent as `Authorization: Bearer`. It is shown once: a repeated request with the same `Idempotency-Key` answers without it. */
  secret?: string;
  /** From when on it is refused. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
}

/** What the caller changes about themselves; what is left out is kept. */
export interface EditMyProfileRequest {
  /** Telephone number. Kept when left out, `""` empties it. */
  phone?: string;
  /** Extension within the organisation. Kept when left out, `""` empties it. */
  internalPhone?: string;
  /** Mobile number. Kept when left out, `""` empties it. */
  mobilePhone?: string;
  /** What the person says about themselves; `""` empties it. */
  biography?: string;
  /** Private address; `""` removes it. Where administrators keep it (`editPrivateEmailEnabled`), a change is a 403. */
  privateEmail?: string;
  /** Code of the language of pages and mails. One of: en, it, fr, de, es, pt, nl, pl, cs, ro, sv, da, fi, el, tr, uk, ru, ar, zh, ja, ko. */
  defaultLanguageId?: string;
  /** Id of the time zone on the published list. */
  defaultTimezoneId?: number;
  /** Whether notifications come by e-mail. */
  emailNotificationsEnabled?: boolean;
  /** Sent only to change or remove the uploaded photo. */
  profilePhoto?: UpdateCustomProfilePhoto;
  /** `occToken` of `getCurrentUserProfileInfo`; a stale one is a 409. */
  occToken?: number;
}

/** A role that can be given. */
export interface AvailableRole {
  /** Id of the role. */
  id?: number;
  /** Name of the role. */
  name?: string;
  /** What the role is for. */
  description?: string;
  /** Identifier of the role in another system; absent where there is none. */
  externalId?: string;
  /** True for the roles that every tenant has, which cannot be changed. */
  builtIn?: boolean;
  /** What the role permits in a community. Each one of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  permissions?: ('readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity')[];
  /** Id of the strongest built-in role all of whose permissions it has: as that it counts where fields, transitions and screens are open to built-in roles. */
  countsAsRoleId?: number;
  /** Token to send back with an edit; absent for built-in roles. */
  occToken?: number;
}

/** A permission in a community. */
export interface RolePermission {
  /** Name of the permission. One of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  name?: 'readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity';
  /** What it permits. */
  description?: string;
  /** Permissions that come with it. Each one of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  implies?: ('readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity')[];
}

/** Roles and permissions. */
export interface ListRolesResponse {
  /** All roles: the built-in ones, then those of the tenant by name. */
  roles?: AvailableRole[];
  /** Permissions of which roles are made. */
  permissions?: RolePermission[];
}

/** A new role. */
export interface CreateRoleRequest {
  /** Name of the role, which no other has, whatever the case and accents. 1 to 100 characters. */
  name?: string;
  /** What the role is for. At most 1000 characters. */
  description?: string;
  /** What the role permits. What these imply is added. Each one of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  permissions?: ('readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity')[];
  /** Identifier of the role in another system and key of the role in files of communities, unique. At most 100 characters. Left out, an edit keeps it; an empty text takes it away. */
  externalId?: string;
}

/** Result of the creation of a role. */
export interface CreateRoleResponse {
  /** Id of the new role. */
  id?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** What a role is; a description that is left out is emptied. */
export interface EditRoleRequest {
  /** Name of the role, which no other has, whatever the case and accents. 1 to 100 characters. */
  name?: string;
  /** What the role is for. At most 1000 characters. */
  description?: string;
  /** What the role permits. What these imply is added. Each one of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  permissions?: ('readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity')[];
  /** Identifier of the role in another system and key of the role in files of communities, unique. At most 100 characters. Left out, an edit keeps it; an empty text takes it away. */
  externalId?: string;
  /** Token that the role was read with; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a role. */
export interface EditRoleResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** A role of a service account in one community. */
export interface ServiceAccountRole {
  /** Id of the community. */
  communityId?: number;
  /** Id of the role: a built-in one or one of the tenant. */
  roleId?: number;
}

/** A key of a service account, without its secret. */
export interface ServiceAccountKey {
  /** Id of the key: `private_key_id` of its key file. */
  id?: number;
  /** What the key is for. */
  name?: string;
  /** When the key was made. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** From when on the key is refused; absent where it does not expire. Epoch milliseconds, UTC. */
  expiryTimestamp?: number;
  /** When the key was last used, within about a minute; absent where it was not used yet. Epoch milliseconds, UTC. */
  lastUseTimestamp?: number;
  /** When the key was revoked; absent where it was not. Epoch milliseconds, UTC. */
  revokedTimestamp?: number;
  /** Whether the key is neither revoked nor expired. */
  active?: boolean;
}

/** A service account. */
export interface ServiceAccount {
  /** Id of the account: `client_id` of its key files. */
  userId?: number;
  /** How the account is shown. */
  name?: string;
  /** Administrative rights of the account itself. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Id of the role in every community, also in those made later; absent where there is none. */
  roleId?: number;
  /** True when the account may not sign in. */
  blocked?: boolean;
  /** Keys that are neither revoked nor expired. */
  activeKeysCount?: number;
  /** When the account was made. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the account last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
}

/** Paging of the list of service accounts. */
export interface ListServiceAccountsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of service accounts. */
export interface ListServiceAccountsResponse {
  /** The elements of this page. */
  items?: ServiceAccount[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What can be edited about a service account, and its keys. */
export interface GetServiceAccountForEditResponse {
  /** How the account is shown. */
  name?: string;
  /** Administrative rights of the account itself. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Id of the role in every community, also in those made later; absent where there is none. */
  roleId?: number;
  /** Roles in single communities. */
  communityRoles?: ServiceAccountRole[];
  /** The keys, the newest first; revoked ones too. Read-only here. */
  keys?: ServiceAccountKey[];
  /** True when the account may not sign in; read-only here. */
  blocked?: boolean;
  /** Token to send back with the next edit. */
  occToken?: number;
}

/** A new service account. */
export interface CreateServiceAccountRequest {
  /** How the account is shown; must not be empty. */
  name?: string;
  /** Administrative rights of the account itself; none when left out. Only rights that the caller holds can be given. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Id of the role in every community, also in those made later; none when left out. Needs `manageDigitalWorplace` to change. */
  roleId?: number;
  /** Roles in single communities; none when left out. The stronger role counts. Needs `manageDigitalWorplace` to change. */
  communityRoles?: ServiceAccountRole[];
}

/** The service account that was created. It has no key yet. */
export interface CreateServiceAccountResponse {
  /** Id of the new account. */
  userId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New content of a service account; what is left out is removed. */
export interface EditServiceAccountRequest {
  /** How the account is shown; must not be empty. */
  name?: string;
  /** Administrative rights of the account itself; none when left out. Only rights that the caller holds can be given. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Id of the role in every community, also in those made later; none when left out. Needs `manageDigitalWorplace` to change. */
  roleId?: number;
  /** Roles in single communities; none when left out. The stronger role counts. Needs `manageDigitalWorplace` to change. */
  communityRoles?: ServiceAccountRole[];
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a service account. */
export interface EditServiceAccountResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** A further key. */
export interface CreateServiceAccountKeyRequest {
  /** What the key is for. */
  name?: string;
  /** From when on the key is refused; it does not expire when left out. Epoch milliseconds, UTC. */
  expiryTimestamp?: number;
  /** Rotation: from when on the other keys of the account are refused, unless they expire earlier. Left out, they stay as they are. Epoch milliseconds, UTC. */
  otherKeysExpiryTimestamp?: number;
}

/** A key file, as programs sign in with. It is shown once and kept nowhere. */
export interface ServiceAccountKeyFile {
  /** Always `service_account`. */
  type?: string;
  /** Id of the key. */
  private_key_id?: number;
  /** The private key, PEM. */
  private_key?: string;
  /** Id of the account. */
  client_id?: number;
}

/** The key that was made. */
export interface CreateServiceAccountKeyResponse {
  /** Id of the key. */
  keyId?: number;
  /** The key file; absent in the stored answer to a repeated request with the same `Idempotency-Key`. */
  keyFile?: ServiceAccountKeyFile;
}

/** The key that was revoked. */
export interface RevokeServiceAccountKeyResponse {
  /** Id of the account. */
  userId?: number;
  /** Id of the key. */
  keyId?: number;
}

/** Why the members of one of many groups were left as they are. */
export interface RefusedGroupMembers {
  /** Id of the group, as it was sent. */
  groupId?: number;
  /** The reasons; each names its input, such as `groupMembers[2].addUserIds[0]`. `FORBIDDEN` where the caller may not do this. */
  validationErrors?: ValidationErrors;
}

/** A value of the groups claim and the group that it stands for. */
export interface IdentityProviderGroup {
  /** Value of the claim. */
  value?: string;
  /** Id of the group. */
  groupId?: number;
}

/** An identity provider. */
export interface IdentityProvider {
  /** Id of the provider. */
  identityProviderId?: number;
  /** Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash. */
  key?: string;
  /** How the provider is named on the sign-in page. */
  name?: string;
  /** Issuer, as the configuration of the provider names it: an https address. */
  issuer?: string;
  /** Whether people can sign in by the provider. */
  enabled?: boolean;
  /** How many accounts are linked to identities of the provider. */
  linkedUsersCount?: number;
}

/** Paging of the list of identity providers. */
export interface ListIdentityProvidersRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of identity providers. */
export interface ListIdentityProvidersResponse {
  /** The elements of this page. */
  items?: IdentityProvider[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What can be edited about an identity provider. */
export interface GetIdentityProviderForEditResponse {
  /** How the provider is named on the sign-in page. */
  name?: string;
  /** Id under which the portal is registered at the provider. */
  clientId?: string;
  /** Scopes that are asked for, `openid` in any case. Default: openid, email, profile. */
  scopes?: string[];
  /** Whether people can sign in by the provider. */
  enabled?: boolean;
  /** Whether the first sign-in of an unknown person makes an account. */
  createUsers?: boolean;
  /** Whether a first sign-in is linked to the account with the same contact address, if the provider says that the address is verified. */
  linkByVerifiedEmail?: boolean;
  /** Domains of which a verified address is asked for at each sign-in. None when left out: any account of the provider may sign in. */
  emailDomains?: string[];
  /** Claim with the groups of a person; left out where groups are not taken over. */
  groupsClaim?: string;
  /** Groups that each sign-in gives and takes by the claim. Groups that are not named here stay as they are. */
  groupMappings?: IdentityProviderGroup[];
  /** Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash. Read-only here. */
  key?: string;
  /** Issuer, as the configuration of the provider names it: an https address. Read-only here. */
  issuer?: string;
  /** Whether a client secret is stored; it is never shown. */
  hasClientSecret?: boolean;
  /** Address to register at the provider as redirect URI. Read-only here. */
  redirectUri?: string;
  /** Token to send back with the next edit. */
  occToken?: number;
}

/** A new identity provider. */
export interface CreateIdentityProviderRequest {
  /** How the provider is named on the sign-in page; must not be empty. */
  name?: string;
  /** Id under which the portal is registered at the provider; must not be empty. */
  clientId?: string;
  /** Scopes that are asked for, `openid` in any case. Default: openid, email, profile. */
  scopes?: string[];
  /** Whether people can sign in by the provider. */
  enabled?: boolean;
  /** Whether the first sign-in of an unknown person makes an account. */
  createUsers?: boolean;
  /** Whether a first sign-in is linked to the account with the same contact address, if the provider says that the address is verified. */
  linkByVerifiedEmail?: boolean;
  /** Domains of which a verified address is asked for at each sign-in. None when left out: any account of the provider may sign in. */
  emailDomains?: string[];
  /** Claim with the groups of a person; left out where groups are not taken over. */
  groupsClaim?: string;
  /** Groups that each sign-in gives and takes by the claim. Groups that are not named here stay as they are. */
  groupMappings?: IdentityProviderGroup[];
  /** Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash. */
  key?: string;
  /** Issuer, as the configuration of the provider names it: an https address. */
  issuer?: string;
  /** Secret of the client; left out for a client without one. */
  clientSecret?: string;
}

/** The identity provider that was created. */
export interface CreateIdentityProviderResponse {
  /** Id of the provider. */
  identityProviderId?: number;
  /** Address to register at the provider as redirect URI. */
  redirectUri?: string;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New settings of an identity provider; what is left out is removed. */
export interface EditIdentityProviderRequest {
  /** How the provider is named on the sign-in page; must not be empty. */
  name?: string;
  /** Id under which the portal is registered at the provider; must not be empty. */
  clientId?: string;
  /** Scopes that are asked for, `openid` in any case. Default: openid, email, profile. */
  scopes?: string[];
  /** Whether people can sign in by the provider. */
  enabled?: boolean;
  /** Whether the first sign-in of an unknown person makes an account. */
  createUsers?: boolean;
  /** Whether a first sign-in is linked to the account with the same contact address, if the provider says that the address is verified. */
  linkByVerifiedEmail?: boolean;
  /** Domains of which a verified address is asked for at each sign-in. None when left out: any account of the provider may sign in. */
  emailDomains?: string[];
  /** Claim with the groups of a person; left out where groups are not taken over. */
  groupsClaim?: string;
  /** Groups that each sign-in gives and takes by the claim. Groups that are not named here stay as they are. */
  groupMappings?: IdentityProviderGroup[];
  /** New secret of the client. Left out, the present one stays; an empty one removes it. */
  clientSecret?: string;
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of an identity provider. */
export interface EditIdentityProviderResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** An identity provider, as the sign-in page shows it. */
export interface SignInProvider {
  /** Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash. */
  key?: string;
  /** How the provider is named. */
  name?: string;
}

/** What people can sign in to, and by which providers. */
export interface ListSignInProvidersResponse {
  /** Name of the portal, as its tenant is shown to people. */
  portalName?: string;
  /** The providers, by name. */
  providers?: SignInProvider[];
}

/** An identity at an identity provider. */
export interface LinkedIdentity {
  /** Id of the provider. */
  identityProviderId?: number;
  /** Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash. */
  key?: string;
  /** How the provider is named. */
  name?: string;
  /** Whether people can sign in by the provider. */
  enabled?: boolean;
  /** Who the person is at the provider. */
  subject?: string;
  /** When the identity was linked. Epoch milliseconds, UTC. */
  linkTimestamp?: number;
}

/** Identities that somebody signs in by. */
export interface ListIdentitiesResponse {
  /** The identities, by provider. */
  identities?: LinkedIdentity[];
}

/** A mail of the portal to a person, without what it says. */
export interface Mail {
  /** Id of the mail. */
  id?: number;
  /** Id of the person it is for. */
  userId?: number;
  /** The address it goes to; with `unsent`, the one it would have gone to. */
  recipient?: string;
  /** What it is: `invitation` or `password-reset`. */
  template?: string;
  /** `waiting`: due, or to be tried again; `failed`: the mail server refused it, or all attempts failed; `unsent`: the installation has no mail server; `sent`. */
  state?: string;
  /** How often it was tried. */
  attempts?: number;
  /** When it was made. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When it is tried next; absent where it is not. Epoch milliseconds, UTC. */
  nextAttemptTimestamp?: number;
  /** When it was sent or given up; absent while it waits. Epoch milliseconds, UTC. */
  endTimestamp?: number;
  /** What the mail server answered to the last attempt, or why there was none. */
  error?: string;
  /** Whether it can be sent again: it failed, and its link is still valid. */
  canRetry?: boolean;
}

/** Filters and paging of outgoing mail. */
export interface ListMailsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only mails in these states. Each one of: waiting, failed, unsent, sent. */
  states?: ('waiting' | 'failed' | 'unsent' | 'sent')[];
  /** Only mails to these people. */
  userIds?: number[];
}

/** A page of outgoing mail. */
export interface ListMailsResponse {
  /** The elements of this page. */
  items?: Mail[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** An area or a business unit of the organisation. */
export interface OrganisationUnit {
  /** Id of the unit. */
  id?: number;
  /** Name of the unit. */
  name?: string;
  /** Identifier of the unit in another system. */
  externalId?: string;
  /** What it is. */
  description?: string;
  /** How many people are in it, deleted ones not counted. */
  usersCount?: number;
  /** Token to send back with an edit. */
  occToken?: number;
}

/** Filter and paging of areas or business units. */
export interface ListUnitsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only units whose name contains this, whatever the case and accents. */
  nameFilter?: string;
}

/** A page of areas or business units, by name. */
export interface ListUnitsResponse {
  /** The elements of this page. */
  items?: OrganisationUnit[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A new area or business unit. */
export interface CreateUnitRequest {
  /** Name, unique among the units of its kind whatever the case and accents. 1 to 200 characters. */
  name?: string;
  /** Identifier of the unit in another system, unique among the units of its kind. At most 255 characters. */
  externalId?: string;
  /** What it is. At most 2000 characters. */
  description?: string;
}

/** Result of the creation of an area or a business unit. */
export interface CreateUnitResponse {
  /** Id of the new unit. */
  id?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New values of an area or a business unit; what is left out is emptied. */
export interface EditUnitRequest {
  /** Name, unique among the units of its kind whatever the case and accents. 1 to 200 characters. */
  name?: string;
  /** Identifier of the unit in another system, unique among the units of its kind. At most 255 characters. */
  externalId?: string;
  /** What it is. At most 2000 characters. */
  description?: string;
  /** Token that the unit was read with; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of an area or a business unit. */
export interface EditUnitResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** Settings of the tenant. */
export interface GetTenantSettingsResponse {
  /** Name of the tenant, as people read it in mails and in their authenticator app. */
  name?: string;
  /** Host names of its addresses, the primary one first. Read-only here. */
  hosts?: string[];
  /** Language of texts where a person has none: two or three small letters. */
  defaultLanguage?: string;
  /** IANA name of the zone where a person has none. */
  defaultTimezone?: string;
  /** Origins whose pages may use the interface from a browser; `*` means every one. */
  corsOrigins?: string[];
  /** Values of `aud` that assertions of service accounts may have; `*` before the slash matches any vendor. At least one. */
  audiences?: string[];
  /** Domains of e-mail addresses that may sign in by Google; none means any. */
  loginDomains?: string[];
  /** Who must have a second factor, an authenticator app or a passkey; who has none may do nothing but set one up. Left out in an edit, it stays as it is. One of: nobody, administrators, all. */
  requireSecondFactor?: 'nobody' | 'administrators' | 'all';
  /** True where people sign in by an identity provider only; passwords and passkeys then sign in nobody but the break-glass administrator, and sign-ins by them end: sign in by the provider before you set it. It needs an enabled provider. Left out in an edit, it stays as it is. */
  requireProvider?: boolean;
  /** Lifetime of access tokens in seconds, 120 to 86400. Left out, the lifetime of the installation holds. */
  accessTokenSeconds?: number;
  /** Seconds without use after which a browser is signed out, 300 to 7776000 (90 days). Left out: 604800, seven days. */
  sessionIdleSeconds?: number;
  /** Seconds after which in any case a browser is signed out, 300 to 7776000 (90 days). Left out: 2592000, 30 days. */
  sessionSeconds?: number;
  /** Days after which notifications are removed, 1 to 3650. Left out: 90. */
  notificationRetentionDays?: number;
  /** Days that entries of the audit log are kept, 30 to 36500. Older ones are removed when the operator runs `portico audit prune`. Left out, the operator says with each run how old they are. */
  auditRetentionDays?: number;
  /** Bytes that its files may take; absent where there is no limit. Read-only here. */
  attachmentQuotaBytes?: number;
  /** Requests within a minute that one process of the server answers; absent where there is no limit. Read-only here. */
  requestsPerMinute?: number;
  /** The same for each account. Read-only here. */
  accountRequestsPerMinute?: number;
  /** Token to send back with the next edit. */
  occToken?: number;
}

/** New settings of the tenant; they replace the present ones. */
export interface EditTenantSettingsRequest {
  /** Name of the tenant, as people read it in mails and in their authenticator app. Left out, it stays as it is. */
  name?: string;
  /** Language of texts where a person has none: two or three small letters. */
  defaultLanguage?: string;
  /** IANA name of the zone where a person has none. A listed name, or an offset such as +02:00; older names are understood too. */
  defaultTimezone?: string;
  /** Origins whose pages may use the interface from a browser; `*` means every one. */
  corsOrigins?: string[];
  /** Values of `aud` that assertions of service accounts may have; `*` before the slash matches any vendor. At least one. */
  audiences?: string[];
  /** Domains of e-mail addresses that may sign in by Google; none means any. */
  loginDomains?: string[];
  /** Who must have a second factor, an authenticator app or a passkey; who has none may do nothing but set one up. Left out in an edit, it stays as it is. One of: nobody, administrators, all. */
  requireSecondFactor?: 'nobody' | 'administrators' | 'all';
  /** True where people sign in by an identity provider only; passwords and passkeys then sign in nobody but the break-glass administrator, and sign-ins by them end: sign in by the provider before you set it. It needs an enabled provider. Left out in an edit, it stays as it is. */
  requireProvider?: boolean;
  /** Lifetime of access tokens in seconds, 120 to 86400. Left out, the lifetime of the installation holds. */
  accessTokenSeconds?: number;
  /** Seconds without use after which a browser is signed out, 300 to 7776000 (90 days). Left out: 604800, seven days. */
  sessionIdleSeconds?: number;
  /** Seconds after which in any case a browser is signed out, 300 to 7776000 (90 days). Left out: 2592000, 30 days. */
  sessionSeconds?: number;
  /** Days after which notifications are removed, 1 to 3650. Left out: 90. */
  notificationRetentionDays?: number;
  /** Days that entries of the audit log are kept, 30 to 36500. Older ones are removed when the operator runs `portico audit prune`. Left out, the operator says with each run how old they are. */
  auditRetentionDays?: number;
  /** Token that the settings were read with; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of the settings. */
export interface EditTenantSettingsResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** JSON Schemas of the custom fields of a community. */
export interface GetPostSchemasResponse {
  /** The community. */
  communityId?: number;
  /** The schemas by name: PostFields, PostFieldsInput, ScreenFields, ScreenFieldsInput. */
  schemas?: Record<string, Record<string, JsonValue>>;
}

/** A workspace, as lists of administration show it. */
export interface WorkspaceElement {
  /** Id of the workspace. */
  workspaceId?: number;
  /** Name of the workspace. */
  name?: string;
  /** Identifier of the workspace in another system. */
  externalId?: string;
  /** How many communities it holds. */
  communitiesCount?: number;
  /** Since when it can only be read; absent while it is in use. Epoch milliseconds, UTC. */
  archivedTimestamp?: number;
  /** Token for the next edit. */
  occToken?: number;
}

/** Which workspaces are wanted. */
export interface ListWorkspacesRequest {
  /** Part of the name. */
  nameFilter?: string;
  /** Whether archived workspaces are listed too. */
  archivedToo?: boolean;
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of workspaces, by name. */
export interface ListWorkspacesResponse {
  /** The elements of this page. */
  items?: WorkspaceElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Whether a workspace is archived. */
export interface ArchiveWorkspaceRequest {
  /** True makes it and its communities such that can only be read; false takes that back. */
  archived?: boolean;
}

/** Whether the workspace is archived. */
export interface ArchiveWorkspaceResponse {
  /** Id of the workspace. */
  workspaceId?: number;
  /** Since when it can only be read; absent while it is in use. Epoch milliseconds, UTC. */
  archivedTimestamp?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** A new workspace. */
export interface CreateWorkspaceRequest {
  /** Name of the workspace; must not be empty. */
  name?: string;
  /** The name in other languages. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** What the workspace is for, in each language. Keys are language codes such as en or pt-BR. */
  description?: Record<string, string>;
  /** Identifier of the workspace in another system; unique in the tenant. */
  externalId?: string;
}

/** The workspace that was created. */
export interface CreateWorkspaceResponse {
  /** Id of the workspace. */
  workspaceId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** Which communities are wanted. */
export interface ListManagedCommunitiesRequest {
  /** Part of the name. */
  nameFilter?: string;
  /** Only communities of this workspace. */
  workspaceId?: number;
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of communities, by name. */
export interface ListManagedCommunitiesResponse {
  /** The elements of this page. */
  items?: Community[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What can be edited about a community. */
export interface GetCommunityForEditResponse {
  /** Name of the community. */
  name?: string;
  /** What the community is for. */
  description?: string;
  /** Colour of the community, as `#` and six hexadecimal digits. */
  colorCode?: string;
  /** Identifier of the community in another system; unique in the tenant. */
  externalId?: string;
  /** True while the community is being prepared: only managers write. */
  draft?: boolean;
  /** Role that membership of the workspace gives in the community. A new community gives the role of a reader. 0 = NONE, 1 = MANAGER, 2 = CONTRIBUTOR, 3 = READER, 5 = GUEST. */
  workspaceMemberRoleId?: 0 | 1 | 2 | 3 | 5;
  /** Whether posts have a title. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  titleEnabled?: 0 | 1 | 2;
  /** Whether posts have a text. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  descriptionEnabled?: 0 | 1 | 2;
  /** Whether posts have watchers. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  watchersEnabled?: 0 | 1 | 2;
  /** Whether lists show the watchers. */
  watchersVisibleInPreview?: boolean;
  /** Whether a post can be written in the name of another person. */
  manualAuthorEnabled?: boolean;
  /** Whether posts carry hashtags. */
  hashTagEnabled?: boolean;
  /** Whether posts carry attachments. */
  attachmentEnabled?: boolean;
  /** Whether posts can be liked. */
  likeEnabled?: boolean;
  /** Whether applications may keep posts for use without a connection. */
  offlineEnabled?: boolean;
  /** Whether posts have custom fields. */
  customFieldsEnabled?: boolean;
  /** Whether authors can ask that a post be confirmed as read. */
  acknowledgeTaskEnabled?: boolean;
  /** Whether there are event posts. */
  eventsEnabled?: boolean;
  /** Whether authors choose the state in which a post begins. */
  initStateChoiceEnabled?: boolean;
  /** Whether readers see no comments. */
  commentsHiddenFromReaders?: boolean;
  /** Visibility of a post when its author says nothing. 1 = PRIVATE, 2 = PUBLIC. */
  defaultPostVisibility?: 1 | 2;
  /** How many days versions of posts are kept after they were replaced, 0 to 3650. A new community keeps them for 365 days. */
  versionRetentionDays?: number;
  /** Largest attachment, in bytes, at least 1. Left out, the limit of the server holds. */
  attachmentMaxSize?: number;
  /** Workspace to which the community belongs. Read-only here. */
  workspaceId?: number;
  /** Absolute, short-lived address of the cover picture; absent when there is none. Read-only here. */
  coverImageTemporaryContentViewLink?: string;
  /** Token to send back with the next edit. */
  occToken?: number;
}

/** A new community. Whoever creates it becomes its manager; switches that are left out take their defaults. */
export interface CreateCommunityRequest {
  /** Name of the community; must not be empty. */
  name?: string;
  /** What the community is for. */
  description?: string;
  /** Colour of the community, as `#` and six hexadecimal digits. */
  colorCode?: string;
  /** Identifier of the community in another system; unique in the tenant. */
  externalId?: string;
  /** True while the community is being prepared: only managers write. */
  draft?: boolean;
  /** Role that membership of the workspace gives in the community. A new community gives the role of a reader. 0 = NONE, 1 = MANAGER, 2 = CONTRIBUTOR, 3 = READER, 5 = GUEST. */
  workspaceMemberRoleId?: 0 | 1 | 2 | 3 | 5;
  /** Whether posts have a title. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  titleEnabled?: 0 | 1 | 2;
  /** Whether posts have a text. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  descriptionEnabled?: 0 | 1 | 2;
  /** Whether posts have watchers. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  watchersEnabled?: 0 | 1 | 2;
  /** Whether lists show the watchers. */
  watchersVisibleInPreview?: boolean;
  /** Whether a post can be written in the name of another person. */
  manualAuthorEnabled?: boolean;
  /** Whether posts carry hashtags. */
  hashTagEnabled?: boolean;
  /** Whether posts carry attachments. */
  attachmentEnabled?: boolean;
  /** Whether posts can be liked. */
  likeEnabled?: boolean;
  /** Whether applications may keep posts for use without a connection. */
  offlineEnabled?: boolean;
  /** Whether posts have custom fields. */
  customFieldsEnabled?: boolean;
  /** Whether authors can ask that a post be confirmed as read. */
  acknowledgeTaskEnabled?: boolean;
  /** Whether there are event posts. */
  eventsEnabled?: boolean;
  /** Whether authors choose the state in which a post begins. */
  initStateChoiceEnabled?: boolean;
  /** Whether readers see no comments. */
  commentsHiddenFromReaders?: boolean;
  /** Visibility of a post when its author says nothing. 1 = PRIVATE, 2 = PUBLIC. */
  defaultPostVisibility?: 1 | 2;
  /** How many days versions of posts are kept after they were replaced, 0 to 3650. A new community keeps them for 365 days. */
  versionRetentionDays?: number;
  /** Largest attachment, in bytes, at least 1. Left out, the limit of the server holds. */
  attachmentMaxSize?: number;
  /** Reference of a picture that was uploaded, to become the cover. */
  newCoverImageContentRef?: string;
  /** Workspace to which the community belongs. */
  workspaceId?: number;
}

/** The community that was created. */
export interface CreateCommunityResponse {
  /** Id of the community. */
  communityId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** New settings of a community. Texts, colour and limit that are left out are emptied; switches and the cover keep their value. */
export interface EditCommunityRequest {
  /** Name of the community; must not be empty. */
  name?: string;
  /** What the community is for. */
  description?: string;
  /** Colour of the community, as `#` and six hexadecimal digits. */
  colorCode?: string;
  /** Identifier of the community in another system; unique in the tenant. */
  externalId?: string;
  /** True while the community is being prepared: only managers write. */
  draft?: boolean;
  /** Role that membership of the workspace gives in the community. A new community gives the role of a reader. 0 = NONE, 1 = MANAGER, 2 = CONTRIBUTOR, 3 = READER, 5 = GUEST. */
  workspaceMemberRoleId?: 0 | 1 | 2 | 3 | 5;
  /** Whether posts have a title. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  titleEnabled?: 0 | 1 | 2;
  /** Whether posts have a text. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  descriptionEnabled?: 0 | 1 | 2;
  /** Whether posts have watchers. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  watchersEnabled?: 0 | 1 | 2;
  /** Whether lists show the watchers. */
  watchersVisibleInPreview?: boolean;
  /** Whether a post can be written in the name of another person. */
  manualAuthorEnabled?: boolean;
  /** Whether posts carry hashtags. */
  hashTagEnabled?: boolean;
  /** Whether posts carry attachments. */
  attachmentEnabled?: boolean;
  /** Whether posts can be liked. */
  likeEnabled?: boolean;
  /** Whether applications may keep posts for use without a connection. */
  offlineEnabled?: boolean;
  /** Whether posts have custom fields. */
  customFieldsEnabled?: boolean;
  /** Whether authors can ask that a post be confirmed as read. */
  acknowledgeTaskEnabled?: boolean;
  /** Whether there are event posts. */
  eventsEnabled?: boolean;
  /** Whether authors choose the state in which a post begins. */
  initStateChoiceEnabled?: boolean;
  /** Whether readers see no comments. */
  commentsHiddenFromReaders?: boolean;
  /** Visibility of a post when its author says nothing. 1 = PRIVATE, 2 = PUBLIC. */
  defaultPostVisibility?: 1 | 2;
  /** How many days versions of posts are kept after they were replaced, 0 to 3650. A new community keeps them for 365 days. */
  versionRetentionDays?: number;
  /** Largest attachment, in bytes, at least 1. Left out, the limit of the server holds. */
  attachmentMaxSize?: number;
  /** Reference of a picture that was uploaded, to become the cover. */
  newCoverImageContentRef?: string;
  /** Removes the cover picture. */
  removeCoverImage?: boolean;
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Whether a community is archived. */
export interface ArchiveCommunityRequest {
  /** True makes it a community that can only be read; false takes that back. */
  archived?: boolean;
}

/** Whether the community is archived. */
export interface ArchiveCommunityResponse {
  /** Id of the community. */
  communityId?: number;
  /** Since when it can only be read, because it or its workspace is archived; absent while it is in use. Epoch milliseconds, UTC. */
  archivedTimestamp?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** Where a community belongs. */
export interface MoveCommunityRequest {
  /** Workspace to which the community belongs. */
  workspaceId?: number;
}

/** Where the community is, and whose sight of it changed. */
export interface MoveCommunityResponse {
  /** Id of the community. */
  communityId?: number;
  /** Workspace to which the community belongs. */
  workspaceId?: number;
  /** Accounts that see it from then on, the first thousand. */
  gainingUsers?: User[];
  /** How many see it from then on. */
  gainingUsersCount?: number;
  /** Accounts that no longer see it, the first thousand. */
  losingUsers?: User[];
  /** How many no longer see it. */
  losingUsersCount?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** Result of the edit of a community. */
export interface EditCommunityResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** A community as a file: everything that defines it, without ids and without posts. */
export interface CommunityFile {
  /** Address of the JSON Schema of this file, for editors; it has no effect. */
  $schema?: string;
  /** Version of this form: 1. */
  version?: number;
  /** The workspace that holds the community; made where there is none. */
  workspace?: CommunityFileWorkspace;
  /** Roles of the tenant that the file names, by which other communities may go too; those that are left out stay. */
  roles?: CommunityFileOwnRole[];
  /** Catalogs that fields take their values from, each after its parent. */
  catalogs?: CommunityFileCatalog[];
  /** The community itself. */
  community?: CommunityFileSettings;
  /** Roles of groups in the community; groups that are left out have none. */
  groupRoles?: CommunityFileRole[];
  /** Hashtags of the community, by name; those that are left out stay. */
  hashtags?: string[];
  /** External ids of hashtags, by name; a hashtag that is left out here keeps the one that it has. */
  hashtagExternalIds?: Record<string, string>;
  /** Custom fields of posts, in the order of the form. */
  fields?: CommunityFileField[];
  /** The workflow; left out, the community has none. */
  workflow?: CommunityFileWorkflow;
  /** Views of posts. Left out, the present ones stay; views that the list leaves out are deleted. */
  views?: CommunityFileView[];
  /** Relations to other communities. Left out, the present ones stay; relations that the list leaves out are deleted. */
  relations?: CommunityFileRelation[];
}

/** A workspace, as a file names it. One that exists stays as it is. */
export interface CommunityFileWorkspace {
  /** Tells the workspace apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  name?: string;
  /** The name in other languages. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** What the workspace is for, in each language. Keys are language codes such as en or pt-BR. */
  description?: Record<string, string>;
}

/** A catalog of values. Entries that are left out stay: other communities may use them. */
export interface CommunityFileCatalog {
  /** Tells the catalog apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** The name, in each language. Keys are language codes such as en or pt-BR. */
  name?: Record<string, string>;
  /** Key of the catalog above, one of those before it. */
  parent?: string;
  /** Entries, in order. */
  entries?: CommunityFileEntry[];
}

/** An entry of a catalog. */
export interface CommunityFileEntry {
  /** Tells the entry apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see, in each language. Keys are language codes such as en or pt-BR. */
  label?: Record<string, string>;
  /** Keys of entries of the catalog above below which this one can be chosen. */
  parents?: string[];
}

/** A community itself: its texts and switches. */
export interface CommunityFileSettings {
  /** Tells the community apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  name?: string;
  /** What the community is for. */
  description?: string;
  /** Colour, as `#` and six hexadecimal digits. */
  color?: string;
  /** True while the community is being prepared: only managers write. Default false. */
  draft?: boolean;
  /** Role that membership of the workspace gives. Default `READER`. One of: NONE, MANAGER, CONTRIBUTOR, READER, GUEST. */
  workspaceMemberRole?: 'NONE' | 'MANAGER' | 'CONTRIBUTOR' | 'READER' | 'GUEST';
  /** Whether posts have a title. Default `OPTIONAL`. One of: DISABLED, OPTIONAL, REQUIRED. */
  titleEnabled?: 'DISABLED' | 'OPTIONAL' | 'REQUIRED';
  /** Whether posts have a text. Default `OPTIONAL`. One of: DISABLED, OPTIONAL, REQUIRED. */
  descriptionEnabled?: 'DISABLED' | 'OPTIONAL' | 'REQUIRED';
  /** Whether posts have watchers. Default `OPTIONAL`. One of: DISABLED, OPTIONAL, REQUIRED. */
  watchersEnabled?: 'DISABLED' | 'OPTIONAL' | 'REQUIRED';
  /** Whether lists show the watchers. Default true. */
  watchersVisibleInPreview?: boolean;
  /** Whether a post can be written in the name of another person. Default false. */
  manualAuthorEnabled?: boolean;
  /** Whether posts carry hashtags. Default true. */
  hashTagEnabled?: boolean;
  /** Whether posts carry attachments. Default true. */
  attachmentEnabled?: boolean;
  /** Whether posts can be liked. Default true. */
  likeEnabled?: boolean;
  /** Whether applications may keep posts for use without a connection. Default false. */
  offlineEnabled?: boolean;
  /** Whether posts have custom fields. Default true. */
  customFieldsEnabled?: boolean;
  /** Whether authors can ask that a post be confirmed as read. Default false. */
  acknowledgeTaskEnabled?: boolean;
  /** Whether there are event posts. Default true. */
  eventsEnabled?: boolean;
  /** Whether authors choose the state in which a post begins. Default false. */
  initStateChoiceEnabled?: boolean;
  /** Whether readers see no comments. Default false. */
  commentsHiddenFromReaders?: boolean;
  /** Visibility of a post when its author says nothing. Default `PUBLIC`. One of: PRIVATE, PUBLIC. */
  defaultPostVisibility?: 'PRIVATE' | 'PUBLIC';
  /** How many days versions of posts are kept after they were replaced, 0 to 3650. */
  versionRetentionDays?: number;
  /** Largest attachment, in bytes; left out, the limit of the server holds. */
  attachmentMaxSize?: number;
}

/** A role of the tenant, made of permissions. */
export interface CommunityFileOwnRole {
  /** Tells the role apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** Name of the role, which no other has. */
  name?: string;
  /** What the role is for. */
  description?: string;
  /** What the role permits. What these imply is added. Each one of: readPublicPosts, readAllPosts, createPosts, comment, createTasks, editPosts, moderateComments, manageTasks, pinPosts, announcePosts, shareViews, manageCommunity. */
  permissions?: ('readPublicPosts' | 'readAllPosts' | 'createPosts' | 'comment' | 'createTasks' | 'editPosts' | 'moderateComments' | 'manageTasks' | 'pinPosts' | 'announcePosts' | 'shareViews' | 'manageCommunity')[];
}

/** The role of a group. */
export interface CommunityFileRole {
  /** Name of the group; made, without members, where there is none. */
  group?: string;
  /** Its role: MANAGER, CONTRIBUTOR, READER, GUEST, or the key of one of `roles`. */
  role?: string;
}

/** A custom field, of posts or of screens. */
export interface CommunityFileField {
  /** Tells the field apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  label?: string;
  /** The label in other languages. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field. Left out: none. */
  section?: string;
  /** The name of the section in other languages. Keys are language codes such as en or pt-BR. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms begin with: of enumerated fields their keys, of dates epoch milliseconds. */
  default?: JsonValue;
  /** Data type of the field. One of: INT, BIGINT, DECIMAL, DATE, DATETIME, STRING, ENUM, ENUM_LIST, TEXT_AREA, FLAG, DELTA_AREA, FEEDBACK, HIERARCHICAL_ENUM, LINK, GENERIC_ENTITY_LIST. */
  type?: 'INT' | 'BIGINT' | 'DECIMAL' | 'DATE' | 'DATETIME' | 'STRING' | 'ENUM' | 'ENUM_LIST' | 'TEXT_AREA' | 'FLAG' | 'DELTA_AREA' | 'FEEDBACK' | 'HIERARCHICAL_ENUM' | 'LINK' | 'GENERIC_ENTITY_LIST';
  /** How to fill the field in: plain text, or rich text as an array of operations in JSON. */
  description?: string;
  /** Whether posts need a value. Default false. */
  required?: boolean;
  /** Whether requests cannot write the field. Default: true for links, else false. */
  readonly?: boolean;
  /** Whether lists can be filtered by the field. Default true. */
  searchable?: boolean;
  /** Whether lists can be ordered by the field. Default false. */
  sortable?: boolean;
  /** Whether lists show the field. Default true. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. Default true. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows it. Default: what `readonly` is not. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows it. Default: what `readonly` is not. */
  visibleInEdit?: boolean;
  /** Further properties, text to text; the table of field types says which keys there are. `community_id` has the key of the community, `user_picker_from_group` the name of the group. */
  metadata?: Record<string, string>;
  /** Key of the catalog that an enumerated field takes its values from. */
  catalog?: string;
  /** In hierarchical fields: key of the enumerated field above, one of those before it. */
  parent?: string;
  /** Values of an enumerated field without a catalog, in order. Values that are left out can no longer be chosen; posts that hold them keep them. */
  values?: CommunityFileValue[];
  /** Rules that values must keep, in order. */
  rules?: CommunityFileRule[];
  /** Who sees the field; for others it does not exist. Left out: everybody. Each MANAGER, CONTRIBUTOR, READER, or the key of one of `roles`; stronger roles are meant too. */
  visibleToRoles?: string[];
  /** When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form. */
  conditions?: CommunityFileCondition[];
}

/** A condition on the value of a field. */
export interface CommunityFileCondition {
  /** Key of the field: of posts or, in `screenFields`, of screens. */
  field?: string;
  /** In transitions, in place of `field`: key of a field of screens. */
  screenField?: string;
  /** How the value is compared. One of: in, notIn, empty, notEmpty, atLeast, atMost. */
  operator?: 'in' | 'notIn' | 'empty' | 'notEmpty' | 'atLeast' | 'atMost';
  /** What it is compared with: of enumerated fields their keys, of dates epoch milliseconds. */
  values?: JsonValue[];
}

/** A value that a transition sets. */
export interface CommunityFileSetValue {
  /** Key of a field of screens. */
  field?: string;
  /** What it sets: the values, the moment of the step in a date, or whoever runs it in a field of people. Default `value`. One of: value, now, actor. */
  source?: 'value' | 'now' | 'actor';
  /** What the field holds then: of enumerated fields their keys, of dates epoch milliseconds. Without any the field is emptied. */
  values?: JsonValue[];
}

/** A value of an enumerated field. */
export interface CommunityFileValue {
  /** Tells the value apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  label?: string;
  /** The label in other languages. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** In hierarchical fields: keys of the values of the field above to which this one belongs. */
  parents?: string[];
}

/** A rule that values of a field must keep. */
export interface CommunityFileRule {
  /** What the rule asks. One of: REQUIRED, MAX_COUNT, CONDITIONAL, MIN_VALUE, MAX_VALUE, MIN_COUNT, MIN_LENGTH, MAX_LENGTH, PATTERN, DATE_MIN, UNIQUE_ITEMS, DATE_MAX, MAX_DECIMALS, NOT_IN_THE_PAST, NOT_IN_THE_FUTURE, EMAIL, URL. */
  rule?: 'REQUIRED' | 'MAX_COUNT' | 'CONDITIONAL' | 'MIN_VALUE' | 'MAX_VALUE' | 'MIN_COUNT' | 'MIN_LENGTH' | 'MAX_LENGTH' | 'PATTERN' | 'DATE_MIN' | 'UNIQUE_ITEMS' | 'DATE_MAX' | 'MAX_DECIMALS' | 'NOT_IN_THE_PAST' | 'NOT_IN_THE_FUTURE' | 'EMAIL' | 'URL';
  /** Parameter of the rule as text, for example a limit; left out for rules that take none. */
  parameter?: string;
}

/** A workflow with its screens. */
export interface CommunityFileWorkflow {
  /** Name of the workflow. */
  title?: string;
  /** Its states, in order; one at least is initial. */
  states?: CommunityFileState[];
  /** Transitions between the states, in order. */
  transitions?: CommunityFileTransition[];
  /** Forms of transitions and states. */
  screens?: CommunityFileScreen[];
  /** Fields of the screens, in order. */
  screenFields?: CommunityFileField[];
}

/** Whom something is open to: each of these suffices. */
export interface CommunityFileAccess {
  /** To which roles it is open. Each MANAGER, CONTRIBUTOR, READER, or the key of one of `roles`; stronger roles are meant too. */
  roles?: string[];
  /** Members of these groups, by name. */
  groups?: string[];
  /** The creator of the post. Default false. */
  byAuthor?: boolean;
  /** Whoever the post holds in these fields of posts, by key. */
  fields?: string[];
  /** Whoever the post holds in these fields of screens, by key. */
  screenFields?: string[];
}

/** A state of a workflow. */
export interface CommunityFileState {
  /** Tells the state apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  name?: string;
  /** What the state means. */
  description?: string;
  /** Colour, as `#` and six hexadecimal digits. */
  color?: string;
  /** Whether posts can begin in this state. Default false. */
  initial?: boolean;
  /** Whether work on a post ends in this state. Default false. */
  terminal?: boolean;
  /** Further properties for programs, text to text. */
  metadata?: Record<string, string>;
  /** Name of the screen that can be edited in this state. */
  screen?: string;
  /** Who may edit that screen. */
  edit?: CommunityFileAccess;
}

/** A transition of a workflow. */
export interface CommunityFileTransition {
  /** Tells the transition apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id. */
  key?: string;
  /** What people see; must not be empty. */
  name?: string;
  /** Key of the state it leads away from. */
  from?: string;
  /** Key of the state it leads to. */
  to?: string;
  /** Further properties for programs, text to text. */
  metadata?: Record<string, string>;
  /** Name of the screen to be filled in. */
  screen?: string;
  /** Who may run it. Left out: contributors and managers. */
  run?: CommunityFileAccess;
  /** When a post offers it: all of these hold. */
  conditions?: CommunityFileCondition[];
  /** What running it sets in fields of screens. */
  sets?: CommunityFileSetValue[];
}

/** A form that a transition asks for, or that can be edited in a state. */
export interface CommunityFileScreen {
  /** Name of the screen, unique in the workflow. */
  name?: string;
  /** What to tell the person who fills it in. */
  message?: string;
  /** Its fields, in order. */
  fields?: CommunityFileScreenField[];
}

/** A field as shown on one screen. */
export interface CommunityFileScreenField {
  /** Key of the field, one of `screenFields`. */
  field?: string;
  /** Whether the screen cannot be sent without a value. Default false. */
  required?: boolean;
}

/** A view of posts: what of a post clients show. */
export interface CommunityFileView {
  /** Name of the view, unique in the community. */
  name?: string;
  /** Whether it shows the title. Default true. */
  titleEnabled?: boolean;
  /** Whether it shows the number of the post. Default true. */
  customIdEnabled?: boolean;
  /** Whether it shows the text. Default true. */
  descriptionEnabled?: boolean;
  /** Whether it shows the state of the workflow. Default true. */
  currentWorkflowStateEnabled?: boolean;
  /** Where it is used. Default: `LIST`. Each one of: LIST, DETAIL, RELATION. */
  scenarios?: ('LIST' | 'DETAIL' | 'RELATION')[];
  /** Keys of the fields of posts that it shows, in order. */
  fields?: string[];
}

/** A relation: posts of this community point at posts of another. */
export interface CommunityFileRelation {
  /** Name of the relation, unique in the community. */
  name?: string;
  /** Key of the community whose posts are related; it must be there, and may be this one. */
  to?: string;
  /** What one related post is called. */
  itemName?: string;
  /** How many posts may be related. One of: ONE, MANY. */
  cardinality?: 'ONE' | 'MANY';
  /** How related posts are shown: name of a view of that community. */
  view?: string;
  /** Whether a post cannot do without a related one. Default false. */
  required?: boolean;
}

/** A file to compare with the community that its key names. */
export interface PlanCommunityRequest {
  /** The community as it is to be. */
  file?: CommunityFile;
}

/** One thing that applying the file would do. */
export interface CommunityPlanChange {
  /** What becomes of the object. One of: create, change, remove. */
  action?: 'create' | 'change' | 'remove';
  /** Kind of the object. One of: workspace, group, role, catalog, entry, community, groupRole, hashtag, field, workflow, state, transition, screen, screenField, view, relation. */
  kind?: 'workspace' | 'group' | 'role' | 'catalog' | 'entry' | 'community' | 'groupRole' | 'hashtag' | 'field' | 'workflow' | 'state' | 'transition' | 'screen' | 'screenField' | 'view' | 'relation';
  /** Key of the object. */
  key?: string;
  /** Key of the catalog, where the object is one of its entries. */
  within?: string;
  /** What changes of an object that exists. */
  properties?: CommunityPlanProperty[];
  /** Of a state that is removed: how many posts are in it. Of a field that is removed: how many posts hold a value of it. Of a field whose values are left out: how many values in posts can then no longer be chosen; the posts keep them, with their labels. Absent where there are none, or where lists cannot be filtered by the field; ten thousand of each kind are counted. */
  postsCount?: number;
}

/** A property that changes. */
export interface CommunityPlanProperty {
  /** Name of the property in the file. */
  name?: string;
  /** Its present value, as JSON, the default included; absent where it has none. */
  before?: string;
  /** Its value in the file, as JSON; where the file leaves it out, the default. Absent where it has none. */
  after?: string;
}

/** What applying a file would do. */
export interface PlanCommunityResponse {
  /** Id of the community; absent where it would be made. */
  communityId?: number;
  /** Every change, in the order in which it would be made. */
  changes?: CommunityPlanChange[];
  /** How many changes there are; `changes` has the first thousand. */
  changesCount?: number;
  /** Names this plan: the file, and everything that it was compared with. */
  planToken?: string;
}

/** A file, and the plan that was shown for it. */
export interface ApplyCommunityRequest {
  /** The community as it is to be. */
  file?: CommunityFile;
  /** Token of the plan that was shown; where anything that it was made from has changed since, the request is a 409. Left out, the file is applied to what is there now. */
  planToken?: string;
  /** What becomes of posts in states that the file leaves out: with `keep` they stay there. One of: keep. */
  onExisting?: 'keep';
  /** What becomes of values of fields that the file leaves out, or gives another type; a field of which posts hold values needs an entry. */
  fieldChanges?: CommunityFileFieldChange[];
}

/** What becomes of the values of a field that exists. It names one field. */
export interface CommunityFileFieldChange {
  /** Key of a field of posts. */
  field?: string;
  /** Key of a field of screens. */
  screenField?: string;
  /** Of a field that is left out: with `keep` values stay stored, out of sight; with `map` another field that is empty takes them over; with `clear` they are deleted. Of a field of another type only `clear`: values that the type cannot hold are left out. One of: keep, map, clear. */
  onExisting?: 'keep' | 'map' | 'clear';
  /** With `map`: key of the field of the same form that takes the values over. */
  into?: string;
}

/** What was done. */
export interface ApplyCommunityResponse {
  /** Id of the community. */
  communityId?: number;
  /** How many changes the plan had. */
  changesCount?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** A user or group that was given a role in a community. */
export interface CommunityMember {
  /** The user, if the member is one. */
  user?: User;
  /** The group, if the member is one. */
  group?: Group;
  /** Role in the community: 1 = manager, 2 = contributor, 3 = reader, 5 = guest, or a role of the tenant. */
  roleId?: number;
  /** Where the role was given: in the community itself, by its workspace, or in every community. One of: community, workspace, everywhere. */
  givenIn?: 'community' | 'workspace' | 'everywhere';
  /** Who gave the role; absent where it is not known. */
  givenByUser?: User;
  /** When the role was given; absent where it is not known. Epoch milliseconds, UTC. */
  givenTimestamp?: number;
  /** True when the user gave the role to themselves. */
  givenToOneself?: boolean;
  /** Of a group: members who put themselves into it, 10 at most. */
  selfAddedUsers?: User[];
}

/** Paging of the members of a community. */
export interface ListCommunityMembersRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of members, by role, users before groups, then by id and where the role was given. */
export interface ListCommunityMembersResponse {
  /** The elements of this page. */
  items?: CommunityMember[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A role for a user. */
export interface CommunityUserRole {
  /** Id of the user. */
  userId?: number;
  /** Role in the community: 1 = manager, 2 = contributor, 3 = reader, 5 = guest, or a role of the tenant. */
  roleId?: number;
}

/** A role for a group. */
export interface CommunityGroupRole {
  /** Id of the group. */
  groupId?: number;
  /** Role in the community: 1 = manager, 2 = contributor, 3 = reader, 5 = guest, or a role of the tenant. */
  roleId?: number;
}

/** Roles to give and to take in a community; everybody who is not named keeps theirs. */
export interface EditCommunityMembersRequest {
  /** Users and the role that each gets in place of the present one. */
  userRoles?: CommunityUserRole[];
  /** Groups and the role that each gets in place of the present one. */
  groupRoles?: CommunityGroupRole[];
  /** Users whose role is taken. */
  removeUserIds?: number[];
  /** Groups whose role is taken. */
  removeGroupIds?: number[];
}

/** Result of the edit of the roles in every community. */
export interface EditMembersEverywhereResponse {
  /** How many users and groups have such a role. */
  assignmentsCount?: number;
}

/** Result of the edit of the members of a community. */
export interface EditCommunityMembersResponse {
  /** How many users have a role in it, given to them, to a group of theirs, or by the workspace. */
  membersCount?: number;
}

/** What can be edited of a comment. */
export interface GetPostCommentForEditResponse {
  /** The post that it is on. */
  postId?: number;
  /** The text as rich text: a Quill delta as a JSON string. */
  commentDelta?: string;
  /** The text without formatting. */
  commentPlainText?: string;
  /** Its attachments. */
  attachments?: PostCommentAttachment[];
  /** Token for the edit. */
  occToken?: number;
}

/** New text of a comment. */
export interface EditPostCommentRequest {
  /** The text: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A comment needs a text or an attachment. */
  comment?: string;
  /** How `comment` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  commentFormat?: 1 | 2;
  /** Attachments to add. */
  addAttachments?: InputPostCommentAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** The comment after the edit. */
export interface EditPostCommentResponse {
  /** The comment. */
  comment?: PostComment;
  /** Token for the next edit. */
  nextOccToken?: number;
}

/** The post whose comment was deleted. */
export interface DeletePostCommentResponse {
  /** Id of the post. */
  postId?: number;
}

/** The comment that is there again. */
export interface RestorePostCommentResponse {
  /** The comment. */
  comment?: PostComment;
}

/** A text that a comment has or had. */
export interface PostCommentVersion {
  /** Number of the version; the first text is 1. */
  version?: number;
  /** The text as rich text: a Quill delta as a JSON string. */
  commentDelta?: string;
  /** The text without formatting. */
  commentPlainText?: string;
  /** Who wrote it. */
  editorUser?: User;
  /** When it was written. Epoch milliseconds, UTC. */
  timestamp?: number;
}

/** Paging of the versions of a comment. */
export interface ListPostCommentVersionsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** Whether the caller likes it. */
export interface EditLikeRequest {
  /** False takes the like back. Default true. */
  liked?: boolean;
}

/** The likes afterwards. */
export interface EditLikeResponse {
  /** How many people like it. */
  likesCount?: number;
  /** Whether the caller likes it. */
  likedByMe?: boolean;
}

/** A like. */
export interface Like {
  /** Who likes it. */
  user?: User;
  /** Since when. Epoch milliseconds, UTC. */
  timestamp?: number;
}

/** Paging of likes. */
export interface ListLikesRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of likes, the latest first. */
export interface ListLikesResponse {
  /** The elements of this page. */
  items?: Like[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A page of versions, the present text first. */
export interface ListPostCommentVersionsResponse {
  /** The elements of this page. */
  items?: PostCommentVersion[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What becomes of a value of a list in posts. */
export interface ValueMappingForm {
  /** Id of a value that the edit takes out of use. */
  fromId?: number;
  /** Id of the value that posts hold instead. Left out, they hold none. */
  toId?: number;
}

/** What becomes of the posts in a state. */
export interface StateMappingForm {
  /** Id of a state of the workflow: one that the edit leaves out, or one that it splits. */
  fromStateId?: number;
  /** Name of the state that they are in afterwards, one of `states`. */
  to?: string;
  /** Only posts for which all of these hold; of several entries for a state the first that holds decides. Left out: all posts. */
  conditions?: FieldConditionForm[];
}

/** What becomes of the values of the field. */
export interface RemoveFieldRequest {
  /** What becomes of values: with `keep` they stay stored, out of sight, and come back with the field; with `map` another field that is empty takes them over; with `clear` they are deleted. Left out, a change that concerns data is refused with their number. One of: keep, map, clear. */
  onExisting?: 'keep' | 'map' | 'clear';
  /** With `map`: the field of the same form that takes the values over. */
  intoFieldId?: number;
  /** Token of the community, as its forms give it; a stale one is a 409. */
  occToken?: number;
}

/** The field is removed. */
export interface RemoveFieldResponse {
  /** The change that goes on in the background, see listDefinitionChanges; left out, all is done. */
  changeId?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** The type that a field becomes. */
export interface ChangeFieldTypeRequest {
  /** The new type; the table of conversions says what each type may become. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** Where a text becomes a choice: the values. A text becomes the value of the same label. */
  enumValues?: FieldValueForm[];
  /** What becomes of values that the new type cannot hold: with `clear` their posts have no value in the new field. Left out, a change that concerns data is refused with their number. One of: clear. */
  onExisting?: 'clear';
  /** Token of the community, as its forms give it; a stale one is a 409. */
  occToken?: number;
}

/** The field of the new type. */
export interface ChangeFieldTypeResponse {
  /** Id of the field of the new type, which takes the place of the former one. */
  fieldId?: number;
  /** The change that goes on in the background, see listDefinitionChanges; left out, all is done. */
  changeId?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** A change of a definition that goes over the posts of the community. */
export interface DefinitionChange {
  /** Id of the change. */
  id?: number;
  /** What is done. */
  kind?: string;
  /** The field that it is about. */
  fieldId?: number;
  /** How far it is. One of: running, finished, cancelled, failed. */
  status?: 'running' | 'finished' | 'cancelled' | 'failed';
  /** Posts of the community when it began. */
  posts?: number;
  /** Posts that it has worked on. */
  postsDone?: number;
  /** Why it failed. */
  error?: string;
  /** Who began it. */
  startedById?: number;
  /** When it began. Epoch milliseconds, UTC. */
  startedAt?: number;
  /** When it ended. Epoch milliseconds, UTC. */
  finishedAt?: number;
}

/** The newest changes of a definition, the newest first. */
export interface ListDefinitionChangesResponse {
  /** The changes, at most 100. */
  changes?: DefinitionChange[];
}

/** The change as it was left. */
export interface CancelDefinitionChangeResponse {
  /** The change. */
  change?: DefinitionChange;
}

/** A version of the definition of a community. */
export interface DefinitionVersion {
  /** Number of the version: the token that the community had. */
  version?: number;
  /** Who made it. */
  madeById?: number;
  /** Their name. */
  madeByName?: string;
  /** When it was made. Epoch milliseconds, UTC. */
  madeAt?: number;
  /** Whether it is the present version. */
  present?: boolean;
}

/** Versions of a definition, the newest first. */
export interface ListDefinitionVersionsResponse {
  /** The versions that are kept, at most 100. */
  versions?: DefinitionVersion[];
}

/** A part of a definition. */
export interface DefinitionPart {
  /** What kind of part it is. One of: setting, field, value, state, transition, screen. */
  kind?: 'setting' | 'field' | 'value' | 'state' | 'transition' | 'screen';
  /** Its id; left out for settings. */
  id?: number;
  /** What it is called, or the name of the setting. */
  name?: string;
}

/** What a version has that the one before it has not. */
export interface DefinitionPartChange {
  /** What kind of part it is. One of: setting, field, value, state, transition, screen. */
  kind?: 'setting' | 'field' | 'value' | 'state' | 'transition' | 'screen';
  /** Its id; left out for settings. */
  id?: number;
  /** What it is called, or the name of the setting. */
  name?: string;
  /** What happened to it. One of: added, removed, changed. */
  change?: 'added' | 'removed' | 'changed';
  /** Names of the properties that changed. */
  properties?: string[];
}

/** A version of a definition. */
export interface GetDefinitionVersionResponse {
  /** Number of the version. */
  version?: number;
  /** Who made it. */
  madeById?: number;
  /** Their name. */
  madeByName?: string;
  /** When it was made. Epoch milliseconds, UTC. */
  madeAt?: number;
  /** Its fields with their values, states, transitions and screens. */
  parts?: DefinitionPart[];
  /** What it changed of the version before it; empty where none is kept. */
  changes?: DefinitionPartChange[];
}

/** What becomes of data that the version has no place for. */
export interface RestoreDefinitionVersionRequest {
  /** What becomes of values of fields, and of posts in states, that the version does not have: with `keep` they stay stored, out of sight, and posts stay in their states. Left out, a change that concerns data is refused with their number. One of: keep. */
  onExisting?: 'keep';
  /** Token of the community, as its forms give it; a stale one is a 409. */
  occToken?: number;
}

/** The definition is as it was. */
export interface RestoreDefinitionVersionResponse {
  /** The change that goes on in the background, see listDefinitionChanges; left out, all is done. */
  changeId?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** A value of an enumerated field. */
export interface FieldValueForm {
  /** Id of the value. Left out, the value is new. */
  id?: number;
  /** What people see; must not be empty. */
  label?: string;
  /** The label in other languages. An empty object takes them away; left out, those of a value that is there stay. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Identifier of the value in another system. */
  externalId?: string;
  /** In hierarchical fields: the values of the parent field to which this one belongs. */
  parentIds?: number[];
  /** True when the value can no longer be chosen; posts that hold it keep it. */
  deleted?: boolean;
}

/** A rule that values of a field must keep. */
export interface FieldRuleForm {
  /** What the rule asks; see the published table of validation rules. 1 = REQUIRED, 5 = MAX_COUNT, 10 = CONDITIONAL, 1002 = MIN_VALUE, 1003 = MAX_VALUE, 1004 = MIN_COUNT, 1006 = MIN_LENGTH, 1007 = MAX_LENGTH, 1008 = PATTERN, 1009 = DATE_MIN, 1010 = UNIQUE_ITEMS, 1011 = DATE_MAX, 1012 = MAX_DECIMALS, 1013 = NOT_IN_THE_PAST, 1014 = NOT_IN_THE_FUTURE, 1015 = EMAIL, 1016 = URL. */
  validationTypeId?: 1 | 5 | 10 | 1002 | 1003 | 1004 | 1006 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1013 | 1014 | 1015 | 1016;
  /** Parameter of the rule as text, for example a limit; left out for rules that take none. */
  parameter?: string;
}

/** A condition on the value of a field. */
export interface FieldConditionForm {
  /** Id of the field whose value is compared. */
  fieldId?: number;
  /** How it is compared: it holds one of the values, none of them, no value, any value, or a number or date of at least or at most the one value. One of: in, notIn, empty, notEmpty, atLeast, atMost. */
  operator?: 'in' | 'notIn' | 'empty' | 'notEmpty' | 'atLeast' | 'atMost';
  /** Values as they are written into the field: several for `in` and `notIn`, one for `atLeast` and `atMost`, none otherwise. A FLAG takes `[true]` or `[false]`. */
  values?: JsonValue[];
}

/** What can be edited about a custom field. */
export interface GetPostFieldForEditResponse {
  /** What people see. */
  label?: string;
  /** The label in other languages. An empty object takes them away. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field. Fields with the same name are shown together, where the first of them is. An empty text takes the field out of its section. */
  section?: string;
  /** The name of the section in other languages. An empty object takes them away; outside of sections there are none. Keys are language codes such as en or pt-BR. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms of new posts begin with, as it is written into the field; of a screen, the value that its form begins with. An empty text takes it away. Fields of people, groups and posts have none, and a new field with values of its own gets one by an edit, when they have ids. */
  defaultValue?: JsonValue;
  /** How to fill the field in: plain text, or rich text as an array of operations in JSON. */
  description?: string;
  /** Identifier of the field in another system; unique in the community. */
  externalId?: string;
  /** Whether posts need a value. */
  required?: boolean;
  /** Whether requests cannot write the field. */
  readonly?: boolean;
  /** Whether lists show the field. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows the field. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows the field. */
  visibleInEdit?: boolean;
  /** Further properties, text to text; the table of field types says which keys there are. */
  metadata?: Record<string, string>;
  /** Values of an enumerated field without a catalog, in order, deleted ones included. Those that can be chosen beside each other have different labels. */
  enumValues?: FieldValueForm[];
  /** Rules that values must keep, in order; no greatest is below a least. */
  validations?: FieldRuleForm[];
  /** Who sees the field (empty: everybody; for others it does not exist, its values survive their edits, and search, mentions, hashtags and generated comments leave it out): these roles in the community and stronger ones. Built-in: 1 manager, 2 contributor, 3 reader; a role of the tenant by its id, than which managers are stronger. */
  visibleToRoles?: number[];
  /** When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form. Left out or empty: always. */
  conditions?: FieldConditionForm[];
  /** Place of the field in the form, from 1. */
  position?: number;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. Read-only here. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** Catalog whose entries are the values. Read-only here. */
  catalogId?: number;
  /** The field above, in hierarchical fields. Read-only here. */
  parentId?: number;
  /** Whether lists can be filtered by the field. */
  searchable?: boolean;
  /** Whether lists can be ordered by the field. */
  sortable?: boolean;
  /** Token of the community, to send back with the next edit. */
  occToken?: number;
}

/** A new custom field of posts or of screens; it comes after the others. */
export interface CreatePostFieldRequest {
  /** What people see; must not be empty. */
  label?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** The label in other languages. An empty object takes them away. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field. Fields with the same name are shown together, where the first of them is. An empty text takes the field out of its section. */
  section?: string;
  /** The name of the section in other languages. An empty object takes them away; outside of sections there are none. Keys are language codes such as en or pt-BR. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms of new posts begin with, as it is written into the field; of a screen, the value that its form begins with. An empty text takes it away. Fields of people, groups and posts have none, and a new field with values of its own gets one by an edit, when they have ids. */
  defaultValue?: JsonValue;
  /** How to fill the field in: plain text, or rich text as an array of operations in JSON. */
  description?: string;
  /** Identifier of the field in another system; unique in the community. */
  externalId?: string;
  /** Whether posts need a value. */
  required?: boolean;
  /** Whether requests cannot write the field. */
  readonly?: boolean;
  /** Whether lists show the field. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows the field. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows the field. */
  visibleInEdit?: boolean;
  /** Further properties, text to text; the table of field types says which keys there are. */
  metadata?: Record<string, string>;
  /** Values of an enumerated field without a catalog, in order, deleted ones included. Those that can be chosen beside each other have different labels. */
  enumValues?: FieldValueForm[];
  /** Rules that values must keep, in order; no greatest is below a least. */
  validations?: FieldRuleForm[];
  /** Who sees the field (empty: everybody; for others it does not exist, its values survive their edits, and search, mentions, hashtags and generated comments leave it out): these roles in the community and stronger ones. Built-in: 1 manager, 2 contributor, 3 reader; a role of the tenant by its id, than which managers are stronger. */
  visibleToRoles?: number[];
  /** When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form. Left out or empty: always. */
  conditions?: FieldConditionForm[];
  /** Catalog whose entries are the values of an enumerated field. */
  catalogId?: number;
  /** In hierarchical fields: the enumerated field whose value decides which values can be chosen. */
  parentId?: number;
  /** Whether lists can be filtered by the field. A new field is searchable. */
  searchable?: boolean;
  /** Whether lists can be ordered by the field. */
  sortable?: boolean;
}

/** The field that was created. */
export interface CreatePostFieldResponse {
  /** Id of the field; the key in custom data, and `columnId` in filters. */
  fieldId?: number;
  /** Ids of its own values, in the order in which they were sent. */
  enumValueIds?: number[];
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** New settings of a custom field. Description and external id that are left out are emptied; the others keep their value. A list replaces the present one: values that it leaves out can no longer be chosen. */
export interface EditPostFieldRequest {
  /** What people see; must not be empty. */
  label?: string;
  /** The label in other languages. An empty object takes them away. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field. Fields with the same name are shown together, where the first of them is. An empty text takes the field out of its section. */
  section?: string;
  /** The name of the section in other languages. An empty object takes them away; outside of sections there are none. Keys are language codes such as en or pt-BR. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms of new posts begin with, as it is written into the field; of a screen, the value that its form begins with. An empty text takes it away. Fields of people, groups and posts have none, and a new field with values of its own gets one by an edit, when they have ids. */
  defaultValue?: JsonValue;
  /** How to fill the field in: plain text, or rich text as an array of operations in JSON. */
  description?: string;
  /** Identifier of the field in another system; unique in the community. */
  externalId?: string;
  /** Whether posts need a value. */
  required?: boolean;
  /** Whether requests cannot write the field. */
  readonly?: boolean;
  /** Whether lists show the field. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows the field. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows the field. */
  visibleInEdit?: boolean;
  /** Further properties, text to text; the table of field types says which keys there are. */
  metadata?: Record<string, string>;
  /** Values of an enumerated field without a catalog, in order, deleted ones included. Those that can be chosen beside each other have different labels. */
  enumValues?: FieldValueForm[];
  /** Rules that values must keep, in order; no greatest is below a least. */
  validations?: FieldRuleForm[];
  /** Who sees the field (empty: everybody; for others it does not exist, its values survive their edits, and search, mentions, hashtags and generated comments leave it out): these roles in the community and stronger ones. Built-in: 1 manager, 2 contributor, 3 reader; a role of the tenant by its id, than which managers are stronger. */
  visibleToRoles?: number[];
  /** When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form. Left out or empty: always. */
  conditions?: FieldConditionForm[];
  /** Place of the field in the form, from 1. */
  position?: number;
  /** Whether lists can be filtered by the field. */
  searchable?: boolean;
  /** Whether lists can be ordered by the field. */
  sortable?: boolean;
  /** What becomes of values of the list that the edit takes out of use, in posts that hold them: with `keep` they stay there, with their label; with `map` they become those that `valueMapping` says; with `clear` they are taken out. Left out, a change that concerns data is refused with their number. One of: keep, map, clear. */
  onExisting?: 'keep' | 'map' | 'clear';
  /** With `map`: what each value becomes that the edit takes out of use. */
  valueMapping?: ValueMappingForm[];
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a custom field. */
export interface EditPostFieldResponse {
  /** The change that goes on in the background, see listDefinitionChanges; left out, all is done. */
  changeId?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** Whom something is open to: each of these suffices. */
export interface WorkflowAccessForm {
  /** To whom it is open: these roles in the community and stronger ones. Built-in: 1 manager, 2 contributor, 3 reader; a role of the tenant by its id, than which managers are stronger. */
  roles?: number[];
  /** Members of these groups. */
  groupIds?: number[];
  /** The creator of the post. */
  byAuthor?: boolean;
  /** People whom the post holds in these fields; left out, those that it has stay. */
  fieldIds?: number[];
}

/** A state of a workflow. */
export interface WorkflowStateForm {
  /** Id of the state. Left out, the state is new. */
  id?: number;
  /** Name of the state, unique in the workflow. */
  name?: string;
  /** What the state means. */
  description?: string;
  /** Colour, as `#` and six hexadecimal digits. */
  color?: string;
  /** Whether posts can begin in this state. */
  initial?: boolean;
  /** Whether work on a post ends in this state. */
  terminal?: boolean;
  /** Identifier in another system. */
  externalId?: string;
  /** Further properties for programs, text to text. Left out, those that it has stay. */
  metadata?: Record<string, string>;
  /** Name of the screen that can be edited in this state, one of `screens`. */
  screen?: string;
  /** Who may edit that screen. */
  edit?: WorkflowAccessForm;
}

/** A transition of a workflow. */
export interface WorkflowTransitionForm {
  /** Id of the transition. Left out, the transition is new. */
  id?: number;
  /** Name of the transition, as on a button. */
  name?: string;
  /** Name of the state it leads away from, one of `states`. */
  from?: string;
  /** Name of the state it leads to, one of `states`. */
  to?: string;
  /** Identifier in another system. */
  externalId?: string;
  /** Further properties for programs, text to text. Left out, those that it has stay. */
  metadata?: Record<string, string>;
  /** Name of the screen to be filled in, one of `screens`. */
  screen?: string;
  /** Who may run it. Left out: contributors and managers. */
  run?: WorkflowAccessForm;
  /** When a post offers it: all of these hold. They name fields of screens, and of posts where one community has the workflow. Left out, those that it has stay; empty: always. */
  conditions?: FieldConditionForm[];
  /** Values that running it sets in fields of screens; left out, those that it has stay. */
  sets?: TransitionValueForm[];
}

/** A value that a transition sets. */
export interface TransitionValueForm {
  /** Id of the field of a screen. */
  fieldId?: number;
  /** What it sets: `value`, the moment of the step in a date, or whoever runs it in a field of people. One of: value, now, actor. Default `value`. */
  source?: 'value' | 'now' | 'actor';
  /** With `value`: what the field holds then, one value or several; without any the field is emptied. */
  values?: JsonValue[];
}

/** A field as shown on one screen. */
export interface WorkflowScreenFieldForm {
  /** Label of the field, one of `screenFields`; needed where `fieldId` is left out. */
  label?: string;
  /** Id of the field, where it exists. */
  fieldId?: number;
  /** Whether the screen cannot be sent without a value. */
  required?: boolean;
}

/** A screen of a workflow. */
export interface WorkflowScreenForm {
  /** Id of the screen. Left out, the screen is new. */
  id?: number;
  /** Name of the screen, unique in the workflow. */
  name?: string;
  /** What to tell the person who fills it in. */
  message?: string;
  /** Its fields, in order. */
  fields?: WorkflowScreenFieldForm[];
}

/** A new field of the screens of a workflow. */
export interface ScreenFieldForm {
  /** What people see; must not be empty. */
  label?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** The label in other languages. An empty object takes them away. Keys are language codes such as en or pt-BR. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field. Fields with the same name are shown together, where the first of them is. An empty text takes the field out of its section. */
  section?: string;
  /** The name of the section in other languages. An empty object takes them away; outside of sections there are none. Keys are language codes such as en or pt-BR. */
  sectionTranslations?: Record<string, string>;
  /** How to fill the field in: plain text, or rich text as an array of operations in JSON. */
  description?: string;
  /** Identifier of the field in another system; unique in the community. */
  externalId?: string;
  /** Whether posts need a value. */
  required?: boolean;
  /** Whether requests cannot write the field. */
  readonly?: boolean;
  /** Whether lists show the field. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows the field. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows the field. */
  visibleInEdit?: boolean;
  /** Further properties, text to text; the table of field types says which keys there are. */
  metadata?: Record<string, string>;
  /** Values of an enumerated field without a catalog, in order, deleted ones included. Those that can be chosen beside each other have different labels. */
  enumValues?: FieldValueForm[];
  /** Rules that values must keep, in order; no greatest is below a least. */
  validations?: FieldRuleForm[];
  /** Who sees the field (empty: everybody; for others it does not exist, its values survive their edits, and search, mentions, hashtags and generated comments leave it out): these roles in the community and stronger ones. Built-in: 1 manager, 2 contributor, 3 reader; a role of the tenant by its id, than which managers are stronger. */
  visibleToRoles?: number[];
  /** Catalog whose entries are the values of an enumerated field. */
  catalogId?: number;
  /** Label of the enumerated field above, in hierarchical fields: one that comes before. */
  parent?: string;
  /** Whether lists can be filtered by the field. A new field is searchable. */
  searchable?: boolean;
  /** Whether lists can be ordered by the field. */
  sortable?: boolean;
}

/** A field of the screens of a workflow. */
export interface ScreenFieldElement {
  /** Id of the field; the key in screen data. */
  fieldId?: number;
  /** What people see. */
  label?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
}

/** A workflow for a community that has none. */
export interface CreateCommunityWorkflowRequest {
  /** Name of the workflow. */
  title?: string;
  /** Its states, in order; one at least is initial. */
  states?: WorkflowStateForm[];
  /** Transitions between the states, in order. */
  transitions?: WorkflowTransitionForm[];
  /** Forms of transitions and states. */
  screens?: WorkflowScreenForm[];
  /** Fields of the screens, in order. */
  screenFields?: ScreenFieldForm[];
}

/** The workflow that was created. */
export interface CreateCommunityWorkflowResponse {
  /** Id of the workflow. */
  workflowId?: number;
  /** Ids of its states, in the order in which they were sent. */
  stateIds?: number[];
  /** Ids of its transitions, in the order in which they were sent. */
  transitionIds?: number[];
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** What can be edited about the workflow of a community. */
export interface GetCommunityWorkflowForEditResponse {
  /** Name of the workflow. */
  title?: string;
  /** States in use, in order. */
  states?: WorkflowStateForm[];
  /** Transitions in use, in order. */
  transitions?: WorkflowTransitionForm[];
  /** Screens that states and transitions can name. */
  screens?: WorkflowScreenForm[];
  /** Fields that screens can show, in order. Read-only here. */
  screenFields?: ScreenFieldElement[];
  /** Token of the community, to send back with the next edit. */
  occToken?: number;
}

/** States and transitions of a workflow: those with an id are changed, those without are new, and those that are left out are taken out of use. */
export interface EditCommunityWorkflowRequest {
  /** Name of the workflow; left out, it stays. */
  title?: string;
  /** The states, in order; one at least is initial. */
  states?: WorkflowStateForm[];
  /** The transitions, in order. */
  transitions?: WorkflowTransitionForm[];
  /** The screens: those with an id are changed, those without are new, those that are left out are deleted. Left out, they stay. */
  screens?: WorkflowScreenForm[];
  /** What becomes of posts in states that are left out: with `keep` they stay there; with `map` they are in the states that `stateMapping` says. Left out, a change that concerns data is refused with their number. One of: keep, map. */
  onExisting?: 'keep' | 'map';
  /** With `map`: where the posts of each state are afterwards. A state that stays can be split so, too. */
  stateMapping?: StateMappingForm[];
  /** Token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** Result of the edit of a workflow. */
export interface EditCommunityWorkflowResponse {
  /** Ids of the screens, in the order in which they were sent. */
  screenIds?: number[];
  /** Ids of the states, in the order in which they were sent. */
  stateIds?: number[];
  /** Ids of the transitions, in the order in which they were sent. */
  transitionIds?: number[];
  /** The change that goes on in the background, see listDefinitionChanges; left out, all is done. */
  changeId?: number;
  /** Token of the community for the next edit. */
  nextOccToken?: number;
}

/** Which tasks to list, their order, and paging. */
export interface ListTasksRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** What the tasks are to the caller: `assigned` to them or to a group of theirs, `created` by them, `watched` by them or by a group of theirs, or `any`. Left out, `any` with `postId`, `communityId`, `assigneeUserIds` or `assigneeGroupIds`, else `assigned`. One of: assigned, created, watched, any. */
  relation?: 'assigned' | 'created' | 'watched' | 'any';
  /** Only tasks of this post. */
  postId?: number;
  /** Only tasks of posts of this community. */
  communityId?: number;
  /** Only tasks that are assigned to one of these users, or to one of `assigneeGroupIds`. */
  assigneeUserIds?: number[];
  /** Only tasks that are assigned to one of these groups, or to one of `assigneeUserIds`. */
  assigneeGroupIds?: number[];
  /** Only tasks in one of these states. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  states?: (1 | 2 | 3)[];
  /** Only tasks of one of these priorities. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priorities?: (1 | 2 | 3 | 4)[];
  /** Only tasks of these kinds. 1 = STANDARD, 2 = ACKNOWLEDGE, 3 = SURVEY. */
  types?: (1 | 2 | 3)[];
  /** With true only tasks that are not closed, with false only closed ones. */
  open?: boolean;
  /** With true only tasks that are past their expiration and not closed. */
  overdue?: boolean;
  /** With true only deleted tasks that the caller can restore; else only tasks that are there. */
  deleted?: boolean;
  /** Only tasks that are due at this time or later. Epoch milliseconds, UTC. */
  expirationFrom?: number;
  /** Only tasks that are due before this time. Epoch milliseconds, UTC. */
  expirationTo?: number;
  /** The order of the tasks. One of: expiration, creationTimestamp, lastModifyTimestamp, priority. Default `expiration`. */
  orderBy?: 'expiration' | 'creationTimestamp' | 'lastModifyTimestamp' | 'priority';
  /** Direction of the order: true runs from the highest to the lowest. Default false. */
  orderDesc?: boolean;
}

/** A page of tasks. */
export interface ListTasksResponse {
  /** The elements of this page. */
  items?: TaskListElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A task in a list. */
export interface TaskListElement {
  /** Id of the task. */
  id?: number;
  /** Post to which it belongs. */
  postId?: number;
  /** Title. */
  title?: string;
  /** When it is due. */
  expiration?: ZonedDatetime;
  /** How urgent it is. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priority?: 1 | 2 | 3 | 4;
  /** State of the task. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  state?: 1 | 2 | 3;
  /** The user who is to do it, if it is one. */
  assigneeUser?: User;
  /** The group that is to do it, if it is one. */
  assigneeGroup?: Group;
  /** When people are reminded of it. */
  reminders?: TaskReminder[];
  /** Its steps, in order. */
  subTasks?: SubTask[];
  /** Who created it. */
  creatorUser?: User;
  /** When it was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited it. */
  lastModifyUser?: User;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When it was last handed in for review. Epoch milliseconds, UTC. */
  lastReviewTimestamp?: number;
  /** Who last handed it in for review. */
  lastReviewUser?: User;
  /** When it was closed. Epoch milliseconds, UTC. */
  closingTimestamp?: number;
  /** Who closed it. */
  closingUser?: User;
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the task. */
  watcherUsers?: User[];
  /** Groups that watch the task. */
  watcherGroups?: Group[];
  /** Hashtags of the task. */
  hashtags?: Hashtag[];
  /** Token to put into the path of the next edit. */
  occToken?: number;
  /** Kind of task. 1 = STANDARD, 2 = ACKNOWLEDGE, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** How many attachments it has. */
  attachmentsCount?: number;
  /** Title of its post. */
  postTitle?: string;
  /** Number of its post within the community, as text. */
  postCustomId?: string;
  /** Community of its post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** Whether it is past its expiration and not closed. */
  overdue?: boolean;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** New states; what is left out stays. */
export interface SetTaskStateRequest {
  /** State of the task. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  state?: 1 | 2 | 3;
  /** New states of steps. */
  subTasks?: SetSubTaskState[];
}

/** The task that is there again. */
export interface RestoreTaskResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The task. */
  taskData?: TaskDetail;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** When the assignee of a task is to be reminded of it. */
export interface EditTaskRemindersRequest {
  /** All reminders; those before are replaced. */
  reminders?: InputTaskReminder[];
}

/** A reminder before the expiration of a task. */
export interface InputTaskReminder {
  /** How long before the expiration, in the unit of `range`: 0 to 10000. */
  value?: number;
  /** Unit of `value`. 1 = MINUTES, 2 = HOURS, 3 = DAYS, 4 = WEEKS. */
  range?: 1 | 2 | 3 | 4;
}

/** The task after the change. */
export interface EditTaskRemindersResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The task. */
  taskData?: TaskDetail;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** Tasks and the person or group that takes them over. */
export interface ReassignTasksRequest {
  /** Ids of the tasks, at most 1000, each named once. */
  taskIds?: number[];
  /** The user that takes them over. Either this or `assigneeGroupId`. */
  assigneeUserId?: number;
  /** The group that takes them over. Either this or `assigneeUserId`. */
  assigneeGroupId?: number;
}

/** What became of each task, in the order of the request. */
export interface BulkTasksResponse {
  /** One for each task. */
  items?: BulkTaskOutcome[];
  /** Tasks that were reassigned. */
  okCount?: number;
  /** Tasks that were assigned so already. */
  unchangedCount?: number;
  /** Tasks that were refused. */
  errorCount?: number;
  /** Tasks that were not begun as the time was over. Send them again. */
  notRunCount?: number;
}

/** What became of one task. */
export interface BulkTaskOutcome {
  /** Id of the task. */
  taskId?: number;
  /** OK: reassigned. UNCHANGED: it was assigned so already, nothing was written. ERROR: refused, see `error`. NOT_RUN: not begun, the time was over. One of: OK, UNCHANGED, ERROR, NOT_RUN. */
  outcome?: 'OK' | 'UNCHANGED' | 'ERROR' | 'NOT_RUN';
  /** Token for the next edit of the task. Absent for one that was not written. */
  nextOccToken?: number;
  /** Why the task was refused: as the write of this task alone would answer. */
  error?: BulkPostError;
}

/** The new state of a step. */
export interface SetSubTaskState {
  /** Id of the step. */
  id?: number;
  /** State of the step; never 0. 1 = TO_DO, 2 = DONE. */
  state?: 1 | 2;
}

/** The task after the change. */
export interface SetTaskStateResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The task. */
  taskData?: TaskDetail;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** What is to change of a post; what is left out stays as it is, null empties it. */
export interface PatchPostRequest {
  /** Token of the post as it was read. It may come in the header `If-Match` instead. */
  occToken?: number;
  /** Title. */
  title?: string | null;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string | null;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** New values of custom fields by field id, in the form of an edit; null as a value empties the field. Fields that are left out stay as they are. Null instead of the map empties every field that can be written. */
  customData?: Record<string, JsonValue> | null;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** All users who watch the post from now on: the others stop. Null or an empty list leaves none. */
  watcherUserIds?: number[] | null;
  /** All groups that watch the post from now on: the others stop. Null or an empty list leaves none. */
  watcherGroupIds?: number[] | null;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. It cannot be emptied. */
  visibility?: 1 | 2;
  /** State in which a draft begins, where the community lets authors choose. It cannot be emptied. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. It cannot be emptied. */
  draft?: boolean;
  /** When the post is to be published by itself. Null cancels that. */
  scheduledPublication?: ZonedDatetimeInput | null;
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
}

/** What becomes of the value of a field of a post that moves. */
export interface FieldMappingForm {
  /** Id of a field of the post, or of a screen of its workflow. */
  fromId?: number;
  /** Id of a field of the same type in the other community: of posts for a value of the post, of screens for one of a screen. Left out, the value is lost. */
  toId?: number;
}

/** Where a post moves to. */
export interface MovePostRequest {
  /** Id of the other community. */
  communityId?: number;
  /** Id of the state in which it is there. Left out: the state of the same name. */
  stateId?: number;
  /** What becomes of values that no field of the other community takes by itself. */
  fieldMapping?: FieldMappingForm[];
  /** Token of the post; a stale one is a 409. */
  occToken?: number;
}

/** What is to change of each of many posts; what is left out stays as it is, null empties it. */
export interface PostPatch {
  /** Title. */
  title?: string | null;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string | null;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** New values of custom fields by field id, in the form of an edit; null as a value empties the field. Fields that are left out stay as they are. Null instead of the map empties every field that can be written. */
  customData?: Record<string, JsonValue> | null;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** All users who watch the post from now on: the others stop. Null or an empty list leaves none. */
  watcherUserIds?: number[] | null;
  /** All groups that watch the post from now on: the others stop. Null or an empty list leaves none. */
  watcherGroupIds?: number[] | null;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. It cannot be emptied. */
  visibility?: 1 | 2;
  /** State in which a draft begins, where the community lets authors choose. It cannot be emptied. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. It cannot be emptied. */
  draft?: boolean;
  /** When the post is to be published by itself. Null cancels that. */
  scheduledPublication?: ZonedDatetimeInput | null;
}

/** A transition and the posts that it is to be run on. */
export interface TransitionPostsRequest {
  /** Id of the transition. */
  workflowOperationId?: number;
  /** Ids of the posts. Together with `posts` at most 1000, each named once. */
  postIds?: number[];
  /** Posts with their tokens. Beside or instead of `postIds`. */
  posts?: PostToTransition[];
  /** Values of the fields of the screen by field id, the same for each post. Fields that it leaves out keep their values. */
  screenData?: Record<string, JsonValue>;
  /** True gives fields of the screen that `screenData` does not name, and that hold no value yet, their default; an empty text there leaves a field empty. Left out, none is given. */
  applyDefaults?: boolean;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
}

/** A post that a transition is to be run on. */
export interface PostToTransition {
  /** Id of the post. */
  postId?: number;
  /** Token of the screens of the post; another one is an error of this post. Left out, none is compared. */
  screenOccToken?: number;
}

/** Changes and the posts that they are to be made to. */
export interface PatchPostsRequest {
  /** What is to change of every post. */
  patch?: PostPatch;
  /** Ids of the posts. Together with `posts` at most 1000, each named once. */
  postIds?: number[];
  /** Posts with their tokens and changes of their own. Beside or instead of `postIds`. */
  posts?: PostToPatch[];
}

/** A post that is to be changed. */
export interface PostToPatch {
  /** Id of the post. */
  postId?: number;
  /** Token of the post as it was read; another one is an error of this post. Left out, none is compared. */
  occToken?: number;
  /** What is to change of this post; its members win over those of the common patch. */
  patch?: PostPatch;
}

/** Posts that are to be deleted. */
export interface DeletePostsRequest {
  /** Ids of the posts. Together with `posts` at most 1000, each named once. */
  postIds?: number[];
  /** Posts with their tokens. Beside or instead of `postIds`. */
  posts?: PostToDelete[];
  /** True marks them for physical removal, too, as `mark-post-as-erasable` does. Default false. */
  erasable?: boolean;
}

/** A post that is to be deleted. */
export interface PostToDelete {
  /** Id of the post. */
  postId?: number;
  /** Token of the post as it was read; another one is an error of this post. Left out, none is compared. */
  occToken?: number;
}

/** New posts of a community. */
export interface CreatePostsRequest {
  /** The posts, at most 1000; as lines at most 10000. */
  posts?: CreateCustomPostRequest[];
}

/** What became of each post, in the order of the request. */
export interface BulkPostsResponse {
  /** One for each post. */
  items?: BulkPostOutcome[];
  /** Posts that were written. */
  okCount?: number;
  /** Posts that were already as they were to be. */
  unchangedCount?: number;
  /** Posts that were refused. */
  errorCount?: number;
  /** Posts that were not begun as the time was over. Send them again. */
  notRunCount?: number;
}

/** What became of one post. */
export interface BulkPostOutcome {
  /** Number of the line in a body of lines, or of the element of `posts`, from 1 on. Of new posts only. */
  line?: number;
  /** Id of the post. Absent for a new one that was refused. */
  postId?: number;
  /** The `clientUid` of a new post, where it has one. */
  clientUid?: string;
  /** OK: written. UNCHANGED: it was so already, nothing was written. ERROR: refused, see `error`. NOT_RUN: not begun, the time was over. One of: OK, UNCHANGED, ERROR, NOT_RUN. */
  outcome?: 'OK' | 'UNCHANGED' | 'ERROR' | 'NOT_RUN';
  /** Token for the next edit of the post. Absent where it is not known, as after a transition. */
  nextOccToken?: number;
  /** Why the post was refused: as the write of this post alone would answer. */
  error?: BulkPostError;
}

/** Why one of many posts was refused. */
export interface BulkPostError {
  /** Kind of error; one of the published error codes. */
  code?: string;
  /** HTTP status that the write of this post alone would have. */
  status?: number;
  /** The error in English, and what to do about it. */
  message?: string;
  /** The first input that is wrong, as a path such as `customData.12`; absent where it is none. */
  field?: string;
  /** After a stale token: the one that is valid now. */
  currentOccToken?: number;
  /** What is wrong, value by value. */
  validationErrors?: CustomFieldValidationErrors;
}

/** Which notifications to list, and paging. */
export interface ListNotificationsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only notifications of these kinds. 1 = MENTION, 2 = ASSIGNMENT, 3 = REPLY, 4 = FOLLOW, 5 = STEP, 6 = DUE, 7 = ANNOUNCEMENT. */
  kinds?: (1 | 2 | 3 | 4 | 5 | 6 | 7)[];
  /** Only notifications about posts of this community. */
  communityId?: number;
  /** With true only unread ones, with false only read ones. */
  unread?: boolean;
  /** With true only those that are marked as done, with false only the others. */
  done?: boolean;
}

/** A page of notifications, the newest first. */
export interface ListNotificationsResponse {
  /** The elements of this page. */
  items?: Notification[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Something that the caller is told of. */
export interface Notification {
  /** Id of the notification. */
  id?: number;
  /** Why the caller is told. 1 = MENTION, 2 = ASSIGNMENT, 3 = REPLY, 4 = FOLLOW, 5 = STEP, 6 = DUE, 7 = ANNOUNCEMENT. */
  kind?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** When it happened. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Who did it; of kind DUE, who made the task. */
  authorUser?: User;
  /** Name of what happened, as the history of the post calls it. */
  typeDescription?: string;
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post. */
  postTitle?: string;
  /** Community of the post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** The comment concerned. */
  commentId?: number;
  /** The beginning of that comment, or of the text of the post that mentions the caller, without formatting: at most 240 characters. Reading it is no view of the post. */
  excerpt?: string;
  /** The task concerned. */
  taskId?: number;
  /** Title of the task. */
  taskTitle?: string;
  /** Name of the transition that was run. */
  transitionName?: string;
  /** When the task is due; of kind DUE. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
  /** Whether that has passed: false on the morning of the day before, in the time zone of the person, and for reminders of the task. Of kind DUE. */
  overdue?: boolean;
  /** Whether it is marked as read. */
  read?: boolean;
  /** Whether it is marked as done. */
  done?: boolean;
}

/** How many notifications are unread. */
export interface CountNotificationsResponse {
  /** Unread notifications that are not done; counted up to 1,000. */
  unread?: number;
}

/** Which notifications to mark, and as what. */
export interface MarkNotificationsRequest {
  /** The notifications. Left out, all up to `untilId`. */
  ids?: number[];
  /** All notifications up to this one, itself included: what the caller has seen when they ask. */
  untilId?: number;
  /** Marks them as read (true) or unread (false). */
  read?: boolean;
  /** Marks them as done (true) or not (false). What is done is read too. */
  done?: boolean;
}

/** What was marked. */
export interface MarkNotificationsResponse {
  /** How many notifications changed. */
  marked?: number;
  /** How many are unread now; counted up to 1,000. */
  unread?: number;
}

/** What the caller chooses. */
export interface EditFollowingRequest {
  /** What they are to be told of. 0 = NONE, 1 = FOLLOWED, 2 = MUTED. */
  following?: 0 | 1 | 2;
}

/** What was chosen about a post. */
export interface EditPostFollowingResponse {
  /** Id of the post. */
  postId?: number;
  /** What the caller is told of. 0 = NONE, 1 = FOLLOWED, 2 = MUTED. */
  following?: 0 | 1 | 2;
}

/** What was chosen about a community. */
export interface CommunityFollowing {
  /** Id of the community. */
  communityId?: number;
  /** What the caller is told of. 0 where nothing was chosen. 0 = NONE, 1 = FOLLOWED, 2 = MUTED. */
  following?: 0 | 1 | 2;
}

/** What the post is to the caller. */
export interface PostOwnState {
  /** What they are told of about the post: as chosen, else 1 for authors and watchers and 0 for others. 0 = NONE, 1 = FOLLOWED, 2 = MUTED. */
  following?: 0 | 1 | 2;
  /** What they chose about its community, which counts where nothing was chosen about the post. 0 = NONE, 1 = FOLLOWED, 2 = MUTED. */
  communityFollowing?: 0 | 1 | 2;
}

/** What the caller wants to be told of. What no entry names is on. */
export interface NotificationPreferences {
  /** Entries that were set. */
  preferences?: NotificationPreference[];
}

/** Whether the caller is told of one kind. */
export interface NotificationPreference {
  /** The kind. 1 = MENTION, 2 = ASSIGNMENT, 3 = REPLY, 4 = FOLLOW, 5 = STEP, 6 = DUE, 7 = ANNOUNCEMENT. */
  kind?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** In which community; left out, in all for which there is no entry of their own. */
  communityId?: number;
  /** Whether they are told. */
  enabled?: boolean;
}

/** Entries to set; others stay. */
export interface EditNotificationPreferencesRequest {
  /** The entries. */
  preferences?: NotificationPreference[];
}

/** Which drafts to list, and paging. */
export interface ListMyDraftsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only posts of this community. */
  communityId?: number;
}

/** A page of drafts. */
export interface ListMyDraftsResponse {
  /** The elements of this page. */
  items?: MyDraft[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A draft, or a scheduled post, of the caller. */
export interface MyDraft {
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post. */
  postTitle?: string;
  /** Community of the post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** When it was last edited. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** When it will be published, if it is scheduled. Epoch milliseconds, UTC. */
  scheduledTimestamp?: number;
}

/** Which posts to list, and paging. */
export interface ListDeletedPostsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only posts of this community. */
  communityId?: number;
}

/** A page of deleted posts. */
export interface ListDeletedPostsResponse {
  /** The elements of this page. */
  items?: DeletedPost[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A deleted post that the caller can restore. */
export interface DeletedPost {
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post. */
  postTitle?: string;
  /** Community of the post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** When it was deleted. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Who deleted it. */
  deletedByUser?: User;
}

/** The post that is there again. */
export interface RestorePostResponse {
  /** Id of the post. */
  postId?: number;
}

/** Which posts to list, and paging. */
export interface ListRecentPostsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only posts of this community. */
  communityId?: number;
}

/** A page of posts. */
export interface ListRecentPostsResponse {
  /** The elements of this page. */
  items?: RecentPost[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A post that the caller has read. */
export interface RecentPost {
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post. */
  postTitle?: string;
  /** Community of the post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** When they last read it. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Whether others edited or commented it since. */
  changed?: boolean;
}

/** Workspaces and communities in which the caller has a role. */
export interface CommunityTree {
  /** Workspaces, by name. */
  workspaces?: WorkspaceOfTree[];
}

/** A workspace with its communities. */
export interface WorkspaceOfTree {
  /** Id of the workspace. */
  workspaceId?: number;
  /** Its name. */
  workspaceName?: string;
  /** Communities of it in which the caller has a role, by name. */
  communities?: CommunityOfTree[];
}

/** A community, and what is new in it. */
export interface CommunityOfTree {
  /** Id of the community. */
  communityId?: number;
  /** Its name. */
  communityName?: string;
  /** Whether it is a favourite of the caller. */
  favourite?: boolean;
  /** How many posts were published, edited, commented or moved on by others since the last visit, and not opened since; counted up to 100, among the 200 latest. Before the first visit, what happened within 30 days. */
  newPosts?: number;
  /** When the caller last visited it. Absent before the first visit. Epoch milliseconds, UTC. */
  visitTimestamp?: number;
}

/** Until when the caller has seen what is new. */
export interface VisitCommunityRequest {
  /** What happened until then is not new any more. Left out, or in the future: now. Epoch milliseconds, UTC. */
  untilTimestamp?: number;
  /** True takes a visit back: what happened after `untilTimestamp` is new again; where that is left out, as if the caller had never visited the community. */
  takeBack?: boolean;
}

/** The visit. */
export interface VisitCommunityResponse {
  /** Id of the community. */
  communityId?: number;
  /** Until when nothing is new: never earlier than before, unless a visit was taken back. Absent where no visit is left. Epoch milliseconds, UTC. */
  visitTimestamp?: number;
}

/** What the caller is done with. */
export interface MarkWaitingRequest {
  /** What to mark. */
  items?: WaitingReference[];
  /** False takes the mark back. Default true. */
  done?: boolean;
}

/** Something that waits for the caller. */
export interface WaitingReference {
  /** What waits. 1 = TASK, 2 = ACKNOWLEDGEMENT, 3 = MENTION, 4 = STEP. */
  kind?: 1 | 2 | 3 | 4;
  /** The task, the notification of a mention, or the post of a step. */
  id?: number;
}

/** What was marked. */
export interface MarkWaitingResponse {
  /** How many marks changed. */
  marked?: number;
}

/** How much waits for the caller. Each number is counted up to 100. */
export interface CountWaitingResponse {
  /** Open tasks. */
  tasks?: number;
  /** Requests for an acknowledgement. */
  acknowledgements?: number;
  /** Mentions. */
  mentions?: number;
  /** Posts on which they are asked to run a transition. */
  steps?: number;
  /** Their drafts and scheduled posts. */
  drafts?: number;
}

/** What to list, and paging. */
export interface ListWaitingRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only posts of this community. */
  communityId?: number;
  /** Only these kinds. 1 = TASK, 2 = ACKNOWLEDGEMENT, 3 = MENTION, 4 = STEP. */
  kinds?: (1 | 2 | 3 | 4)[];
}

/** A page of what waits for the caller. */
export interface ListWaitingResponse {
  /** The elements of this page. */
  items?: WaitingItem[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Something that waits for the caller. */
export interface WaitingItem {
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post. */
  postTitle?: string;
  /** Community of the post. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** What waits. 1 = TASK, 2 = ACKNOWLEDGEMENT, 3 = MENTION, 4 = STEP. */
  kind?: 1 | 2 | 3 | 4;
  /** Since when: when the task was given, the mention made, the post last changed. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Who made the task, the mention or the post. */
  authorUser?: User;
  /** The task or the request for an acknowledgement. */
  taskId?: number;
  /** Its title. */
  taskTitle?: string;
  /** When it is due. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
  /** The notification of the mention: `markNotifications` with `done` takes it off this list. */
  notificationId?: number;
  /** The comment in which the caller is mentioned. */
  commentId?: number;
  /** The beginning of the text that the mention is in, without formatting: at most 240 characters. Reading it is no view of the post. */
  excerpt?: string;
  /** Transitions that the caller may run, in the order of the workflow. */
  transitions?: WaitingTransition[];
}

/** A transition that the caller may run. */
export interface WaitingTransition {
  /** Id of the transition. */
  id?: number;
  /** Name of the transition. */
  name?: string;
  /** Whether it asks for a screen to be filled in. */
  screen?: boolean;
}

/** What is wrong with the definition of a community. */
export interface CheckCommunityResponse {
  /** Everything that was found; empty where nothing is wrong. */
  findings?: CommunityFinding[];
}

/** Something that is wrong with the definition of a community. */
export interface CommunityFinding {
  /** What is wrong. One of: UNREACHABLE_STATE, DEAD_END, NO_WAY_TO_AN_END, TRANSITION_FOR_NOBODY, SCREEN_FOR_NOBODY, REQUIRED_FIELD_HIDDEN, REQUIRED_FIELD_WITHOUT_VALUES, CONTRADICTORY_CONDITIONS. */
  kind?: 'UNREACHABLE_STATE' | 'DEAD_END' | 'NO_WAY_TO_AN_END' | 'TRANSITION_FOR_NOBODY' | 'SCREEN_FOR_NOBODY' | 'REQUIRED_FIELD_HIDDEN' | 'REQUIRED_FIELD_WITHOUT_VALUES' | 'CONTRADICTORY_CONDITIONS';
  /** What is wrong, in a sentence, in English. */
  text?: string;
  /** The state that it is about. */
  stateId?: number;
  /** Name of the state. */
  stateName?: string;
  /** The transition that it is about. */
  transitionId?: number;
  /** Name of the transition. */
  transitionName?: string;
  /** The screen that it is about. */
  screenId?: number;
  /** Name of the screen. */
  screenName?: string;
  /** The field that it is about. */
  fieldId?: number;
  /** Label of the field. */
  fieldLabel?: string;
}

/** What a person may do with an object, and why. */
export interface ExplainResponse {
  /** The person. */
  userId?: number;
  /** Name of the person, where the caller may see it. */
  userName?: string;
  /** What was asked: capabilities in the order in which they are sent, then transitions. */
  items?: Explanation[];
}

/** Whether a person may do one thing, and why. */
export interface Explanation {
  /** Name of the capability, `workflowOperation` for a transition, `answerEvent` for the answer to an invitation, or the name of the right. */
  capability?: string;
  /** Of `canEditComment` and `canDeleteComment`: the scope that is explained. 0 = NONE, 1 = OWN, 2 = ALL. */
  scope?: 0 | 1 | 2;
  /** The transition. */
  workflowOperationId?: number;
  /** Name of the transition. */
  workflowOperationName?: string;
  /** Operations of this interface that ask for it. */
  operationIds?: string[];
  /** Whether the person may do it. */
  permitted?: boolean;
  /** The answer in a sentence, in English. */
  sentence?: string;
  /** What decided. */
  reason?: ExplanationReason;
}

/** Something that decided. */
export interface ExplanationReason {
  /** What it is; `ALL_OF` and `ANY_OF` combine the others. One of: ALL_OF, ANY_OF, ROLE, RIGHT, GROUP, AUTHOR, ASSIGNEE, VISIBILITY, GRANT, DRAFT, DELETED, STATE, WORKFLOW, SETTING, WORKSPACE, ACCOUNT. */
  kind?: 'ALL_OF' | 'ANY_OF' | 'ROLE' | 'RIGHT' | 'GROUP' | 'AUTHOR' | 'ASSIGNEE' | 'VISIBILITY' | 'GRANT' | 'DRAFT' | 'DELETED' | 'STATE' | 'WORKFLOW' | 'SETTING' | 'WORKSPACE' | 'ACCOUNT';
  /** Whether it is so. */
  holds?: boolean;
  /** The role, group, state or workspace that it is about; absent where the caller may not see it. */
  id?: number;
  /** Name of that, or of the right. */
  name?: string;
  /** What is so, in English. */
  text?: string;
  /** Of a combination those that decided; of a role or a right how it was given: through the group, the workspace, or without `id` directly. */
  reasons?: ExplanationReason[];
}

/** A saved view: which posts of a community are shown, in which order and how. */
export interface SavedView {
  /** Id of the view. */
  id?: number;
  /** Community whose posts it shows. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** Name of the view. */
  name?: string;
  /** Whether it is the community's, which everybody sees who sees the community. Else it is the caller's own. */
  shared?: boolean;
  /** Conditions on posts, nested. */
  communityPostFilters?: CommunityPostFilters;
  /** Conditions on attachments. */
  communityAttachmentFilters?: CommunityAttachmentFilters;
  /** What to order by; empty values come last in both directions, ties by id. One of: postCustomId, postTitle, postCreatorUser, postCreationTimestamp, postLastModifyUser, postLastModifyTimestamp, postLastModifyAndCommentTimestamp, postViewedByMeTimestamp, postModifiedByMeTimestamp, postCommentedByMeTimestamp, postScheduledPublication, postRecency, postCustomField-{field id}. Default `postLastModifyAndCommentTimestamp`. */
  orderBy?: 'postCustomId' | 'postTitle' | 'postCreatorUser' | 'postCreationTimestamp' | 'postLastModifyUser' | 'postLastModifyTimestamp' | 'postLastModifyAndCommentTimestamp' | 'postViewedByMeTimestamp' | 'postModifiedByMeTimestamp' | 'postCommentedByMeTimestamp' | 'postScheduledPublication' | 'postRecency' | `postCustomField-${number}`;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
  /** Whether pinned posts come before all others. Default true. */
  pinnedFirst?: boolean;
  /** What is shown of each post, in this order: customId, title, type, descriptionPlainText, currentWorkflowState, creatorUser, creationTimestamp, lastModifyUser, lastModifyTimestamp, lastOperationTimestamp, visibility, announcement, attachmentsCount, commentsCount, likesCount, tasksCount, viewsCount, watchersCount, postCustomField-{field id}. Left out, what the community shows. */
  columns?: string[];
  /** How the posts are laid out. One of: table, board, calendar. Default `table`. */
  layout?: 'table' | 'board' | 'calendar';
  /** What a board makes columns of, or a table groups: currentWorkflowState, creatorUser, type, postCustomField-{field id} of a field that holds one value of a list, or yes or no. A board without it groups by `currentWorkflowState`. A calendar takes none. */
  groupBy?: string;
  /** By which day a calendar shows the posts: event, creationTimestamp, lastModifyTimestamp, lastOperationTimestamp, postCustomField-{field id} of a field that holds dates. Left out, by `creationTimestamp`. Other layouts take none. */
  dateField?: string;
  /** Whether it is a favourite of the caller. */
  favourite?: boolean;
  /** Whether the caller has made it the view with which the community opens for them. */
  defaultForMe?: boolean;
  /** Whether the community opens with it for those who have not chosen another. */
  defaultForCommunity?: boolean;
  /** Whether the caller may edit and delete it. */
  canEdit?: boolean;
  /** Who created it. */
  creatorUser?: User;
  /** When it was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited it. */
  lastModifyUser?: User;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Token for the edit. */
  occToken?: number;
}

/** The views of a community. */
export interface ListSavedViewsResponse {
  /** The community's views, then the caller's own, each by name. */
  views?: SavedView[];
  /** The view with which the community opens for the caller: their default, else the community's. Absent without either. */
  defaultViewId?: number;
}

/** A new view. */
export interface CreateSavedViewRequest {
  /** Name of the view. */
  name?: string;
  /** True: the community's, which its managers create. False: the caller's own. */
  shared?: boolean;
  /** Conditions on posts, nested. */
  communityPostFilters?: CommunityPostFilters;
  /** Conditions on attachments. */
  communityAttachmentFilters?: CommunityAttachmentFilters;
  /** What to order by; empty values come last in both directions, ties by id. One of: postCustomId, postTitle, postCreatorUser, postCreationTimestamp, postLastModifyUser, postLastModifyTimestamp, postLastModifyAndCommentTimestamp, postViewedByMeTimestamp, postModifiedByMeTimestamp, postCommentedByMeTimestamp, postScheduledPublication, postRecency, postCustomField-{field id}. Default `postLastModifyAndCommentTimestamp`. */
  orderBy?: 'postCustomId' | 'postTitle' | 'postCreatorUser' | 'postCreationTimestamp' | 'postLastModifyUser' | 'postLastModifyTimestamp' | 'postLastModifyAndCommentTimestamp' | 'postViewedByMeTimestamp' | 'postModifiedByMeTimestamp' | 'postCommentedByMeTimestamp' | 'postScheduledPublication' | 'postRecency' | `postCustomField-${number}`;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
  /** Whether pinned posts come before all others. Default true. */
  pinnedFirst?: boolean;
  /** What is shown of each post, in this order: customId, title, type, descriptionPlainText, currentWorkflowState, creatorUser, creationTimestamp, lastModifyUser, lastModifyTimestamp, lastOperationTimestamp, visibility, announcement, attachmentsCount, commentsCount, likesCount, tasksCount, viewsCount, watchersCount, postCustomField-{field id}. Left out, what the community shows. */
  columns?: string[];
  /** How the posts are laid out. One of: table, board, calendar. Default `table`. */
  layout?: 'table' | 'board' | 'calendar';
  /** What a board makes columns of, or a table groups: currentWorkflowState, creatorUser, type, postCustomField-{field id} of a field that holds one value of a list, or yes or no. A board without it groups by `currentWorkflowState`. A calendar takes none. */
  groupBy?: string;
  /** By which day a calendar shows the posts: event, creationTimestamp, lastModifyTimestamp, lastOperationTimestamp, postCustomField-{field id} of a field that holds dates. Left out, by `creationTimestamp`. Other layouts take none. */
  dateField?: string;
}

/** The view as it is to be. What is left out is no longer set. */
export interface EditSavedViewRequest {
  /** Name of the view. */
  name?: string;
  /** Conditions on posts, nested. */
  communityPostFilters?: CommunityPostFilters;
  /** Conditions on attachments. */
  communityAttachmentFilters?: CommunityAttachmentFilters;
  /** What to order by; empty values come last in both directions, ties by id. One of: postCustomId, postTitle, postCreatorUser, postCreationTimestamp, postLastModifyUser, postLastModifyTimestamp, postLastModifyAndCommentTimestamp, postViewedByMeTimestamp, postModifiedByMeTimestamp, postCommentedByMeTimestamp, postScheduledPublication, postRecency, postCustomField-{field id}. Default `postLastModifyAndCommentTimestamp`. */
  orderBy?: 'postCustomId' | 'postTitle' | 'postCreatorUser' | 'postCreationTimestamp' | 'postLastModifyUser' | 'postLastModifyTimestamp' | 'postLastModifyAndCommentTimestamp' | 'postViewedByMeTimestamp' | 'postModifiedByMeTimestamp' | 'postCommentedByMeTimestamp' | 'postScheduledPublication' | 'postRecency' | `postCustomField-${number}`;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
  /** Whether pinned posts come before all others. Default true. */
  pinnedFirst?: boolean;
  /** What is shown of each post, in this order: customId, title, type, descriptionPlainText, currentWorkflowState, creatorUser, creationTimestamp, lastModifyUser, lastModifyTimestamp, lastOperationTimestamp, visibility, announcement, attachmentsCount, commentsCount, likesCount, tasksCount, viewsCount, watchersCount, postCustomField-{field id}. Left out, what the community shows. */
  columns?: string[];
  /** How the posts are laid out. One of: table, board, calendar. Default `table`. */
  layout?: 'table' | 'board' | 'calendar';
  /** What a board makes columns of, or a table groups: currentWorkflowState, creatorUser, type, postCustomField-{field id} of a field that holds one value of a list, or yes or no. A board without it groups by `currentWorkflowState`. A calendar takes none. */
  groupBy?: string;
  /** By which day a calendar shows the posts: event, creationTimestamp, lastModifyTimestamp, lastOperationTimestamp, postCustomField-{field id} of a field that holds dates. Left out, by `creationTimestamp`. Other layouts take none. */
  dateField?: string;
  /** Token that the view gave; a stale one is a 409. */
  occToken?: number;
}

/** The view that was deleted. */
export interface DeleteSavedViewResponse {
  /** Id of the view. */
  viewId?: number;
  /** Community whose view it was. */
  communityId?: number;
}

/** Paging of the posts of a view. */
export interface RunSavedViewRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of the posts that a view shows. */
export interface RunSavedViewResponse {
  /** The elements of this page. */
  items?: BaseListPostsElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
  /** The view as it was applied: without what was left out. */
  view?: SavedView;
  /** What could not be applied, because a field was removed or changed since. */
  leftOut?: LeftOutOfView[];
}

/** A part of a view that could not be applied. */
export interface LeftOutOfView {
  /** Where it is in the view: `communityPostFilters.postFieldFilters[0]`, `columns[2]`, `orderBy`. */
  part?: string;
  /** Why it could not be applied. */
  reason?: string;
}

/** Whether it is a favourite. */
export interface EditFavouriteRequest {
  /** False removes it from the favourites. Default true. */
  favourite?: boolean;
}

/** What is so afterwards. */
export interface EditFavouriteResponse {
  /** Whether it is a favourite of the caller. */
  favourite?: boolean;
  /** The community, or that of the view. */
  communityId?: number;
}

/** Favourites of the caller that they still see, the last added first. */
export interface ListFavouritesResponse {
  /** Communities. */
  communities?: FavouriteCommunity[];
  /** Views. */
  views?: SavedView[];
}

/** A community that is a favourite of the caller. */
export interface FavouriteCommunity {
  /** The community. */
  communityId?: number;
  /** Its name. */
  communityName?: string;
  /** Its workspace. */
  workspaceId?: number;
}

/** Which view a community opens with. */
export interface EditDefaultViewRequest {
  /** The view. Left out, there is no default any more. */
  viewId?: number;
  /** True: for everybody who has not chosen another; it must be one of the community's views, and managers of the community set it. False: for the caller. */
  shared?: boolean;
}

/** What the community opens with afterwards. */
export interface EditDefaultViewResponse {
  /** For the caller: their default, else the community's. Absent without either. */
  defaultViewId?: number;
}

/** An import of a file of rows into a community. */
export interface Import {
  /** Id of the import. */
  id?: number;
  /** Community that the rows go to. */
  communityId?: number;
  /** Name of the file of rows. */
  fileName?: string;
  /** Name of the file of changes; absent without one. */
  changesFileName?: string;
  /** The mapping as it was sent. */
  mapping?: string;
  /** Whether it only tries the rows and keeps nothing. */
  trial?: boolean;
  /** The import that it takes back; absent unless it is an undo. */
  undoesImportId?: number;
  /** How far it is. One of: waiting, running, done, cancelled, failed. */
  state?: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
  /** What is being done; absent unless it runs. One of: reading, preparing, writing, references, history. */
  phase?: 'reading' | 'preparing' | 'writing' | 'references' | 'history';
  /** Rows that were worked on so far, of those that can be taken. */
  readRows?: number;
  /** Rows of the file; absent until it was read once. */
  rows?: number;
  /** What became of the rows; while it runs, so far. */
  report?: ImportReport;
  /** What else is to be known: properties of the mapping that were not applied, limits that were reached. */
  notes?: string[];
  /** Why it failed; absent unless it did. */
  problem?: string;
  /** Who started it, and as whom it works. */
  creatorUser?: User;
  /** When it was started. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the work began; absent before. Epoch milliseconds, UTC. */
  startTimestamp?: number;
  /** When it ended; absent before. Epoch milliseconds, UTC. */
  endTimestamp?: number;
}

/** What became of the rows of an import. */
export interface ImportReport {
  /** Rows that became posts. */
  createdCount?: number;
  /** Rows that changed their posts. */
  editedCount?: number;
  /** Rows whose posts were as they say already. */
  unchangedCount?: number;
  /** Rows that were not taken. */
  refusedCount?: number;
  /** Comments that were added. */
  commentsCount?: number;
  /** People who were made. */
  peopleCount?: number;
  /** Values of fields that were made. */
  valuesCount?: number;
  /** Fields that were made. */
  fieldsCount?: number;
  /** States that were made. */
  statesCount?: number;
  /** Hashtags that were made. */
  hashtagsCount?: number;
  /** Changes that were written to histories. */
  changesCount?: number;
  /** Posts that an undo deleted; absent unless it is one, as are the others. */
  deletedPostsCount?: number;
  /** People that it deleted. */
  deletedPeopleCount?: number;
  /** Values of fields that it took out of use. */
  deletedValuesCount?: number;
  /** Fields that it took out of use. */
  deletedFieldsCount?: number;
  /** States that it took out of use. */
  deletedStatesCount?: number;
  /** Objects of the import that stay; `listImportRefusals` names them with the reasons. */
  keptCount?: number;
}

/** A file of rows, and what its columns are. */
export interface StartImportRequest {
  /** The file of rows: an upload of the caller that nothing uses yet. Left out with `importId`. */
  contentRef?: string;
  /** Name of the file of rows, which says its format: `.csv`, `.tsv`, `.txt`, `.ndjson`, `.jsonl`, `.json` or `.xlsx`, also with `.gz`. */
  fileName?: string;
  /** A file of changes, which become the history of the posts; for holders of the right `manageDigitalWorplace`. */
  changesContentRef?: string;
  /** Name of the file of changes, which says its format: `.csv`, `.tsv`, `.txt`, `.ndjson`, `.jsonl`, `.json` or `.xlsx`, also with `.gz`. */
  changesFileName?: string;
  /** Which column is what, as YAML or JSON (docs/importing.md). Fields of the community are named by external id or label. */
  mapping?: string;
  /** Tries the rows, reports as if they had been imported, and keeps nothing. Default false. */
  trial?: boolean;
  /** An earlier import of the community, most often a trial: what is left out is taken from it, the files and the mapping. */
  importId?: number;
}

/** How an import is taken back. */
export interface UndoImportRequest {
  /** Reports as if the import had been taken back, and keeps everything. Default false. */
  trial?: boolean;
}

/** Paging of imports. */
export interface ListImportsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of imports of a community. */
export interface ListImportsResponse {
  /** The elements of this page. */
  items?: Import[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A row, or a value of one, that was not taken. */
export interface ImportRefusal {
  /** Line of the file on which the row begins; the first is 1. Of an undo it is 0. */
  line?: number;
  /** The file. One of: rows, changes. */
  file?: 'rows' | 'changes';
  /** Column; absent where the row as a whole cannot be read. Of an undo: `post`, `person`, `field`, `value` or `state`. */
  column?: string;
  /** The value, cut to 80 characters; absent where it is empty. */
  value?: string;
  /** What is wrong, and what is allowed. */
  reason?: string;
  /** Whether the row was not taken, or only this value. One of: row, value. */
  lost?: 'row' | 'value';
}

/** Paging of the refusals of an import. */
export interface ListImportRefusalsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of refusals, in the order of the file. */
export interface ListImportRefusalsResponse {
  /** The elements of this page. */
  items?: ImportRefusal[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A template for new posts of a community. */
export interface PostTemplate {
  /** Id of the template. */
  id?: number;
  /** Community whose posts it is for. */
  communityId?: number;
  /** Name of the template. */
  name?: string;
  /** Title that the post begins with. */
  title?: string;
  /** Text that the post begins with, as `descriptionFormat` says; its hashtags become those of the post. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Visibility of the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Values of custom fields by field id; those that the caller does not see are left out. */
  customData?: Record<string, JsonValue>;
  /** Who last edited it. */
  lastModifyUser?: User;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Token for the next edit. */
  occToken?: number;
}

/** The templates of a community. */
export interface ListPostTemplatesResponse {
  /** The templates, in the order in which they were created. */
  templates?: PostTemplate[];
}

/** A new template. */
export interface CreatePostTemplateRequest {
  /** Name of the template. */
  name?: string;
  /** Title that the post begins with. */
  title?: string;
  /** Text that the post begins with, as `descriptionFormat` says; its hashtags become those of the post. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Visibility of the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Values of custom fields by field id; those that the caller does not see are left out. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
}

/** The template is gone. */
export interface DeletePostTemplateResponse {
  /** Community whose template it was. */
  communityId?: number;
}

/** New content of a template; what is left out is emptied. */
export interface EditPostTemplateRequest {
  /** Name of the template. */
  name?: string;
  /** Title that the post begins with. */
  title?: string;
  /** Text that the post begins with, as `descriptionFormat` says; its hashtags become those of the post. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Visibility of the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Values of custom fields by field id; those that the caller does not see are left out. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** Token that the template gave; a stale one is a 409. */
  occToken?: number;
}

/** Paging of the versions of a post. */
export interface ListPostVersionsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of versions, what the post has now first. The newest 1000 are kept in reach. */
export interface ListPostVersionsResponse {
  /** The elements of this page. */
  items?: PostVersion[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What a post has or had, as lists show it. */
export interface PostVersion {
  /** Number of the version; 0 is what the post has now. */
  versionNumber?: number;
  /** Who wrote it. */
  editorUser?: User;
  /** When it was written. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** What the edit changed by which it was made; empty for the first one that is kept. Each one of: title, description, hashtags, event, attachments. */
  changedParts?: ('title' | 'description' | 'hashtags' | 'event' | 'attachments')[];
  /** The custom fields that it changed. */
  changedFieldIds?: number[];
}

/** The version that is wanted. */
export interface GetPostVersionRequest {
  /** Number of the version; 0 is what the post has now. */
  versionNumber?: number;
}

/** What a post has or had. */
export interface PostVersionContent {
  /** Number of the version; 0 is what the post has now. */
  versionNumber?: number;
  /** Who wrote it. */
  editorUser?: User;
  /** When it was written. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** The text as rich text: a Quill delta as a JSON string. */
  descriptionDelta?: string;
  /** Values of the custom fields by field id, as the detail of a post shows them: of fields that there are now. */
  customData?: Record<string, JsonValue>;
  /** Hashtags. */
  hashtags?: Hashtag[];
  /** Time and place of an event. */
  event?: EventPostData;
  /** Attachments. */
  attachments?: VersionAttachment[];
}

/** An attachment of a version. */
export interface VersionAttachment {
  /** Id of the attachment. */
  id?: number;
  /** Its name now; absent when it was removed. */
  name?: string;
  /** Number of the version that the attachment had. */
  versionNumber?: number;
  /** Whether it was removed since. */
  removed?: boolean;
}

/** The versions to compare. */
export interface ComparePostVersionsRequest {
  /** Number of the version; 0 is what the post has now. */
  fromVersion?: number;
  /** Number of the other version; left out or 0: what the post has now. */
  toVersion?: number;
}

/** What differs between two versions. */
export interface ComparePostVersionsResponse {
  /** Number of the version; 0 is what the post has now. */
  fromVersion?: number;
  /** Number of the version; 0 is what the post has now. */
  toVersion?: number;
  /** What differs, in the order of the form. */
  changes?: PostVersionChange[];
}

/** A part of a post that differs. */
export interface PostVersionChange {
  /** Which part. One of: title, description, hashtags, event, attachments, field. */
  part?: 'title' | 'description' | 'hashtags' | 'event' | 'attachments' | 'field';
  /** The custom field. */
  fieldId?: number;
  /** Label of the custom field, or of an event which of its members. */
  label?: string;
  /** What it was, in words; absent for nothing. */
  before?: string;
  /** What it became, in words; absent for nothing. */
  after?: string;
  /** Of texts: what was kept, added and removed, in order. */
  words?: TextPiece[];
}

/** A piece of a text. */
export interface TextPiece {
  /** What became of it. 0 = SAME, 1 = ADDED, 2 = REMOVED. */
  kind?: 0 | 1 | 2;
  /** The piece. */
  text?: string;
}

/** The version to restore. */
export interface RestorePostVersionRequest {
  /** Number of the version; 0 is what the post has now. */
  versionNumber?: number;
  /** Token of the post; a stale one is a 409. */
  occToken?: number;
}

/** Which guests to list, and paging. */
export interface ListEventGuestsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only guests with one of these answers. 0 = NONE, 1 = YES, 2 = MAYBE, 3 = NO. */
  answers?: (0 | 1 | 2 | 3)[];
}

/** A page of guests. */
export interface ListEventGuestsResponse {
  /** The elements of this page. */
  items?: EventGuest[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
  /** How many answered what. */
  counts?: EventGuestCounts;
  /** Groups that are invited. Their members are guests once they answer. */
  invitedGroups?: Group[];
}

/** Somebody who is invited themselves, or has answered. */
export interface EventGuest {
  /** The guest. */
  user?: User;
  /** As what they are invited; absent for who is not invited themselves. 0 = GUEST, 2 = COLLABORATOR. */
  typeId?: 0 | 2;
  /** Whether they come. 0 = NONE, 1 = YES, 2 = MAYBE, 3 = NO. */
  answer?: 0 | 1 | 2 | 3;
  /** What they noted: a Quill delta as a JSON string. For themselves, the author and managers. */
  notes?: string;
  /** When they answered. Epoch milliseconds, UTC. */
  timestamp?: number;
}

/** Time and place of an event, as everybody reads them who sees it. */
export interface EventOfPost {
  /** When it begins. */
  startAt?: EventDatetime;
  /** When it ends; absent without an end. Of an all-day event its last day, which belongs to it. */
  endAt?: EventDatetime;
  /** IANA name of the time zone of both. An all-day event has none. */
  timezone?: string;
  /** Whether it takes whole days: start and end are then dates without time, in all their forms. */
  allDay?: boolean;
  /** Where it is. */
  location?: string;
  /** How many people said yes. */
  participantsCount?: number;
  /** The caller's answer, in the detail of a post; absent before one is given. 1 = YES, 2 = MAYBE, 3 = NO. */
  participateTypeId?: 1 | 2 | 3;
}

/** How many guests answered what. */
export interface EventGuestCounts {
  /** They come. */
  yes?: number;
  /** They come perhaps. */
  maybe?: number;
  /** They do not come. */
  no?: number;
  /** They are invited themselves and have not answered. */
  unanswered?: number;
}

/** Calendars of the caller that have an address. */
export interface ListCalendarFeedsResponse {
  /** The calendars. */
  feeds?: CalendarFeed[];
}

/** A calendar with a secret address. */
export interface CalendarFeed {
  /** Id of the calendar. */
  id?: number;
  /** The community; absent for the calendar of what concerns the caller. */
  communityId?: number;
  /** When it was given its present address. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
}

/** The calendar that gets an address. */
export interface CreateCalendarFeedRequest {
  /** A community. Left out, the calendar of what concerns the caller. */
  communityId?: number;
}

/** The address. */
export interface CreateCalendarFeedResponse {
  /** Id of the calendar. */
  feedId?: number;
  /** Secret address of the calendar. It is kept nowhere and not told again. */
  uri?: string;
}

/** Whether the post is pinned. */
export interface EditPostPinRequest {
  /** False unpins it. Default true. */
  pinned?: boolean;
}

/** The post afterwards. */
export interface EditPostPinResponse {
  /** Id of the post. */
  postId?: number;
  /** Whether it is pinned. */
  pinned?: boolean;
}

/** Whether the post is an announcement. */
export interface EditPostAnnouncementRequest {
  /** False makes it an ordinary post. Default true. */
  announcement?: boolean;
}

/** The post afterwards. */
export interface EditPostAnnouncementResponse {
  /** Id of the post. */
  postId?: number;
  /** Whether it is an announcement. */
  announcement?: boolean;
}

/** Whether the caller has read the post. */
export interface EditPostReadRequest {
  /** False marks it as unread. Default true. */
  read?: boolean;
}

/** The post afterwards. */
export interface EditPostReadResponse {
  /** Id of the post. */
  postId?: number;
  /** Whether the caller has read it. */
  viewedByMe?: boolean;
}

/** Who is asked to acknowledge a post, and until when. */
export interface RequestAcknowledgementsRequest {
  /** People who are asked; each must be able to read the post. */
  userIds?: number[];
  /** Groups whose present members are asked, as far as they can read the post. */
  groupIds?: number[];
  /** When it is due; left out, it is not due at any time. */
  expiration?: ZonedDatetimeInput;
  /** When those who have not acknowledged it are reminded; needs `expiration`. */
  reminders?: InputTaskReminder[];
}

/** The post, and how many people are asked. */
export interface RequestAcknowledgementsResponse {
  /** Id of the post. */
  postId?: number;
  /** How many people this request asks who were not asked before. */
  askedCount?: number;
}

/** Whose requests are withdrawn; without ids those of everybody. */
export interface WithdrawAcknowledgementsRequest {
  /** Only requests to these people. */
  userIds?: number[];
}

/** The post, and how many requests were withdrawn. */
export interface WithdrawAcknowledgementsResponse {
  /** Id of the post. */
  postId?: number;
  /** How many people are no longer asked. */
  withdrawnCount?: number;
}

/** The post, acknowledged. */
export interface AcknowledgePostResponse {
  /** Id of the post. */
  postId?: number;
  /** When the caller acknowledged it. Epoch milliseconds, UTC. */
  acknowledgementTimestamp?: number;
}

/** Which requests to list, and paging. */
export interface ListAcknowledgementsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** With true only people who have acknowledged the post, with false only the others. */
  acknowledged?: boolean;
  /** With true only people who have not acknowledged the post although it is past due. */
  overdue?: boolean;
}

/** A page of requests to acknowledge a post. */
export interface ListAcknowledgementsResponse {
  /** The elements of this page. */
  items?: Acknowledgement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A person who is asked to acknowledge a post. */
export interface Acknowledgement {
  /** Id of the task by which they are asked. */
  taskId?: number;
  /** Who is asked. */
  user?: User;
  /** Who asked. */
  requestUser?: User;
  /** When they were asked. Epoch milliseconds, UTC. */
  requestTimestamp?: number;
  /** When it is due. */
  expiration?: ZonedDatetime;
  /** Whether it is past due and not acknowledged. */
  overdue?: boolean;
  /** Whether they have acknowledged the post. */
  acknowledged?: boolean;
  /** When they did. Epoch milliseconds, UTC. */
  acknowledgementTimestamp?: number;
}

/** Body of every error that declares no other body. */
export interface Error {
  /** Kind of error; one of the published error codes. */
  code?: string;
  /** The error in English, and what to do about it. */
  message?: string;
  /** Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem. */
  requestId?: string;
  /** Address that names the kind of problem, as RFC 9457 has it. */
  type?: string;
  /** Short name of the kind of problem, as RFC 9457 has it. */
  title?: string;
  /** HTTP status of the answer, as RFC 9457 has it. */
  status?: number;
  /** What went wrong this time, as RFC 9457 has it. */
  detail?: string;
}

/** Body of a 409 that a stale token caused. */
export interface ConflictError {
  /** Kind of error; one of the published error codes. */
  code?: string;
  /** The error in English, and what to do about it. */
  message?: string;
  /** Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem. */
  requestId?: string;
  /** Address that names the kind of problem, as RFC 9457 has it. */
  type?: string;
  /** Short name of the kind of problem, as RFC 9457 has it. */
  title?: string;
  /** HTTP status of the answer, as RFC 9457 has it. */
  status?: number;
  /** What went wrong this time, as RFC 9457 has it. */
  detail?: string;
  /** The token that is valid now. */
  currentOccToken?: number;
  /** Who made the last change. */
  changedBy?: ChangeAuthor;
  /** When the last change was made. Epoch milliseconds, UTC. */
  changedAt?: number;
}

/** Who made a change. */
export interface ChangeAuthor {
  /** Id of the user. */
  id?: number;
  /** First and last name. */
  name?: string;
}

/** Body of a 400: errors by field beside the general error fields. */
export interface ValidationProblem {
  /** Kind of error; one of the published error codes. */
  code?: string;
  /** The error in English, and what to do about it. */
  message?: string;
  /** Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem. */
  requestId?: string;
  /** Address that names the kind of problem, as RFC 9457 has it. */
  type?: string;
  /** Short name of the kind of problem, as RFC 9457 has it. */
  title?: string;
  /** HTTP status of the answer, as RFC 9457 has it. */
  status?: number;
  /** What went wrong this time, as RFC 9457 has it. */
  detail?: string;
  /** What is wrong, value by value. */
  validationErrors?: ValidationErrors;
}

/** Body of a 400 of writes with custom fields, beside the general error fields. */
export interface CustomFieldValidationProblem {
  /** Kind of error; one of the published error codes. */
  code?: string;
  /** The error in English, and what to do about it. */
  message?: string;
  /** Identifier of this request, also in the header `X-Request-Id`; name it when you report a problem. */
  requestId?: string;
  /** Address that names the kind of problem, as RFC 9457 has it. */
  type?: string;
  /** Short name of the kind of problem, as RFC 9457 has it. */
  title?: string;
  /** HTTP status of the answer, as RFC 9457 has it. */
  status?: number;
  /** What went wrong this time, as RFC 9457 has it. */
  detail?: string;
  /** What is wrong, value by value. */
  validationErrors?: CustomFieldValidationErrors;
}

/** One object that a write would make, change or remove. */
export interface DryRunChange {
  /** Kind of object: `area`, `attachment`, `businessUnit`, `calendarFeed`, `catalog`, `catalogEntry`, `comment`, `community`, `communityVisit`, `favouriteCommunity`, `following`, `group`, `identityProvider`, `import`, `notification`, `notificationPreference`, `post`, `postTemplate`, `role`, `savedView`, `task`, `tenant`, `user`, `waitingMark`, `workspace` or `file`. What has no id of its own, such as a watcher or a member, counts as a field of the object it belongs to. */
  entity?: string;
  /** Id of the object. One that would be made has the id that this answer calls it by; done in earnest, the write gives another. Absent for a file, which has a `contentRef` instead. */
  id?: number;
  /** What would happen to it: `created`, `modified` or `deleted`. */
  action?: string;
  /** Names of the fields that would read differently afterwards, tokens, counts and times included; of a new object, those that hold something. Custom fields and screen fields by id: `customData.12`, `currentWorkflowScreenData.7`. Of a user, `sessions` where their sign-ins would end, `links` where they would be sent a one-time link. Empty for what would be deleted. */
  fields?: string[];
}

/** Whom a write would concern beside the one who makes it: a person, or the members of a group. */
export interface DryRunNotification {
  /** Who would be told; they can read what they would be told of. Absent for a group and for the rest of a list. */
  userId?: number;
  /** Kind of event, a code of the history. Absent for the rest of a list. */
  typeId?: number;
  /** What happened and why they are told, in a sentence or two; of a long list last, how many more would be. */
  description?: string;
}

/** What a write would do to the workflow of a post. */
export interface DryRunWorkflow {
  /** State before; absent for a new post. */
  fromState?: PostWorkflowDefinitionState;
  /** State after, which may be the same. */
  toState?: PostWorkflowDefinitionState;
  /** Transition that would be run, if one would. */
  operation?: PostWorkflowDefinitionTransition;
}

/** What a write would have done; present when `dryRun=true` was asked for. */
export interface DryRun {
  /** Objects that would be made, changed or removed. */
  changes?: DryRunChange[];
  /** Who would be told, each person once per kind of event; a hundred at most. */
  notifications?: DryRunNotification[];
  /** Step in the workflow, if there would be one. */
  workflow?: DryRunWorkflow;
}

/** Sign-in of a person with a password. */
export interface CreateAccessTokenByCredentialsRequest {
  /** User name or contact e-mail address, in any case. */
  username?: string;
  /** The password. */
  password?: string;
  /** The password that takes the place of the present one: required where that must be changed, else only where the user may change it; of 8 to 256 characters and none of the common ones. */
  newPassword?: string;
  /** Code that the authenticator app shows, or a recovery code: where the account has such an app, this or `secondFactorPasskey` is required; ignored elsewhere. */
  secondFactorCode?: string;
  /** In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the account. */
  secondFactorPasskey?: string;
}

/** A session; the cookie is in the header `Set-Cookie`. */
export interface StartSessionResponse {
  /** Who is signed in. */
  userId?: number;
  /** Id of the session. */
  sessionId?: number;
  /** When the session ends at the latest. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
  /** True when the tenant requires a second factor and the person has none: the session may only set one up. Absent otherwise. */
  secondFactorSetupRequired?: boolean;
}

/** A browser in which the caller is signed in. */
export interface UserSession {
  /** Id of the session. */
  id?: number;
  /** True for the session of this request. */
  current?: boolean;
  /** The browser, as it called itself at the sign-in. */
  userAgent?: string;
  /** Address from which the sign-in came. */
  address?: string;
  /** When the session began. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When it was last used, within a minute. Epoch milliseconds, UTC. */
  lastUseTimestamp?: number;
  /** When it ends unless it is used before, and at the latest. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
}

/** Sessions of the caller. */
export interface ListSessionsResponse {
  /** The last used first. */
  sessions?: UserSession[];
}

/** What was revoked. */
export interface RevokeOtherSessionsResponse {
  /** How many sessions ended. */
  revokedCount?: number;
}

/** Authenticator app of the caller. */
export interface TotpResponse {
  /** True when sign-ins with the password need a code of an authenticator app. */
  active?: boolean;
  /** Recovery codes that were not used; absent without an authenticator app. */
  recoveryCodesLeft?: number;
}

/** Beginning to set up an authenticator app. */
export interface StartTotpRequest {
  /** The password of the caller: required of accounts that have one. */
  password?: string;
}

/** What an authenticator app needs; shown once. */
export interface StartTotpResponse {
  /** The secret in base32, to be typed into an app. */
  secret?: string;
  /** Address `otpauth://…` that a QR code holds. */
  uri?: string;
}

/** A code of an authenticator app. */
export interface TotpCodeRequest {
  /** Code that the app shows, of six digits; a recovery code where one is allowed. */
  code?: string;
}

/** A second factor: a code or a passkey. */
export interface ConfirmSessionRequest {
  /** Code that the app shows, or a recovery code. */
  code?: string;
  /** In place of a code: the answer of the browser to the options of `startPasskeySignIn`, as JSON (`toJSON`), by a passkey of the caller. */
  passkey?: string;
}

/** Recovery codes; shown once. */
export interface ConfirmTotpResponse {
  /** Codes, each of which signs the caller in once, with the password, when the app is not at hand. */
  recoveryCodes?: string[];
}

/** A passkey of the caller. */
export interface Passkey {
  /** Id of the passkey. */
  id?: number;
  /** The name that its owner gave it. */
  name?: string;
  /** How browsers reach it: `internal`, `hybrid`, `usb`, `nfc`, `ble`. */
  transports?: string[];
  /** True when it is copied to other devices of its owner. */
  synced?: boolean;
  /** When it was added. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When it last signed its owner in; absent before. Epoch milliseconds, UTC. */
  lastUseTimestamp?: number;
}

/** Passkeys of the caller. */
export interface ListPasskeysResponse {
  /** The oldest first. */
  passkeys?: Passkey[];
}

/** Confirmation by a password. */
export interface PasskeyPasswordRequest {
  /** The password of the caller. */
  password?: string;
}

/** What a browser needs to make or use a passkey. */
export interface PasskeyOptionsResponse {
  /** JSON of PublicKeyCredentialCreationOptions or PublicKeyCredentialRequestOptions, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of browsers take it. */
  options?: string;
  /** Until when the answer of the browser is accepted, once. Epoch milliseconds, UTC. */
  expirationTimestamp?: number;
}

/** A passkey that a browser made. */
export interface ConfirmPasskeyRequest {
  /** How its owner calls it; must not be empty. */
  name?: string;
  /** The credential that the browser made, as JSON (`toJSON`). */
  credential?: string;
}

/** Another name of a passkey. */
export interface RenamePasskeyRequest {
  /** How its owner calls it. */
  name?: string;
}

/** The passkey that was added. */
export interface ConfirmPasskeyResponse {
  /** Id of the passkey. */
  passkeyId?: number;
}

/** A sign-in by a passkey. */
export interface PasskeySignInRequest {
  /** The credential that the browser answered with, as JSON (`toJSON`). */
  credential?: string;
}

/** Result of a sign-in with a password. */
export interface CreateAccessTokenByCredentialsResponse {
  /** Access token: a signed JWT with a numeric `exp`, to be sent as `Authorization: Bearer`. */
  accessToken?: string;
}

/** What stays when a person is erased, shown as of an erased user. */
export interface UserErasureKept {
  /** Posts that they wrote, drafts not counted. */
  posts?: number;
  /** Attachments that they added. */
  attachments?: number;
  /** Posts that they commented. */
  commentedPosts?: number;
  /** Open tasks that are assigned to them. `leaveUser` gives them to a successor. */
  openTasks?: number;
  /** Posts that hold them in a field. `leaveUser` puts a successor in their place. */
  fieldPosts?: number;
}

/** What is removed when a person is erased, beside their profile, credentials and photo. */
export interface UserErasureRemoved {
  /** Groups that they are a member of. */
  groups?: number;
  /** Posts that they viewed. */
  viewedPosts?: number;
  /** Posts that they follow. */
  followedPosts?: number;
  /** Roles and memberships that were given to them directly; they have no effect any more. */
  roles?: number;
}

/** What the erasure of a person keeps and removes. */
export interface UserErasureResponse {
  /** Id of the user. */
  userId?: number;
  /** What stays. */
  kept?: UserErasureKept;
  /** What is removed. */
  removed?: UserErasureRemoved;
}

/** Whose password was forgotten. */
export interface RequestPasswordResetRequest {
  /** User name or contact e-mail address, in any case. */
  username?: string;
}

/** A password, chosen by a one-time link. */
export interface SetPasswordByLinkRequest {
  /** Token of the link: what follows its last slash. */
  token?: string;
  /** The password, of 8 to 256 characters and none of the common ones. */
  newPassword?: string;
}

/** The account whose password was chosen. */
export interface SetPasswordByLinkResponse {
  /** User name to sign in with; the contact e-mail address will do as well. */
  username?: string;
}

/** A link by which a person chooses a password. */
export interface UserLinkResponse {
  /** Id of the user. */
  userId?: number;
  /** Contact e-mail address that the link goes to. */
  recipient?: string;
  /** Until when the link works. Epoch milliseconds, UTC. */
  expiryTimestamp?: number;
  /** True when the mail is on its way; false where there is no mail server, so that it is only listed among the mails that were not sent. */
  sentEmailNotify?: boolean;
  /** The invitation itself, to be handed over: only where no mail is sent, for an account that nobody ever signed in to. Shown once, also to requests with an `Idempotency-Key`. */
  invitationLink?: string;
}

/** Whether an account may sign in. */
export interface UserAccessResponse {
  /** Id of the user. */
  userId?: number;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Token of the form of the user as it is now. */
  nextOccToken?: number;
}

/** Exchange of a Google access token. */
export interface CreateAccessTokenByGoogleOAuth2Request {
  /** OAuth 2.0 access token of Google, with the scope `profile` at least. */
  googleOAuth2Token?: string;
}

/** Result of the exchange of a Google access token. */
export interface CreateAccessTokenByGoogleOAuth2Response {
  /** Access token of the portal: a signed JWT with a numeric `exp`. */
  accessToken?: string;
}

/** What an entry of the audit log says of one field. */
export interface AuditChange {
  /** Name of the field, as forms have it. */
  field?: string;
  /** The value before, as JSON; of a list, what was removed. Absent where there was none. `"secret"` stands for a secret. */
  before?: string;
  /** The value afterwards, as JSON; of a list, what was added. Absent where there is none. */
  after?: string;
}

/** An entry of the audit log. */
export interface AuditEntry {
  /** Id of the entry. */
  id?: number;
  /** When it happened. For failed sign-ins: the begin of the minute. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** What happened. One of: created, modified, deleted, signedIn, signInFailed, exported. */
  action?: string;
  /** The operation of the interface; absent for work that came another way. */
  operation?: string;
  /** The account that did it; absent where none was signed in. */
  actorId?: number;
  /** Name of that account. */
  actorName?: string;
  /** Account on the host of who ran a command of the operator; its account here is the system account. */
  operator?: string;
  /** Kind of object. One of: user, group, workspace, community, tenant, identityProvider, area, businessUnit, role, calendarFeed, import, auditLog. */
  objectType?: string;
  /** Id of the object; absent for failed sign-ins that named no account. */
  objectId?: number;
  /** Name of the object; absent where there is no such object any more. */
  objectName?: string;
  /** What was changed, field by field; of a new object, what it holds. */
  changes?: AuditChange[];
  /** Address of the client, as trusted proxies name it. For failed sign-ins with IPv6: the network, with 64 bits. */
  address?: string;
  /** Value of `X-Request-Id` of the answer. */
  requestId?: string;
  /** How many times it happened: more than 1 for failed sign-ins only. */
  count?: number;
}

/** Filters and paging of the audit log. */
export interface ListAuditEntriesRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only entries of this moment or later. Epoch milliseconds, UTC. */
  from?: number;
  /** Only entries before this moment. Epoch milliseconds, UTC. */
  to?: number;
  /** Only entries of these kinds. Each one of: created, modified, deleted, signedIn, signInFailed, exported. */
  actions?: ('created' | 'modified' | 'deleted' | 'signedIn' | 'signInFailed' | 'exported')[];
  /** Only what these accounts did. */
  actorIds?: number[];
  /** Only entries of these kinds of objects. Each one of: user, group, workspace, community, tenant, identityProvider, area, businessUnit, role, calendarFeed, import, auditLog. */
  objectTypes?: ('user' | 'group' | 'workspace' | 'community' | 'tenant' | 'identityProvider' | 'area' | 'businessUnit' | 'role' | 'calendarFeed' | 'import' | 'auditLog')[];
  /** Only entries of objects with these ids. */
  objectIds?: number[];
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** A page of the audit log. */
export interface ListAuditEntriesResponse {
  /** The elements of this page. */
  items?: AuditEntry[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** What names a person: posts, open tasks, fields, roles and groups. Posts that the caller does not see are counted and nothing else. */
export interface UserLeavingResponse {
  /** Id of the user. */
  userId?: number;
  /** State of the account. One of: active, blocked, deleted, erased. */
  state?: 'active' | 'blocked' | 'deleted' | 'erased';
  /** Posts that the person wrote, drafts not counted. */
  postsCount?: number;
  /** Drafts and scheduled posts of the person, which nobody else sees. */
  draftsCount?: number;
  /** Open tasks that are assigned to the person, requests to acknowledge a post not counted. */
  openTasksCount?: number;
  /** Those of them in posts that the caller does not see. */
  unseenOpenTasksCount?: number;
  /** Posts that the person is asked to acknowledge. Nobody takes these over. */
  openAcknowledgementsCount?: number;
  /** Fields that hold the person, by community and label; the first 1000. */
  fields?: UserLeavingField[];
  /** Roles and memberships that were given to the person directly; the first 1000. */
  roles?: UserLeavingRole[];
  /** Groups that the person is a member of. */
  groups?: UserLeavingGroup[];
  /** Rights that the account holds itself. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** People whose profile names the person as their manager. */
  managedUsersCount?: number;
}

/** A field that holds the person in posts of a community. */
export interface UserLeavingField {
  /** Id of the field. */
  fieldId?: number;
  /** Label of the field. */
  label?: string;
  /** Community of the posts. */
  communityId?: number;
  /** Name of that community. */
  communityName?: string;
  /** Posts that hold the person in this field. */
  postsCount?: number;
  /** Those of them that the caller does not see. */
  unseenPostsCount?: number;
  /** Whether a successor may take it over. False for fields that say who did something: transitions set them from who runs them, or ask for them in their screen. */
  canHandOver?: boolean;
}

/** A role or membership that was given to the person directly. */
export interface UserLeavingRole {
  /** The community. Absent for workspaces, and for a role in every community. */
  communityId?: number;
  /** Its name. */
  communityName?: string;
  /** The workspace. Absent for communities, and for a role in every community. */
  workspaceId?: number;
  /** Its name. */
  workspaceName?: string;
  /** Whether it is a role in every community. */
  everywhere?: boolean;
  /** Id of the role. Absent for plain membership of a workspace. */
  roleId?: number;
  /** Name of the role. Absent for plain membership of a workspace. */
  roleName?: string;
  /** Whether the caller may give this role. */
  canHandOver?: boolean;
}

/** A group that the person is a member of. */
export interface UserLeavingGroup {
  /** Id of the group. */
  groupId?: number;
  /** Its name. */
  name?: string;
  /** Rights that the group gives. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
}

/** Who takes over what, and what becomes of the account. */
export interface LeaveUserRequest {
  /** What becomes of the account: it stays as it is (`keep`), or it is blocked, deleted or erased as `blockUser`, `deleteUser` and `eraseUser` do. One of: keep, block, delete, erase. */
  account?: 'keep' | 'block' | 'delete' | 'erase';
  /** The active user who takes over. Needed for everything below. */
  successorUserId?: number;
  /** Whether the successor takes over the open tasks. Left out: yes, where there is a successor. */
  tasks?: boolean;
  /** Fields in which the successor takes the place of the leaver. */
  fieldIds?: number[];
  /** Communities in which the successor takes over the role that was given to the leaver there. */
  communityIds?: number[];
  /** Workspaces in which the successor takes over the roles and the membership of the leaver. */
  workspaceIds?: number[];
  /** Whether the successor takes over the role of the leaver in every community. */
  everywhere?: boolean;
}

/** What was handed over, and what stays. Counts of posts name none of them. */
export interface LeaveUserResponse {
  /** Id of the user. */
  userId?: number;
  /** State of the account afterwards. One of: active, blocked, deleted, erased. */
  state?: 'active' | 'blocked' | 'deleted' | 'erased';
  /** Roles and memberships that the successor took over. */
  rolesCount?: number;
  /** Open tasks that the successor took over. */
  tasksCount?: number;
  /** Posts in which the successor took the place of the leaver in a field. */
  fieldPostsCount?: number;
  /** Open tasks that nobody took over although that was asked. They stay where the community is archived, where the successor has no role, in drafts of the leaver, and, if the successor is the caller, in posts that the caller does not see. */
  leftTasksCount?: number;
  /** Posts that still hold the leaver in one of the chosen fields. They stay where the community is archived, where the successor has no role, in drafts of the leaver, and, if the successor is the caller, in posts that the caller does not see. A post counts once for each field. */
  leftFieldPostsCount?: number;
  /** Posts that were not begun within 15 seconds. Send the same request again for them. */
  notRunCount?: number;
}
