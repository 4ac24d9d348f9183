// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { UserProfileInfo } from './accounts.generated.ts';

/** A licence that a user holds. */
export interface License {
  /** Id of the licence. */
  id?: number;
  /** Kind of licence. 1 = BASE, 2 = CHAT, 3 = XLEARNING, 4 = I_LAB, 5 = INTERACTA_I. */
  type?: 1 | 2 | 3 | 4 | 5;
  /** Level of a licence of type 5; absent for the other types. One of: STARTER, ADVANCED. */
  subType?: 'STARTER' | 'ADVANCED';
}

/** A user, as shown beside what they made or belong to. */
export interface User {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences that are assigned to the user; left out where none is. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
}

/** A user in the administrative list. */
export interface ListSystemUsersElement {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences that are assigned to the user; left out where none is. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
  /** Ways in which the user can sign in. Each one of: google, microsoft, custom. */
  loginProviders?: ('google' | 'microsoft' | 'custom')[];
  /** The user name of another user that the user name of this one looks like, by letters beyond ASCII; absent where there is none. */
  looksLikeUsername?: string;
  /** The directory profile of the user. */
  userProfileInfo?: UserProfileInfo;
}

/** Filters, order and paging of the list of users. */
export interface ListSystemUsersRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Only users who hold all of these administrative rights. Each one of: manageUsers, manageDigitalWorplace. */
  adminCapabilities?: ('manageUsers' | 'manageDigitalWorplace')[];
  /** Words looked for in first name, last name and e-mail address, ignoring case and accents. */
  fullTextFilter?: string;
  /** Beginning of the first name. */
  firstNamePrefixFullTextFilter?: string;
  /** Beginning of the last name. */
  lastNamePrefixFullTextFilter?: string;
  /** Beginning of the e-mail address. */
  emailPrefixFullTextFilter?: string;
  /** Part of the address of a linked Google or Microsoft account. */
  externalAuthServiceEmailFullTextFilter?: string;
  /** Only users in one of these states; left out or empty, all who are not deleted. 0 means active too. 1 = ACTIVE, 2 = BLOCKED, 3 = DELETED. */
  statusFilter?: (0 | 1 | 2 | 3)[];
  /** Only members of one of these workspaces. */
  workspaceIds?: number[];
  /** Only users with a role in one of these communities. */
  communityIds?: number[];
  /** Only users of one of these business units. */
  businessUnitIds?: number[];
  /** Only users of one of these areas. */
  areaIds?: number[];
  /** Words looked for in the place of work. */
  place?: string;
  /** Only users created at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Only users created at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Only users who used the portal at this moment or later. Epoch milliseconds, UTC. */
  lastAccessTimestampFrom?: number;
  /** Only users whose last use was at this moment or earlier. Epoch milliseconds, UTC. */
  lastAccessTimestampTo?: number;
  /** Part of the external identifier. */
  externalIdFullTextFilter?: string;
  /** Part of the private e-mail address. */
  personalEmailFullTextFilter?: string;
  /** Part of the job role in the profile. */
  role?: string;
  /** Only users who report to one of these users. */
  managerIds?: number[];
  /** Only users who chose one of these languages. Codes: en, it, fr, de, es, pt, nl, pl, cs, ro, sv, da, fi, el, tr, uk, ru, ar, zh, ja, ko. */
  lang?: string[] | string;
  /** Only users who chose one of these time zones, by published id. */
  timeZoneIds?: number[];
  /** Only users who can sign in through one of these: google, microsoft, custom. */
  loginProviderFilter?: string[] | string;
  /** Only users who may (true) or may not (false) open the directory of people. */
  peopleSectionEnabled?: boolean;
  /** Only users who are (true) or are not (false) shown in the directory of people. */
  visibleInPeopleSection?: boolean;
  /** Only users with the short (true) or the full (false) profile. */
  reducedProfile?: boolean;
  /** Only users who may (true) or may not (false) open other people's profiles. */
  viewUserProfiles?: boolean;
  /** What to order by; ties by last name, first name and id. One of: lastName, firstName, contactEmail, externalId, role, place, businessUnit, area, creationTimestamp, lastAccessTimestamp, id. Default `lastName`. */
  orderTypeId?: 'lastName' | 'firstName' | 'contactEmail' | 'externalId' | 'role' | 'place' | 'businessUnit' | 'area' | 'creationTimestamp' | 'lastAccessTimestamp' | 'id';
  /** Direction of the order: true runs from the highest to the lowest. Default false. */
  orderDesc?: boolean;
}

/** A page of users for administrators. */
export interface ListSystemUsersResponse {
  /** The elements of this page. */
  items?: ListSystemUsersElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A page of users. */
export interface ListUsersResponse {
  /** The elements of this page. */
  items?: User[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}
