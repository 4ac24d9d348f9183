/**
 * Description of the built data for the measurements: ids, common and rare values, ranges, people
 * with keys. Plain JSON. Counts are of live posts (neither drafts nor deleted) of the big
 * community, including private ones, unless noted otherwise; they are counted in the database after
 * the build, not estimated.
 */
import type { FieldType } from '@portico/contract';
import type { KeyFile } from '../sign-in.ts';

/** Changes when a built database can no longer be used by the present code. */
export const DATASET_VERSION = 1;

export interface Dataset {
  readonly version: typeof DATASET_VERSION;
  /** Requested posts of the big community, including drafts and private ones. */
  readonly posts: number;
  readonly tenant: DatasetTenant;
  /**
   * The callers of the measurements. All are service accounts, so that they sign in with their key.
   * Their names say their rights in the big community; `serviceAccount` and `admin` are managers
   * there and in all the other communities; `contributor` and `reader` have these roles in every
   * tenth of the others too; `outsider` has no role in the big community and is a reader of one
   * other.
   */
  readonly people: Readonly<Record<PersonKind, DatasetPerson>>;
  readonly community: DatasetCommunity;
  readonly otherCommunities: readonly { readonly id: number; readonly name: string; readonly posts: number }[];
  /** Ids of all ordinary users, ascending (without the people above). */
  readonly userIds: readonly number[];
  readonly groups: readonly { readonly id: number; readonly name: string; readonly members: number }[];
  readonly stream: DatasetStream;
  /** 50 tenants (fewer below 10,000 posts) for "many tenants at once". */
  readonly smallTenants: readonly SmallTenant[];
  /** Rows per table of the whole tenant, and the cost of building. */
  readonly counts: Readonly<Record<string, number>>;
  readonly build: { readonly seconds: number; readonly bytes: number };
}

interface DatasetTenant {
  readonly id: number;
  readonly name: string;
  /** Value of the Host header. */
  readonly host: string;
}

export type PersonKind = 'serviceAccount' | 'admin' | 'manager' | 'contributor' | 'reader' | 'outsider';

export interface DatasetPerson {
  readonly userId: number;
  readonly name: string;
  readonly key: KeyFile;
  /** Groups the person is in. */
  readonly groupIds: readonly number[];
}

export interface DatasetCommunity {
  readonly id: number;
  readonly name: string;
  readonly workspaceId: number;
  readonly counts: {
    /** Drafts included. */
    readonly posts: number;
    readonly live: number;
    readonly private: number;
    readonly drafts: number;
    readonly pinned: number;
    readonly comments: number;
    readonly attachments: number;
    readonly openTasks: number;
  };
  /** The 40 fields in the order of the form. */
  readonly fields: readonly DatasetField[];
  /** Most common first. */
  readonly hashtags: readonly ValueCount[];
  /** Most common first; `initial` is the start of new posts. */
  readonly states: readonly (ValueCount & { readonly name: string; readonly initial: boolean })[];
  readonly operations: readonly DatasetOperation[];
  /** Users who wrote posts, from the most to the least common, at most 50 of either end. */
  readonly creators: readonly ValueCount[];
  /** Epoch milliseconds. */
  readonly createdAt: NumberRange;
  readonly activeAt: NumberRange;
  /** For containsText, title and description: in very many posts, and in a handful. Lower case, at least 4 letters. */
  readonly words: { readonly common: WordCount; readonly medium: WordCount; readonly rare: WordCount };
  /** Posts of type 2 (events). */
  readonly events: number;
  /**
   * Public live posts in the initial state by authors who are not among the measured people: for
   * workflow, edit and comment. At most 2,000.
   */
  readonly postIds: readonly number[];
  /** Live public posts by the number of their parts. */
  readonly specialPosts: {
    readonly manyComments: { readonly id: number; readonly comments: number };
    readonly manyAttachments: { readonly id: number; readonly attachments: number };
    readonly private: { readonly id: number };
    readonly typical: { readonly id: number };
  };
  /**
   * Number of posts with each kind of mark, for each person: `toManage`, `mentioned`,
   * `followedByMe`.
   */
  readonly marks: Readonly<Record<PersonKind, { toManage: number; mentioned: number; followedByMe: number }>>;
}

/** A value (an id of an enum value, catalog entry, user, group, post, hashtag, state; or a number) and its posts. */
export interface ValueCount {
  readonly id: number;
  readonly count: number;
}

interface WordCount {
  readonly word: string;
  readonly count: number;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Value below which this share of the values lies: for intervals of a wanted selectivity. */
  readonly quantiles: readonly { readonly share: number; readonly value: number }[];
}

export interface DatasetField {
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
  readonly searchable: boolean;
  readonly sortable: boolean;
  /** Posts without a value (0 for fields that are neither searchable nor sortable: they have no value rows). */
  readonly empty: number;
  readonly filled: number;
  /**
   * Values of an enumerated or reference type, and of FLAG (0 and 1): most common first; of users
   * and posts at most 50 of each end.
   */
  readonly values?: readonly ValueCount[];
  /** Kind of objects in a GENERIC_ENTITY_LIST. */
  readonly entity?: 'user' | 'group' | 'post';
  /** Numbers and dates (ms). */
  readonly range?: NumberRange;
  /**
   * Numbers and dates: a value of many posts and a value of few (for a continuous field both are
   * few).
   */
  readonly common?: ValueCount;
  readonly rare?: ValueCount;
  /** Text types: words to search with LIKE and CONTAINS, and one whole text for EQUAL. */
  readonly words?: { readonly common: WordCount; readonly medium: WordCount; readonly rare: WordCount };
  readonly exact?: string;
  /** Parent field of a HIERARCHICAL_ENUM. */
  readonly parentFieldId?: number;
  /** A value that create-post and edit-post accept, in the form of `customData`; undefined for read-only fields. */
  readonly sample?: unknown;
}

interface DatasetOperation {
  /** `operationId` of executeWorkflowOperation. */
  readonly id: number;
  readonly name: string;
  readonly fromStateId: number;
  readonly toStateId: number;
  /** Role codes with the right to run it. */
  readonly roles: readonly number[];
}

export interface DatasetStream {
  readonly generation: number;
  readonly lastSeq: number;
  /** Number of the change after which the tokens continue. */
  readonly oldSeq: number;
  readonly recentSeq: number;
  /**
   * Sync tokens of the global stream for each person, valid for 30 days from the opening of the
   * dataset.
   */
  readonly tokens: Readonly<Record<PersonKind, { readonly old: string; readonly recent: string }>>;
}

export interface SmallTenant {
  readonly id: number;
  readonly name: string;
  readonly host: string;
  /** A manager of the community. */
  readonly userId: number;
  readonly key: KeyFile;
  readonly communityId: number;
  readonly posts: number;
  readonly postIds: readonly number[];
}
