/** Archives that are created while they are sent: about a person, and of a community. */

/** Path of the archive about the caller, below the prefix of the interface. */
export const ownExportPath = '/core/user-profile/export';

/** Path of the archive about a user, below the prefix of the interface. */
export const userExportPath = '/admin/data/users/{userId}/export';

/** Path of the archive of a community, below the prefix of the interface. */
export const communityArchivePath = '/admin/data/communities/{communityId}/archive';

/** Archives of communities. */
export const communityArchiveLimits = {
  /** Posts, people and files of an archive. */
  posts: 100_000,
  people: 20_000,
  files: 100_000,
  /** Comments and events of the history of a post. */
  comments: 10_000,
  events: 20_000,
  /** A line of posts or people, and the lines of one post together, decompressed. Bytes. */
  line: 4 * 1024 * 1024,
  postBytes: 32 * 1024 * 1024,
  /** The definition, the list of people, and the list of posts, decompressed. Bytes. */
  definitionBytes: 4 * 1024 * 1024,
  peopleBytes: 32 * 1024 * 1024,
  postsBytes: 256 * 1024 * 1024,
  /** A file, and all entries together, decompressed. Bytes. */
  fileBytes: 2 * 1024 * 1024 * 1024,
  bytes: 16 * 1024 * 1024 * 1024,
  /** People whom the preview of an import lists. */
  previewedPeople: 1_000,
} as const;

/** Maximum rows of each kind in an archive about a person: the newest. */
export const mostExportedRows = 200_000;

/** Maximum number of files in an archive about a person: the newest. */
export const mostExportedFiles = 20_000;

/** Archives about people. */
export const archiveLimits = {
  /** Simultaneous archives of an account, of a tenant, and in total, on each node. */
  ofAccount: 2,
  ofTenant: 4,
  ofNode: 16,
  /** Maximum duration. Minutes. */
  minutes: 120,
} as const;
