/** Saved views: lists and figures. */
import { type FieldType, FilterType, fieldTypes } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema } from '@portico/contract/schemas';
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/** Filters of a type with every member, which the list of posts accepts. @param fields what filters on fields are about */
function everyFilter(name: DeclaredName, fields: Json): Json {
  return Object.fromEntries(
    Object.entries<FieldSchema>(declarations[name].fields).map(([member, schema]) => {
      const { id, type } = (fields[member] ?? {}) as { id?: number; type?: FieldType };
      if (id && type) {
        const filter = { columnId: id, typeId: FilterType.EQUAL, parameters: [fieldTypes[type].example] };
        return [member, [filter]];
      }
      if (schema.$ref) return [member, everyFilter(schema.$ref.slice(0, -1) as DeclaredName, fields)];
      const one =
        (schema.items ?? schema).enum?.[0] ?? { integer: 1, boolean: false }[String((schema.items ?? schema).type)];
      const value = ['from', 'to'].includes(member) ? '2031-05-02' : (one ?? 'text');
      return [member, schema.type === 'array' ? [value] : value];
    }),
  );
}

/** Creates views without dry run, so that the following operations have one. */
export async function walkViews(walk: Walk, communityId: number, definition: Json): Promise<void> {
  const searchable = (fields: Json[] | undefined) => fields?.find((field) => field.searchable);
  const fields = {
    postFieldFilters: searchable(definition.fieldDefinitions),
    screenFieldFilters: searchable(definition.workflowDefinition?.screenFieldMetadatas),
  };
  const body = {
    name: 'Acceptance',
    columns: ['title'],
    communityPostFilters: everyFilter('CommunityPostFilters', fields),
    communityAttachmentFilters: everyFilter('CommunityAttachmentFilters', fields),
    orderBy: 'postTitle',
    layout: 'board',
    groupBy: 'currentWorkflowState',
  };
  await walk.write('createSavedView', { params: { communityId }, body });
  const { groupBy: _group, ...rest } = { ...body, layout: 'calendar', dateField: 'event' };
  const made = await walk.read('createSavedView', { params: { communityId }, body: rest });
  const params = { viewId: made.id };
  const { occToken } = await walk.read('getSavedView', { params });
  await walk.write('editSavedView', { params, body: { ...body, occToken } });
  await walk.read('editFavouriteView', { params, body: {} });
  await walk.read('editFavouriteCommunity', { params: { communityId }, body: {} });
  await walk.read('editDefaultView', { params: { communityId }, body: { viewId: made.id } });
  await walk.read('listFavourites');
  await walk.read('listSavedViews', { params: { communityId } });
  await walk.read('editSavedView', { params, body: { name: 'Acceptance', occToken } });
  await walk.items('runSavedView', { params });
  await walk.read('explainView', { params });
  await walk.write('deleteSavedView', { params });
  const figures = {
    name: 'Acceptance figures',
    layout: 'bars',
    groupBy: 'currentWorkflowState',
    secondGroupBy: 'creationTimestamp.month',
    measure: 'mean',
    measureOf: 'timeInState',
    inOverview: true,
  };
  const shown = await walk.read('createSavedView', { params: { communityId }, body: figures });
  await walk.read('summariseSavedView', { params: { viewId: shown.id } });
  await walk.write('deleteSavedView', { params: { viewId: shown.id } });
  await walk.read('visitCommunity', { params: { communityId } });
  await walk.read('getCommunityTree');
}
