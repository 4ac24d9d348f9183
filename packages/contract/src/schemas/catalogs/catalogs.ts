/** Catalogs, their entries and hashtags. */
import { EditContextType, TextFormat, Visibility } from '../../codes/codes.ts';
import { catalogEntryOrders, hashtagOrders } from '../../filters.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** Many entries at once, which only Portico has. */
export const catalogEntryTypes = {
  PutCatalogEntriesRequest: t.type('Entries of a catalog to create and to edit.', {
    entries: t.required(
      t.list('CatalogEntryForm', 'The entries; each once.', {
        maxItems: listLimits.items,
      }),
    ),
  }),
  CatalogEntryForm: t.type('New content of an entry of a catalog.', {
    label: t.required(
      t.nameMap(
        "The label by language; one language at least. If the tenant's default language is " +
          'missing, it takes the first text, in the order of the published languages.',
      ),
      'At least one translation is required.',
    ),
    externalId: t.text(
      'Identifier of the entry in another system, which identifies it. If omitted, the label identifies it.',
    ),
    parentIds: t.ids('Entries of the parent catalog that are parents of this one.', { maxItems: listLimits.parents }),
    parentExternalIds: t.texts('More parents, by their external ids.'),
    deleted: t.flag('True makes the entry no longer choosable. Default false.'),
  }),
  PutCatalogEntriesResponse: t.type('Outcome for the entries.', {
    entryIds: t.ids('Ids of the entries, in the order in which they were sent.'),
    createdCount: t.count('Entries that were created.'),
    editedCount: t.count('Entries that were edited.'),
    unchangedCount: t.count('Entries that were up to date already.'),
  }),
};

const deltaAreaFormat = t.code(TextFormat, 'Format of rich-text fields in this body.', { default: 1 });

export const catalogTypes = {
  Catalog: t.type('A list of values that fields of several communities share.', {
    id: t.int64('Id of the catalog.'),
    name: t.text("Name in the caller's language."),
    etag: t.int64('Version of the catalog and its entries; changes with each of them.'),
    paged: t.flag(
      'True if there are too many entries (more than 500) to include: page them with POST ' +
        '`/communication/settings/post-definition/catalogs/{catalogId}/entries`, which takes ' +
        '`pageSize` and `pageToken`.',
    ),
    entries: t.list('CatalogEntry', 'The entries, when they were asked for and the catalog is not `paged`.'),
  }),
  CatalogEntry: t.type('A value of a catalog.', {
    id: t.int64('Id of the entry; fields and filters take it.'),
    catalogId: t.int64('Catalog the entry belongs to.'),
    label: t.text("Label in the caller's language."),
    externalId: t.text('Identifier of the entry in another system.'),
    parentIds: t.ids('Entries of the parent catalog that are parents of this one.'),
    deleted: t.flag('True when the entry can no longer be chosen.'),
  }),
  CatalogEditableContent: t.type('Editable properties of a catalog.', {
    name: t.textMap('The name by language code.'),
    parentCatalog: t.ref('Catalog', 'Catalog whose entries are the parents of the entries of this catalog.'),
    deleted: t.flag('True when the catalog is out of use.'),
  }),
  CatalogCommunityAssociations: t.type('Fields of one community that use a catalog.', {
    community: t.ref('Community', 'The community.'),
    postFields: t.list('CatalogFieldAssociation', 'Custom fields of its posts that use the catalog.'),
    screenFields: t.list('CatalogFieldAssociation', 'Fields of its workflow screens that use the catalog.'),
  }),
  CatalogFieldAssociation: t.type('A field that uses a catalog.', {
    id: t.int64('Id of the field.'),
    name: t.text('Name of the field.'),
  }),
  GetCatalogForEditResponse: t.type("A catalog's form.", {
    id: t.int64('Id of the catalog.'),
    contentData: t.ref('CatalogEditableContent', 'The editable properties.'),
    occToken: t.token('Token to send back with the next edit.'),
    communityAssociations: t.list('CatalogCommunityAssociations', 'Fields that use the catalog.'),
  }),
  CreateEditCatalogRequest: t.type('A new catalog, or the new content of one.', {
    name: t.required(
      t.nameMap(
        "The name by language; one language at least. If the tenant's default language is " +
          'missing, it takes the first text, in the order of the published languages.',
      ),
      'At least one translation is required.',
    ),
    parentId: t.int64('Catalog whose entries are the parents of the entries of this catalog.'),
    deleted: t.flag('True takes the catalog out of use. Default false.'),
    occToken: t.token('For an edit, the token that the form returned; a stale token returns 409.'),
  }),
  CreateEditCatalogResponse: t.type('The catalog after the write.', {
    catalog: t.ref('Catalog', 'The catalog.'),
    parentCatalog: t.ref('Catalog', 'The catalog above it, if there is one.'),
    occToken: t.token('Token for the next edit.'),
  }),
  EditCatalogDeletedRequest: t.type('Takes a catalog out of use or back.', {
    deleted: t.required(t.flag('True takes it out of use; must be sent.')),
  }),
  EditCatalogDeletedResponse: t.type('State of a catalog after the switch.', {
    catalogId: t.int64('Id of the catalog.'),
    deleted: t.flag('True when it is out of use.'),
  }),
  GetCatalogEntryForEditResponse: t.type("A catalog entry's form.", {
    id: t.int64('Id of the entry.'),
    label: t.textMap('The label by language code.'),
    parents: t.list('CatalogEntry', 'All entries above this one, the nearest first.'),
    externalId: t.text('Identifier of the entry in another system, unique within the catalog.'),
    deleted: t.flag('True when the entry can no longer be chosen.'),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  CreateEditCatalogEntryRequest: t.type('A new catalog entry, or the new content of one.', {
    label: t.required(
      t.nameMap(
        "The label by language; one language at least. If the tenant's default language is " +
          'missing, it takes the first text, in the order of the published languages.',
      ),
      'At least one translation is required.',
    ),
    parentIds: t.ids('Entries of the parent catalog that are parents of this one.', { maxItems: listLimits.parents }),
    externalId: t.text('Identifier of the entry in another system, unique within the catalog.'),
    deleted: t.flag('True makes the entry no longer choosable. Default false.'),
    occToken: t.token('For an edit, the token that the form returned; a stale token returns 409.'),
  }),
  CreateEditCatalogEntryResponse: t.type('The entry after the write.', {
    entry: t.ref('CatalogEntry', 'The entry.'),
    occToken: t.token('Token for the next edit.'),
  }),
  EditCatalogEntryDeletedRequest: t.type('Takes a catalog entry out of use or back.', {
    deleted: t.required(t.flag('True takes it out of use; must be sent.')),
  }),
  EditCatalogEntryDeletedResponse: t.type('State of a catalog entry after the switch.', {
    entryId: t.int64('Id of the entry.'),
    catalogId: t.int64('Id of its catalog.'),
    deleted: t.flag('True when it is out of use.'),
  }),
  GetPostDefinitionCatalogsRequest: t.type('Catalogs to return.', {
    catalogIds: t.filterIds('The catalogs; each must be in use. If omitted or empty, all catalogs in use.'),
  }),
  GetPostDefinitionCatalogsResponse: t.type('The catalogs that were found.', {
    catalogs: t.list('Catalog', 'Heads of the catalogs, with entries on request.'),
  }),
  ListPostDefinitionCatalogEntriesRequest: t.type('Filters, order and paging of the entries of a catalog.', {
    ...t.pageInputs,
    label: t.text('Part of the label, ignoring case and accents.'),
    context: t.ref(
      'EditDynamicFieldContext',
      'The form in which an entry is to be chosen; narrows to entries that fit there.',
    ),
    orderBy: t.word(
      catalogEntryOrders,
      'Sort order. `position` is that of the file of a community; entries without a place come last, by label.',
      { default: 'label' },
    ),
    orderDesc: t.orderDesc(true),
  }),
  ListPostDefinitionCatalogEntriesResponse: t.page('CatalogEntry', 'A page of catalog entries.'),
  EditDynamicFieldContext: t.type('The form in which a catalog entry is about to be chosen.', {
    type: t.code(EditContextType, 'Kind of form; determines the block below that applies.'),
    fieldId: t.int64('Field that the entry is for.'),
    communityId: t.int64('Community of the form.'),
    postContext: t.ref('CreateEditPostContextData', 'The post form as filled in so far.'),
    screenContext: t.ref('EditScreenContextData', 'The workflow screen as filled in so far.'),
    taskContext: t.ref('EditTaskContextData', 'The acknowledgement or questionnaire as filled in so far.'),
  }),
  CreateEditPostContextData: t.type('A post form that is being filled in.', {
    post: t.ref('PostContextData', 'The post as filled in so far.'),
  }),
  PostContextData: t.type('A post as filled in so far.', {
    id: t.int64('Id of the post, when it exists already.'),
    title: t.text('Title so far.'),
    description: t.text('Text so far.'),
    descriptionFormat: t.code(TextFormat, 'Format of the text.', { default: 1 }),
    watcherUserIds: t.ids('Users chosen as watchers.'),
    watcherGroupIds: t.ids('Groups chosen as watchers.'),
    visibility: t.code(Visibility, 'Chosen visibility.'),
    announcement: t.flag('Whether the post is to be an announcement.'),
    pinned: t.flag('Whether the post is to be pinned.'),
    customData: t.fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
    workflowInitStateId: t.int64('Chosen initial state of the workflow.'),
  }),
  EditScreenContextData: t.type('A workflow screen that is being filled in.', {
    postId: t.int64('Post of the screen.'),
    workflowOperationId: t.int64('Transition about to be run; null while the screen of the current state is edited.'),
    screenData: t.fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
  }),
  EditTaskContextData: t.type('An acknowledgement or questionnaire that is being filled in.', {
    postId: t.int64('Post of the task.'),
    ackTaskIds: t.ids('Acknowledgements about to be confirmed.'),
    screenData: t.fieldValues('Values so far, by field id.'),
    deltaAreaFormat,
  }),
  AdminHashtag: t.type('A hashtag of a community, for its administration.', {
    id: t.int64('Id of the hashtag.'),
    name: t.text('The word, without the sign.'),
    communityId: t.int64('Community it belongs to.'),
    externalId: t.text('Identifier of the hashtag in another system.'),
    deleted: t.flag('True when it can no longer be given.'),
  }),
  AdminListHashtagsRequest: t.type('Filters, order and paging of the hashtags of a community.', {
    ...t.pageInputs,
    name: t.text('Part of the word, ignoring case and accents.'),
    includeDeleted: t.flag('Whether to include deleted hashtags. Default false.', { default: false }),
    orderBy: t.word(hashtagOrders, 'Sort order.', { default: 'name' }),
    orderDesc: t.orderDesc(true),
  }),
  AdminListHashtagsResponse: t.page('AdminHashtag', 'A page of hashtags.'),
};
