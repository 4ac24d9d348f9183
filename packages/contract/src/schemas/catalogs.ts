/** Catalogs, their entries and hashtags. */
import { EditContextType, TextFormat, Visibility } from '../codes/codes.ts';
import { catalogEntryOrders, hashtagOrders } from '../filters.ts';
import { listLimits } from '../limits.ts';
import {
  code,
  count,
  fieldValues,
  flag,
  ids,
  int64,
  languageMap,
  list,
  orderDesc,
  page,
  pageInputs,
  ref,
  required,
  text,
  textMap,
  texts,
  token,
  type,
  word,
} from './fields.ts';

/** Many entries at once, which only Portico has. */
export const catalogEntryTypes = {
  PutCatalogEntriesRequest: type('Entries of a catalog to create and to edit.', {
    entries: required(
      list('CatalogEntryForm', 'The entries; each once.', {
        maxItems: listLimits.items,
      }),
    ),
  }),
  CatalogEntryForm: type('An entry of a catalog as it is to be.', {
    label: required(
      languageMap(
        "The label by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages.",
      ),
    ),
    externalId: text(
      'Identifier of the entry in another system, by which it is found; left out, it is found by its label.',
    ),
    parentIds: ids('Entries of the parent catalog that are parents of this one.', { maxItems: listLimits.parents }),
    parentExternalIds: texts('More parents, by their external ids.'),
    deleted: flag('True makes the entry no longer choosable. Default false.'),
  }),
  PutCatalogEntriesResponse: type('What became of the entries.', {
    entryIds: ids('Ids of the entries, in the order in which they were sent.'),
    createdCount: count('Entries that were created.'),
    editedCount: count('Entries that were edited.'),
    unchangedCount: count('Entries that were as they are to be already.'),
  }),
};

const deltaAreaFormat = code(TextFormat, 'How rich-text fields are written in this body.', { default: 1 });

export const catalogTypes = {
  Catalog: type('A list of values that fields of several communities share.', {
    id: int64('Id of the catalog.'),
    name: text("Name in the caller's language."),
    etag: int64('Version of the catalog and its entries; changes with each of them.'),
    paged: flag(
      'True when there are too many entries (more than 500) to come along: page them with POST `/communication/settings/post-definition/catalogs/{catalogId}/entries`, which takes `pageSize` and `pageToken`.',
    ),
    entries: list('CatalogEntry', 'The entries, when they were asked for and the catalog is not `paged`.'),
  }),
  CatalogEntry: type('A value of a catalog.', {
    id: int64('Id of the entry; fields and filters take it.'),
    catalogId: int64('Catalog the entry belongs to.'),
    label: text("Label in the caller's language."),
    externalId: text('Identifier of the entry in another system.'),
    parentIds: ids('Entries of the parent catalog that are parents of this one.'),
    deleted: flag('True when the entry can no longer be chosen.'),
  }),
  CatalogEditableContent: type('What can be edited about a catalog.', {
    name: textMap('The name by language code.'),
    parentCatalog: ref('Catalog', "Catalog whose entries are the parents of this one's."),
    deleted: flag('True when the catalog is out of use.'),
  }),
  CatalogCommunityAssociations: type('Where one community uses a catalog.', {
    community: ref('Community', 'The community.'),
    postFields: list('CatalogFieldAssociation', 'Custom fields of its posts that use the catalog.'),
    screenFields: list('CatalogFieldAssociation', 'Fields of its workflow screens that use the catalog.'),
  }),
  CatalogFieldAssociation: type('A field that uses a catalog.', {
    id: int64('Id of the field.'),
    name: text('Name of the field.'),
  }),
  GetCatalogForEditResponse: type("A catalog's form.", {
    id: int64('Id of the catalog.'),
    contentData: ref('CatalogEditableContent', 'What can be edited.'),
    occToken: token('Token to send back with the next edit.'),
    communityAssociations: list('CatalogCommunityAssociations', 'Where the catalog is used.'),
  }),
  CreateEditCatalogRequest: type('A new catalog, or the new content of one.', {
    name: required(
      languageMap(
        "The name by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages.",
      ),
    ),
    parentId: int64("Catalog whose entries are the parents of this one's."),
    deleted: flag('True takes the catalog out of use. Default false.'),
    occToken: token('For an edit, the token that the form gave; a stale one is a 409.'),
  }),
  CreateEditCatalogResponse: type('The catalog as it is after the write.', {
    catalog: ref('Catalog', 'The catalog.'),
    parentCatalog: ref('Catalog', 'The catalog above it, if there is one.'),
    occToken: token('Token for the next edit.'),
  }),
  EditCatalogDeletedRequest: type('Takes a catalog out of use or back.', {
    deleted: required(flag('True takes it out of use; must be sent.')),
  }),
  EditCatalogDeletedResponse: type('State of a catalog after the switch.', {
    catalogId: int64('Id of the catalog.'),
    deleted: flag('True when it is out of use.'),
  }),
  GetCatalogEntryForEditResponse: type("A catalog entry's form.", {
    id: int64('Id of the entry.'),
    label: textMap('The label by language code.'),
    parents: list('CatalogEntry', 'All entries above this one, the nearest first.'),
    externalId: text('Identifier of the entry in another system, unique within the catalog.'),
    deleted: flag('True when the entry can no longer be chosen.'),
    occToken: token('Token to send back with the next edit.'),
  }),
  CreateEditCatalogEntryRequest: type('A new catalog entry, or the new content of one.', {
    label: required(
      languageMap(
        "The label by language; one language at least. The tenant's default language, left out, takes the first of the texts, in the order of the published languages.",
      ),
    ),
    parentIds: ids('Entries of the parent catalog that are parents of this one.', { maxItems: listLimits.parents }),
    externalId: text('Identifier of the entry in another system, unique within the catalog.'),
    deleted: flag('True makes the entry no longer choosable. Default false.'),
    occToken: token('For an edit, the token that the form gave; a stale one is a 409.'),
  }),
  CreateEditCatalogEntryResponse: type('The entry as it is after the write.', {
    entry: ref('CatalogEntry', 'The entry.'),
    occToken: token('Token for the next edit.'),
  }),
  EditCatalogEntryDeletedRequest: type('Takes a catalog entry out of use or back.', {
    deleted: required(flag('True takes it out of use; must be sent.')),
  }),
  EditCatalogEntryDeletedResponse: type('State of a catalog entry after the switch.', {
    entryId: int64('Id of the entry.'),
    catalogId: int64('Id of its catalog.'),
    deleted: flag('True when it is out of use.'),
  }),
  GetPostDefinitionCatalogsRequest: type('Which catalogs are wanted.', {
    catalogIds: ids('The catalogs, all of them in use; left out or empty, all that are.'),
  }),
  GetPostDefinitionCatalogsResponse: type('The catalogs that were found.', {
    catalogs: list('Catalog', 'Heads of the catalogs, with entries where asked for.'),
  }),
  ListPostDefinitionCatalogEntriesRequest: type('Filters, order and paging of the entries of a catalog.', {
    ...pageInputs,
    label: text('Part of the label, ignoring case and accents.'),
    context: ref(
      'EditDynamicFieldContext',
      'The form in which an entry is about to be chosen; narrows to what fits there.',
    ),
    orderBy: word(catalogEntryOrders, 'What to order by.', { default: 'label' }),
    orderDesc: orderDesc(true),
  }),
  ListPostDefinitionCatalogEntriesResponse: page('CatalogEntry', 'A page of catalog entries.'),
  EditDynamicFieldContext: type('The form in which a catalog entry is about to be chosen.', {
    type: code(EditContextType, 'Kind of form; determines which of the blocks below counts.'),
    fieldId: int64('Field that the entry is for.'),
    communityId: int64('Community whose form it is.'),
    postContext: ref('CreateEditPostContextData', 'The post form as filled in so far.'),
    screenContext: ref('EditScreenContextData', 'The workflow screen as filled in so far.'),
    taskContext: ref('EditTaskContextData', 'The acknowledgement or questionnaire as filled in so far.'),
  }),
  CreateEditPostContextData: type('A post form that is being filled in.', {
    post: ref('PostContextData', 'The post as filled in so far.'),
  }),
  PostContextData: type('A post as filled in so far.', {
    id: int64('Id of the post, when it exists already.'),
    title: text('Title so far.'),
    description: text('Text so far.'),
    descriptionFormat: code(TextFormat, 'How the text is written.', { default: 1 }),
    watcherUserIds: ids('Users chosen as watchers.'),
    watcherGroupIds: ids('Groups chosen as watchers.'),
    visibility: code(Visibility, 'Chosen visibility.'),
    announcement: flag('Whether the post is to be an announcement.'),
    pinned: flag('Whether the post is to be pinned.'),
    customData: fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
    workflowInitStateId: int64('Chosen initial state of the workflow.'),
  }),
  EditScreenContextData: type('A workflow screen that is being filled in.', {
    postId: int64('Post whose screen it is.'),
    workflowOperationId: int64('Transition about to be run; null while the screen of the present state is edited.'),
    screenData: fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
  }),
  EditTaskContextData: type('An acknowledgement or questionnaire that is being filled in.', {
    postId: int64('Post whose task it is.'),
    ackTaskIds: ids('Acknowledgements about to be confirmed.'),
    screenData: fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
  }),
  AdminHashtag: type('A hashtag of a community, for its administration.', {
    id: int64('Id of the hashtag.'),
    name: text('The word, without the sign.'),
    communityId: int64('Community it belongs to.'),
    externalId: text('Identifier of the hashtag in another system.'),
    deleted: flag('True when it can no longer be given.'),
  }),
  AdminListHashtagsRequest: type('Filters, order and paging of the hashtags of a community.', {
    ...pageInputs,
    name: text('Part of the word, ignoring case and accents.'),
    includeDeleted: flag('Whether deleted hashtags come too. Default false.', { default: false }),
    orderBy: word(hashtagOrders, 'What to order by.', { default: 'name' }),
    orderDesc: orderDesc(true),
  }),
  AdminListHashtagsResponse: page('AdminHashtag', 'A page of hashtags.'),
};
