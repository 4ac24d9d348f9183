/** Limits of requests that the interface publishes. */

/** Most items of the lists in a request; longer ones are a 400 `TOO_MANY_ITEMS` that names the list and its limit. */
export const listLimits = {
  /** Any list that is not named below: ids of a check. */
  items: 1_000,
  /** Ids of a filter, and parameters of a filter on a field; repeated ids count once. */
  filterIds: 10_000,
  /** Conditions on fields in each of `postFieldFilters`, `screenFieldFilters`, `customFieldFilters`. */
  fieldFilters: 50,
  /** People of a group or a workspace. */
  members: 50_000,
  /** Members of a community in each list of one edit. */
  communityMembers: 400,
  /** Roles that one edit of a workspace gives or takes. */
  roles: 10_000,
  /** Attachments in one write. */
  attachments: 200,
  /** Notifications that one request marks. */
  notifications: 1_000,
  /** Preferences of notifications that one request sets. */
  notificationPreferences: 500,
  /** Steps of a task, and its watchers in one write. */
  taskItems: 500,
  /** People, and groups, whom one request asks to acknowledge a post. */
  acknowledgements: 5_000,
  /** Reminders of a task. */
  reminders: 10,
  /** Parents of a catalog entry. */
  parents: 100,
} as const;

/** Roles that a tenant makes. */
export const roleLimits = {
  roles: 100,
  /** Characters of the name. */
  name: 100,
  /** Characters of the description. */
  description: 1_000,
} as const;

/** Title, description and text values of one post together, as they are stored. Bytes of UTF-8. */
export const maximumPostTexts = 2 * 1024 * 1024;

/** How long versions of posts are kept at most. Days. */
export const longestVersionRetention = 3_650;

/** How many versions of a post can be read, the newest ones. */
export const mostPostVersions = 1_000;

/** Writes of many posts in one request. */
export const bulkLimits = {
  /** Posts of one JSON body. */
  posts: 1_000,
  /** Posts of one body of lines (`application/x-ndjson`). */
  lines: 10_000,
  /** Such a body. Bytes. */
  bytes: 32 * 1024 * 1024,
  /** One line of it. Bytes. */
  lineBytes: 1024 * 1024,
  /** After so long no further posts are begun; the rest is reported as not run. Seconds. */
  seconds: 15,
  /** Such requests of one account at once, those of one tenant, and all, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  ofNode: 16,
} as const;

/** Leaving of a person (`getUserLeaving`, `leaveUser`). */
export const leavingLimits = {
  /** Fields, and roles, that a preview lists. */
  listed: 1_000,
  /** Fields, communities and workspaces that one request chooses, of each. */
  chosen: 200,
} as const;

/** Largest `value` of a reminder. */
export const longestReminder = 10_000;

/** Connections that are sent changes as they happen (`GET …/communication/live`). */
export const liveLimits = {
  /** Of one account, on each node. */
  ofAccount: 20,
  /** Of all accounts of a tenant, on each node: some are always left for others. */
  ofTenant: 4_000,
  /** Of all tenants, on each node. */
  ofNode: 5_000,
  /** Communities that one is limited to. */
  communities: 100,
  /** How long clients wait before they connect again. Milliseconds. */
  retryMs: 3_000,
} as const;

/** Saved views and favourites. */
export const viewLimits = {
  /** Views of a community, and views of one person in it. */
  views: 200,
  /** Views, and communities, that one person has as favourites. */
  favourites: 200,
  /** Columns of a view. */
  columns: 100,
  /** Longest name, in code points. */
  name: 200,
  /** Filters of a view, as JSON, in characters. */
  filters: 50_000,
  /** Those of all views of a community, and of all views of one person in it. */
  filtersTogether: 2_000_000,
} as const;

/** Counts of what is new in communities. */
export const treeLimits = {
  /** New posts of a community are counted up to this number. */
  newPosts: 100,
  /** How many days back posts are new in a community that the caller has not visited. */
  daysWithoutVisit: 30,
} as const;

/** Characters of a text that lists of what concerns a person show. */
export const excerptLength = 240;

/** What waits for a person is counted up to this number of each kind. */
export const mostWaitingCounted = 100;

/** Path of the archive about the caller, below the prefix of the interface. */
export const ownExportPath = '/core/user-profile/export';

/** Path of the archive about a user, below the prefix of the interface. */
export const userExportPath = '/admin/data/users/{userId}/export';

/** Rows of each kind that an archive about a person holds at most: the newest. */
export const mostExportedRows = 200_000;

/** Files that an archive about a person holds at most: the newest. */
export const mostExportedFiles = 20_000;

/** Path of the changes that are sent as they happen, below the prefix of the interface. */
export const livePath = '/communication/live';

/** What the definition of a community holds at most. */
export const definitionLimits = {
  /** Custom fields of its posts, deleted ones not counted. */
  fields: 500,
  /** Values of a field that keeps a list of its own, deleted ones included. */
  fieldValues: 10_000,
  /** Such values of all fields of its posts and screens that are not deleted. */
  values: 50_000,
  /** Name of a section of a form, in code points. */
  sectionName: 200,
  /** States of its workflow. */
  states: 200,
  /** Transitions of its workflow. */
  transitions: 1_000,
  /** Templates for new posts, and the name of one, in code points. */
  templates: 100,
  templateName: 200,
  /** Titles, descriptions and values of all templates together, as they are stored. Bytes of UTF-8. */
  templatesTogether: 4 * 1024 * 1024,
  /** Conditions of a field or a transition. */
  conditions: 50,
  /** Values of a condition. */
  conditionValues: 1_000,
  /** A pattern that texts match, in code points, and the instructions of the program that RE2 makes of it. */
  pattern: 1_000,
  patternSize: 2_500,
  /** Values that a transition sets. */
  transitionValues: 50,
  /** Posts that a change of a definition concerns in the transaction of the request; with more it goes on in the background. */
  postsAtOnce: 400,
  /** Posts that are counted before a change is refused, and values that are looked at. */
  counted: 10_000,
  /** Former versions of a definition, and changes of it, that are kept and listed: the newest. */
  versions: 100,
} as const;

/** What the file of a community holds at most, beside what {@link definitionLimits} says. */
export const fileLimits = {
  /** Catalogs, and entries of each. */
  catalogs: 100,
  entries: 10_000,
  /** Groups with a role. */
  groups: 400,
  /** Views of posts, and relations to other communities. */
  views: 100,
  relations: 100,
} as const;

/** Imports over the interface. */
export const importLimits = {
  /** Rows of a file. */
  rows: 100_000,
  /** Rows that a trial writes and undoes; the others are only checked. */
  triedRows: 2_500,
  /** An uploaded file, and what it holds when it is decompressed. Bytes. */
  bytes: 64 * 1024 * 1024,
  decompressedBytes: 512 * 1024 * 1024,
  /** A JSON document or a workbook, which is read as a whole, decompressed. Bytes. */
  documentBytes: 64 * 1024 * 1024,
  /** A line of a file, in UTF-16 units, and its columns: in JSON lines those of all rows together. */
  line: 4 * 1024 * 1024,
  columns: 10_000,
  /** A mapping, and the name of a file, in code points. */
  mapping: 200_000,
  fileName: 255,
  /** Refusals that are listed. */
  refusals: 10_000,
  /** Imports of a community that have not ended. */
  waiting: 10,
  /** Days that an import is kept after its end. */
  days: 30,
} as const;

/** How a condition compares the value of a field. */
export const conditionOperators = ['in', 'notIn', 'empty', 'notEmpty', 'atLeast', 'atMost'] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** What a transition can set a field to: a given value, the moment of the step, or the person who runs it. */
export const transitionValueSources = ['value', 'now', 'actor'] as const;

/** Longest text that a list filters by, in code points. */
export const maximumFilterText = 4_000;

/** Length of a password, in code points. */
export const passwordLengths = { least: 8, most: 256 } as const;

/** Longest code of a second factor, with spaces and dashes, in characters. */
export const maximumCode = 40;

/** Passkeys that one person may have. */
export const mostPasskeys = 20;

/** Longest name of a passkey, in code points. */
export const maximumPasskeyName = 100;

/** Longest texts of a profile that people write about themselves, in code points. */
export const profileLengths = { phone: 100, address: 320, biography: 10_000 } as const;

/** Personal access tokens that one person may have. */
export const mostPersonalTokens = 100;

/** Days that a personal access token may be valid. */
export const personalTokenDays = { minimum: 1, maximum: 366 } as const;

/** Communities that a personal access token may be limited to. */
export const mostTokenCommunities = 100;

/** Longest name of a personal access token, in code points. */
export const maximumTokenName = 100;

/** Longest answer of an authenticator, in characters. */
export const maximumCredential = 16_000;

/** Longest user name or e-mail address used to sign in, in code points. */
export const maximumLogin = 320;

/** Longest token of a one-time link, in code points. */
export const maximumLinkToken = 100;

/** Most errors that one 400 lists. */
export const maximumFieldErrors = 100;

/** Lifetime of access tokens that a tenant may set. Seconds: clients stop using a token 60 seconds before its end. */
export const accessTokenLifetimes = { minimum: 120, maximum: 86_400 } as const;

/** How long sessions of browsers may last that a tenant sets, in seconds: from five minutes to 90 days. */
export const sessionLifetimes = { minimum: 300, maximum: 7_776_000 } as const;

/** Days that a tenant may keep notifications, and entries of its audit log before the operator removes them. */
export const retentionDays = {
  notifications: { minimum: 1, maximum: 3_650 },
  audit: { minimum: 30, maximum: 36_500 },
} as const;

/** People that one CSV file may hold. */
export const mostImportedUsers = 500;

/** Longest CSV file of people, in code points. */
export const maximumImportedCsv = 400_000;

/** Longest text in the settings of a tenant, in code points. */
export const maximumSetting = 255;

/** What texts in the settings of a tenant are like. */
export const settingPatterns = {
  /** `https://app.acme.example`, or `*` for every origin. */
  origin: /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/,
  /** `acme/portal-authenticator`; `*` before the only slash matches any vendor. */
  audience: /^(?:\*\/[^*/]*[^\s*/]|[^\s*](?:[^*]*[^\s*])?)$/,
  domain: /^[^\s@/]+\.[^\s@/]+$/,
  language: /^[a-z]{2,3}$/,
} as const;

/** Members of a group that the list of a community's members names because they put themselves into it. */
export const mostSelfAddedUsers = 10;

/** Archives about people. */
export const archiveLimits = {
  /** Archives that one account makes at once, those of one tenant, and all, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  ofNode: 16,
  /** How long one may take. Minutes. */
  minutes: 120,
} as const;
