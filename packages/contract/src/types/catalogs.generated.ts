// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { Community } from './communities.generated.ts';
import type { JsonValue } from './json.ts';

/** A list of values that fields of several communities share. */
export interface Catalog {
  /** Id of the catalog. */
  id?: number;
  /** Name in the caller's language. */
  name?: string;
  /** Version of the catalog and its entries; changes with each of them. */
  etag?: number;
  /** True when there are too many entries (more than 500) to come along: page them with POST `/communication/settings/post-definition/catalogs/{catalogId}/entries`, which takes `pageSize` and `pageToken`. */
  paged?: boolean;
  /** The entries, when they were asked for and the catalog is not `paged`. */
  entries?: CatalogEntry[];
}

/** A value of a catalog. */
export interface CatalogEntry {
  /** Id of the entry; fields and filters take it. */
  id?: number;
  /** Catalog the entry belongs to. */
  catalogId?: number;
  /** Label in the caller's language. */
  label?: string;
  /** Identifier of the entry in another system. */
  externalId?: string;
  /** Entries of the parent catalog that are parents of this one. */
  parentIds?: number[];
  /** True when the entry can no longer be chosen. */
  deleted?: boolean;
}

/** What can be edited about a catalog. */
export interface CatalogEditableContent {
  /** The name by language code. */
  name?: Record<string, string>;
  /** Catalog whose entries are the parents of this one's. */
  parentCatalog?: Catalog;
  /** True when the catalog is out of use. */
  deleted?: boolean;
}

/** Where one community uses a catalog. */
export interface CatalogCommunityAssociations {
  /** The community. */
  community?: Community;
  /** Custom fields of its posts that use the catalog. */
  postFields?: CatalogFieldAssociation[];
  /** Fields of its workflow screens that use the catalog. */
  screenFields?: CatalogFieldAssociation[];
}

/** A field that uses a catalog. */
export interface CatalogFieldAssociation {
  /** Id of the field. */
  id?: number;
  /** Name of the field. */
  name?: string;
}

/** A catalog's form. */
export interface GetCatalogForEditResponse {
  /** Id of the catalog. */
  id?: number;
  /** What can be edited. */
  contentData?: CatalogEditableContent;
  /** Token to send back with the next edit. */
  occToken?: number;
  /** Where the catalog is used. */
  communityAssociations?: CatalogCommunityAssociations[];
}

/** A new catalog, or the new content of one. */
export interface CreateEditCatalogRequest {
  /** The name by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages. Keys are language codes such as en or pt-BR. */
  name?: Record<string, string>;
  /** Catalog whose entries are the parents of this one's. */
  parentId?: number;
  /** True takes the catalog out of use. Default false. */
  deleted?: boolean;
  /** For an edit, the token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** The catalog as it is after the write. */
export interface CreateEditCatalogResponse {
  /** The catalog. */
  catalog?: Catalog;
  /** The catalog above it, if there is one. */
  parentCatalog?: Catalog;
  /** Token for the next edit. */
  occToken?: number;
}

/** Takes a catalog out of use or back. */
export interface EditCatalogDeletedRequest {
  /** True takes it out of use; must be sent. */
  deleted?: boolean;
}

/** State of a catalog after the switch. */
export interface EditCatalogDeletedResponse {
  /** Id of the catalog. */
  catalogId?: number;
  /** True when it is out of use. */
  deleted?: boolean;
}

/** A catalog entry's form. */
export interface GetCatalogEntryForEditResponse {
  /** Id of the entry. */
  id?: number;
  /** The label by language code. */
  label?: Record<string, string>;
  /** All entries above this one, the nearest first. */
  parents?: CatalogEntry[];
  /** Identifier of the entry in another system, unique within the catalog. */
  externalId?: string;
  /** True when the entry can no longer be chosen. */
  deleted?: boolean;
  /** Token to send back with the next edit. */
  occToken?: number;
}

/** A new catalog entry, or the new content of one. */
export interface CreateEditCatalogEntryRequest {
  /** The label by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages. Keys are language codes such as en or pt-BR. */
  label?: Record<string, string>;
  /** Entries of the parent catalog that are parents of this one. */
  parentIds?: number[];
  /** Identifier of the entry in another system, unique within the catalog. */
  externalId?: string;
  /** True makes the entry no longer choosable. Default false. */
  deleted?: boolean;
  /** For an edit, the token that the form gave; a stale one is a 409. */
  occToken?: number;
}

/** The entry as it is after the write. */
export interface CreateEditCatalogEntryResponse {
  /** The entry. */
  entry?: CatalogEntry;
  /** Token for the next edit. */
  occToken?: number;
}

/** Takes a catalog entry out of use or back. */
export interface EditCatalogEntryDeletedRequest {
  /** True takes it out of use; must be sent. */
  deleted?: boolean;
}

/** State of a catalog entry after the switch. */
export interface EditCatalogEntryDeletedResponse {
  /** Id of the entry. */
  entryId?: number;
  /** Id of its catalog. */
  catalogId?: number;
  /** True when it is out of use. */
  deleted?: boolean;
}

/** Which catalogs are wanted. */
export interface GetPostDefinitionCatalogsRequest {
  /** The catalogs, all of them in use; left out or empty, all that are. */
  catalogIds?: number[];
}

/** The catalogs that were found. */
export interface GetPostDefinitionCatalogsResponse {
  /** Heads of the catalogs, with entries where asked for. */
  catalogs?: Catalog[];
}

/** Filters, order and paging of the entries of a catalog. */
export interface ListPostDefinitionCatalogEntriesRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Part of the label, ignoring case and accents. */
  label?: string;
  /** The form in which an entry is about to be chosen; narrows to what fits there. */
  context?: EditDynamicFieldContext;
  /** What to order by. One of: label, externalId. Default `label`. */
  orderBy?: 'label' | 'externalId';
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** A page of catalog entries. */
export interface ListPostDefinitionCatalogEntriesResponse {
  /** The elements of this page. */
  items?: CatalogEntry[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** The form in which a catalog entry is about to be chosen. */
export interface EditDynamicFieldContext {
  /** Kind of form; determines which of the blocks below counts. 1 = POST, 2 = WORKFLOW_SCREEN, 3 = ACKNOWLEDGE_TASK_SCREEN, 4 = SURVEY. */
  type?: 1 | 2 | 3 | 4;
  /** Field that the entry is for. */
  fieldId?: number;
  /** Community whose form it is. */
  communityId?: number;
  /** The post form as filled in so far. */
  postContext?: CreateEditPostContextData;
  /** The workflow screen as filled in so far. */
  screenContext?: EditScreenContextData;
  /** The acknowledgement or questionnaire as filled in so far. */
  taskContext?: EditTaskContextData;
}

/** A post form that is being filled in. */
export interface CreateEditPostContextData {
  /** The post as filled in so far. */
  post?: PostContextData;
}

/** A post as filled in so far. */
export interface PostContextData {
  /** Id of the post, when it exists already. */
  id?: number;
  /** Title so far. */
  title?: string;
  /** Text so far. */
  description?: string;
  /** How the text is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Users chosen as watchers. */
  watcherUserIds?: number[];
  /** Groups chosen as watchers. */
  watcherGroupIds?: number[];
  /** Chosen visibility. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Whether the post is to be an announcement. */
  announcement?: boolean;
  /** Whether the post is to be pinned. */
  pinned?: boolean;
  /** Values so far, by field id. */
  customData?: Record<string, JsonValue>;
  /** How rich-text fields are written in this body. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** Chosen initial state of the workflow. */
  workflowInitStateId?: number;
}

/** A workflow screen that is being filled in. */
export interface EditScreenContextData {
  /** Post whose screen it is. */
  postId?: number;
  /** Transition about to be run; null while the screen of the present state is edited. */
  workflowOperationId?: number;
  /** Values so far, by field id. */
  screenData?: Record<string, JsonValue>;
  /** How rich-text fields are written in this body. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
}

/** An acknowledgement or questionnaire that is being filled in. */
export interface EditTaskContextData {
  /** Post whose task it is. */
  postId?: number;
  /** Acknowledgements about to be confirmed. */
  ackTaskIds?: number[];
  /** Values so far, by field id. */
  screenData?: Record<string, JsonValue>;
  /** How rich-text fields are written in this body. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
}

/** A hashtag of a community, for its administration. */
export interface AdminHashtag {
  /** Id of the hashtag. */
  id?: number;
  /** The word, without the sign. */
  name?: string;
  /** Community it belongs to. */
  communityId?: number;
  /** Identifier of the hashtag in another system. */
  externalId?: string;
  /** True when it can no longer be given. */
  deleted?: boolean;
}

/** Filters, order and paging of the hashtags of a community. */
export interface AdminListHashtagsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Part of the word, ignoring case and accents. */
  name?: string;
  /** Whether deleted hashtags come too. Default false. */
  includeDeleted?: boolean;
  /** What to order by. One of: name, externalId. Default `name`. */
  orderBy?: 'name' | 'externalId';
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** A page of hashtags. */
export interface AdminListHashtagsResponse {
  /** The elements of this page. */
  items?: AdminHashtag[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}
