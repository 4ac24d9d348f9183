/** Limits of requests that the interface publishes. */

/**
 * Maximum number of items of lists in a request; a longer list returns 400 `TOO_MANY_ITEMS` with
 * its name and limit.
 */
export const listLimits = {
  /** Lists not named below: ids of a check. */
  items: 1_000,
  /** Ids of a filter, and parameters of a filter on a field; repeated ids count once. */
  filterIds: 10_000,
  /** Posts of the filter `postIds`: as many as a page holds. */
  filterPosts: 500,
  /** Conditions on fields in each of `postFieldFilters`, `screenFieldFilters`, `customFieldFilters`. */
  fieldFilters: 50,
  /** People of a group or a workspace. */
  members: 50_000,
  /** Members of a community in each list of one edit. */
  communityMembers: 400,
  /** Roles that one edit of a workspace grants or revokes. */
  roles: 10_000,
  /** Attachments in one write. */
  attachments: 200,
  /** Notifications marked in one request. */
  notifications: 1_000,
  /** Preferences of notifications set in one request. */
  notificationPreferences: 500,
  /** Steps of a task, and its watchers in one write. */
  taskItems: 500,
  /** People, and groups, that one request asks to acknowledge a post. */
  acknowledgements: 5_000,
  /** Reminders of a task. */
  reminders: 10,
  /** Parents of a catalog entry. */
  parents: 100,
} as const;

/** Trial sign-ins by an identity provider. */
export const trialLimits = {
  /** Claims, and values of the groups claim, that the answer shows. */
  claims: 100,
  /** Code points of a claim; the rest is cut. */
  claimLength: 2_000,
  /** Code points of the address that the provider redirected to. */
  answer: 16_000,
} as const;

/** The search over everything. */
export const searchLimits = {
  /** Characters of the text. */
  text: 500,
  /** Words that count, and restrictions such as `in:community`; further ones are ignored. */
  terms: 16,
  /** Results of a page. */
  page: 100,
  /** Candidates that are ranked and counted. */
  candidates: 1_000,
} as const;

/** The figures of `summarisePosts`. */
export const summaryLimits = {
  /** Properties by which one summary groups. */
  groupings: 2,
  /** Groups of an answer; the others are added up. */
  groups: 100,
  /** Posts that a summary reads: the newest of the list. */
  posts: 100_000,
} as const;

/** Roles created by a tenant. */
export const roleLimits = {
  roles: 100,
  /** Characters of the name. */
  name: 100,
  /** Characters of the description. */
  description: 1_000,
} as const;

/** Title, description and text values of a post together, as stored. Bytes of UTF-8. */
export const maximumPostTexts = 2 * 1024 * 1024;

/**
 * Ids in the lists of a post's values together: answers show most of them as objects. The ids
 * of its workflow screens have the same limit.
 */
export const maximumPostIds = 10_000;

/** Maximum retention of versions of posts. Days. */
export const longestVersionRetention = 3_650;

/** Maximum number of readable versions of a post: the newest. */
export const mostPostVersions = 1_000;

/** Writes of many posts in one request. */
export const bulkLimits = {
  /** Posts in a JSON body. */
  posts: 1_000,
  /** Posts in a body of lines (`application/x-ndjson`). */
  lines: 10_000,
  /** Size of a body of lines. Bytes. */
  bytes: 32 * 1024 * 1024,
  /** Size of a line. Bytes. */
  lineBytes: 1024 * 1024,
  /** Errors of single inputs that the posts list together; further posts list their first error. */
  errors: 1_000,
  /** Time after which no further posts are started; the rest is reported as not run. Seconds. */
  seconds: 15,
  /** Simultaneous bulk requests of an account, of a tenant, and in total, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  ofNode: 16,
} as const;

/** Changes of many accounts in one request (`changeUsers`). */
export const userChangeLimits = {
  users: 1_000,
  /** Groups to join, and groups to leave. */
  groups: 20,
} as const;

/** Leaving of a person (`getUserLeaving`, `leaveUser`). */
export const leavingLimits = {
  /** Fields, and roles, that a preview lists. */
  listed: 1_000,
  /** Fields, communities and workspaces chosen in one request, of each kind. */
  chosen: 200,
} as const;

/** Largest `value` of a reminder. */
export const longestReminder = 10_000;

/** Connections for live changes (`GET …/communication/live`). */
export const liveLimits = {
  /** Connections of an account, on each node. */
  ofAccount: 20,
  /** Connections of a tenant, on each node: other tenants always have some left. */
  ofTenant: 4_000,
  /** Connections of all tenants, on each node. */
  ofNode: 5_000,
  /** Communities that a connection can be limited to. */
  communities: 100,
  /** Time that clients wait before they reconnect. Milliseconds. */
  retryMs: 3_000,
} as const;

/** Saved views and favourites. */
export const viewLimits = {
  /** Views of a community, and views of one person in it. */
  views: 200,
  /** Figures in the overview of a community, and of one person in it. */
  overview: 12,
  /** Favourite views, and favourite communities, of a person. */
  favourites: 200,
  /** Columns of a view. */
  columns: 100,
  /** Longest name, in code points. */
  name: 200,
  /** Filters of a view, as JSON, in characters. */
  filters: 50_000,
  /** Filters of all views of a community together, and of all views of a person in it. */
  filtersTogether: 2_000_000,
} as const;

/** Counts of new posts in communities. */
export const treeLimits = {
  /** Maximum count of new posts in a community. */
  newPosts: 100,
  /** Age up to which posts count as new in a community that the caller has not visited. Days. */
  daysWithoutVisit: 30,
} as const;

/** Characters of a text in the lists of a person's items. */
export const excerptLength = 240;

/** Maximum count of waiting items of each kind. */
export const mostWaitingCounted = 100;

/** Path of the live changes, below the prefix of the interface. */
export const livePath = '/communication/live';

/** Limits of the definition of a community. */
export const definitionLimits = {
  /** Custom fields of its posts, without deleted ones. */
  fields: 500,
  /** Values of a field with its own list, including deleted ones. */
  fieldValues: 10_000,
  /** Values of all fields of its posts and screens together, without deleted ones. */
  values: 50_000,
  /**
   * Texts and lists of all its parts together, with the workflow, as stored. Bytes of UTF-8 and
   * JSON; an id counts as eight. Each state, transition, screen and view counts as 100 more, also
   * one out of use.
   */
  together: 4 * 1024 * 1024,
  /** Name of a section of a form, in code points. */
  sectionName: 200,
  /** States of its workflow. */
  states: 200,
  /** Transitions of its workflow. */
  transitions: 1_000,
  /** Templates for new posts, and the length of a template's name in code points. */
  templates: 100,
  templateName: 200,
  /** Titles, descriptions and values of all templates together, as stored. Bytes of UTF-8. */
  templatesTogether: 4 * 1024 * 1024,
  /** Conditions of a field or a transition. */
  conditions: 50,
  /** Values of a condition. */
  conditionValues: 1_000,
  /** Rules of a field. */
  rules: 50,
  /**
   * Length of a pattern for texts in code points, and the number of instructions in its RE2
   * program.
   */
  pattern: 1_000,
  patternSize: 2_500,
  /** Values that a transition sets. */
  transitionValues: 50,
  /**
   * Posts that a change of a definition updates in the transaction of the request; a change of more
   * posts continues in the background.
   */
  postsAtOnce: 400,
  /** Posts counted before a change is refused, and values that are examined. */
  counted: 10_000,
  /** Former versions of a definition, and its changes, that are kept and listed: the newest. */
  versions: 100,
} as const;

/** Limits of the file of a community, in addition to {@link definitionLimits}. */
export const fileLimits = {
  /** Catalogs, and entries of each. */
  catalogs: 100,
  entries: 10_000,
  /** Groups with a role. */
  groups: 400,
  /** Views of posts, and relations to other communities. */
  views: 100,
  relations: 100,
  /** Renamed keys, and moves of values and posts. */
  moves: 10_000,
} as const;

/** Plans of changes of a community. */
export const planLimits = {
  /** Losses, findings and changes of rights that a plan lists, of each kind. */
  listed: 200,
  /** People that a change of rights names. */
  names: 20,
} as const;

/** Imports over the interface. */
export const importLimits = {
  /** Rows of a file. */
  rows: 100_000,
  /** Rows that a dry run writes and rolls back; further rows are only checked. */
  triedRows: 2_500,
  /** Size of an uploaded file, and its size after decompression. Bytes. */
  bytes: 64 * 1024 * 1024,
  decompressedBytes: 512 * 1024 * 1024,
  /** A JSON document or a workbook after decompression; these are read as a whole. Bytes. */
  documentBytes: 64 * 1024 * 1024,
  /**
   * Length of a line of a file, in UTF-16 units, and number of columns: in JSON lines of all rows
   * together.
   */
  line: 4 * 1024 * 1024,
  columns: 10_000,
  /** Values of a row of JSON, with lists, objects and their elements. */
  rowValues: 50_000,
  /** Length of a mapping, and of a file name, in code points. */
  mapping: 200_000,
  fileName: 255,
  /** Length of the name of a column in a choice, in code points. */
  columnName: 1_000,
  /** Listed refusals. */
  refusals: 10_000,
  /** Unfinished imports of a community. */
  waiting: 10,
  /** A suggested mapping: columns, rows that are read for it, and rows of its preview. */
  suggestedColumns: 300,
  sampledRows: 200,
  previewRows: 10,
  /** Bytes that are read of a file of lines for a suggestion. */
  sampledBytes: 2 * 1024 * 1024,
  /** Samples of a column, and characters of each and of a part of the preview. */
  samples: 3,
  sampleText: 200,
  /** Days that an import is kept after its end. */
  days: 30,
} as const;

/** Comparison of a condition with the value of a field. */
export const conditionOperators = ['in', 'notIn', 'empty', 'notEmpty', 'atLeast', 'atMost'] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/**
 * Sources of a value that a transition sets: a given value, the time of the step, or the person who
 * runs it.
 */
export const transitionValueSources = ['value', 'now', 'actor'] as const;

/** Maximum length of a text in a filter, in code points. */
export const maximumFilterText = 4_000;

/** Length of a password, in code points. */
export const passwordLengths = { least: 8, most: 256 } as const;

/** Longest code of a second factor, with spaces and dashes, in characters. */
export const maximumCode = 40;

/** Maximum number of passkeys of a person. */
export const mostPasskeys = 20;

/** Longest name of a passkey, in code points. */
export const maximumPasskeyName = 100;

/** Maximum lengths of the profile texts that people write themselves, in code points. */
export const profileLengths = { phone: 100, address: 320, biography: 10_000 } as const;

/** Maximum number of personal access tokens of a person. */
export const mostPersonalTokens = 100;

/** Lifetime of a personal access token. Days. */
export const personalTokenDays = { minimum: 1, maximum: 366 } as const;

/**
 * A sign-in on a device without a browser: seconds until its codes expire, seconds between two
 * requests for its result, days of its token by default, and hours of a sign-in with the right
 * `manageUsers`.
 */
export const deviceSignInLimits = { seconds: 600, intervalSeconds: 5, days: 90, managerHours: 8 } as const;

/** Maximum number of communities that a personal access token can be limited to. */
export const mostTokenCommunities = 100;

/** Longest name of a personal access token, in code points. */
export const maximumTokenName = 100;

/** Longest answer of an authenticator, in characters. */
export const maximumCredential = 16_000;

/** Longest user name or e-mail address used to sign in, in code points. */
export const maximumLogin = 320;

/** Longest token of a one-time link, in code points. */
export const maximumLinkToken = 100;

/** Maximum number of errors in a 400. */
export const maximumFieldErrors = 100;

/**
 * Lifetime of access tokens that a tenant can set. Seconds: clients stop using a token 60 seconds
 * before its end.
 */
export const accessTokenLifetimes = { minimum: 120, maximum: 86_400 } as const;

/** Lifetime of browser sessions that a tenant can set, in seconds: from five minutes to 90 days. */
export const sessionLifetimes = { minimum: 300, maximum: 7_776_000 } as const;

/**
 * Days that a tenant can keep notifications, and entries of its audit log before the operator
 * removes them.
 */
export const retentionDays = {
  notifications: { minimum: 1, maximum: 3_650 },
  audit: { minimum: 30, maximum: 36_500 },
} as const;

/** Mail of notifications. */
export const notificationMailLimits = {
  /** Hour of the digest of people who chose none. */
  digestHour: 8,
  /** Time after the event at which mail chosen `atOnce` is sent. Seconds. */
  atOnceSeconds: 60,
  /** Time after the first event at which a bundle is sent, and between two mails about a post. Minutes. */
  bundleMinutes: 15,
  /** Mails within 24 hours to a person, besides the digest, which takes the others. */
  perDay: 20,
  /** Notifications that a mail shows; it gives the number of the others. */
  shown: 30,
  /** Days without mail to an address that the mail server refused. */
  refusedDays: 7,
} as const;

/** Notifications that browsers show. */
export const pushLimits = {
  /** Browsers of a person. */
  subscriptions: 20,
  /** Longest address at a push service, in characters. */
  address: 2_000,
  /** Time after the event at which a notification is sent. Seconds. */
  delaySeconds: 5,
  /** Hours after which a notification is not sent any more. */
  hours: 24,
} as const;

/** Maximum number of people in a CSV file. */
export const mostImportedUsers = 500;

/** Longest CSV file of people, in code points. */
export const maximumImportedCsv = 400_000;

/** Longest text in the settings of a tenant, in code points. */
export const maximumSetting = 255;

/** Limits of the looks of a tenant: lengths in code points, the size of its logo in bytes. */
export const brandingLimits = { notice: 1000, url: 500, logoBytes: 1_048_576 } as const;

/** Patterns of texts in the settings of a tenant. */
export const settingPatterns = {
  /** `https://app.acme.example`, or `*` for every origin. */
  origin: /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/,
  /** `acme/portal-authenticator`; `*` before the only slash matches any vendor. */
  audience: /^(?:\*\/[^*/]*[^\s*/]|[^\s*](?:[^*]*[^\s*])?)$/,
  domain: /^[^\s@/]+\.[^\s@/]+$/,
  language: /^[a-z]{2,3}$/,
  color: /^#[0-9a-fA-F]{6}$/,
  /** An address of a page. */
  url: /^https?:\/\/[^\s\\/?#@]+(?:[/?#]\S*)?$/,
} as const;

/** Maximum number of self-added members of a group that the list of a community's members names. */
export const mostSelfAddedUsers = 10;

/** Webhooks. */
export const webhookLimits = {
  /** Webhooks of a tenant. */
  webhooks: 100,
  /** Longest name, in code points. */
  name: 200,
  /** Longest address, in code points. */
  address: 2_048,
  /** Longest filter, as JSON, in characters. */
  filter: 50_000,
  /** Longest body of a message. Bytes. */
  bodyBytes: 20_000,
  /** Part of an answer that is kept. Bytes. */
  answerBytes: 4_096,
  /** Time for which messages and changes are kept. Days. */
  days: 30,
  /** Ended messages of a webhook that are kept: the newest. */
  deliveries: 10_000,
  /** Waiting messages of a webhook, above which further changes wait in the stream. */
  waiting: 5_000,
  /** Time for which two secrets sign: the default, and the longest. Hours. */
  overlapHours: 24,
  longestOverlapHours: 720,
  /** Longest template of a chat message, in code points, and its most placeholders. */
  template: 1_000,
  placeholders: 10,
  /** Time between two messages to a chat. Milliseconds. */
  chatIntervalMs: 1_000,
  /** Events that one message to a chat gathers: their number, and the bytes of their bodies. */
  gathered: 20,
  gatheredBytes: 20_000,
} as const;

/** Bounds of the verification of the audit log. */
export const auditLimits = {
  /** Entries that one request verifies. */
  verified: 20_000,
  /** Rights that a change of an entry names. */
  rights: 200,
} as const;

/** Bounds of the figures of a tenant. */
export const healthLimits = {
  /** Communities that are listed with the size of their files. */
  communities: 20,
} as const;
