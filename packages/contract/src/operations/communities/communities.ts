/** Communities: lists, details, definitions. */
import { PartUse, Visibility } from '../../codes/codes.ts';
import { ValidationType } from '../../codes/defined-codes.ts';
import { FieldType } from '../../codes/field-types.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { sampleState } from '../sample-values.ts';

/** Columns of a table of communities. */
const communityColumns = ['id', 'name', 'workspaceId', 'membersCount'] as const;

export const communityOperations = defineOperations('communities', {
  getCanCreatePostCommunities: {
    method: 'GET',
    path: '/communication/settings/communities',
    responses: { 200: 'ListCommunitiesResponse', 403: null },
    permission: 'authenticated',
    summary: 'List the communities the caller may post in',
    description: 'Returns every community in which the caller may create posts, by name; not paged.',
    clientMethod: 'listWritable',
    successor: "list({ with: 'write' })",
    command: {
      rows: 'communities',
      columns: communityColumns,
      examples: ['', '--output json --fields id,name,operationalCapabilities.createPost'],
    },
  },
  getCommunitiesByViewPostCapabilityLevel: {
    method: 'GET',
    path: '/communication/settings/communities/view-post',
    query: {
      viewPostCapabilityLevel: {
        type: 'string',
        default: 'ALL',
        allowed: ['PRIVATE', 'PUBLIC', 'ALL'],
        description:
          'PRIVATE: communities where the caller sees all private posts; PUBLIC: where the caller sees public posts; ALL: both.',
      },
    },
    responses: { 200: 'ListCommunitiesResponse', 403: null },
    permission: 'authenticated',
    summary: 'List the communities the caller may read',
    description: "Returns communities by the caller's level of access to their posts; not paged.",
    clientMethod: 'list',
    command: {
      rows: 'communities',
      columns: communityColumns,
      examples: ['', '--view-post-capability-level PRIVATE --fields id,name'],
    },
  },
  getCommunityDetails: {
    method: 'GET',
    path: '/communication/settings/communities/{communityId}/details',
    responses: { 200: 'GetCommunityDetailsResponse', 403: null, 404: null },
    permission: 'seeCommunity',
    summary: 'Read a community',
    description: 'Returns one community with the capabilities of the caller in it.',
    clientMethod: 'get',
    command: { object: 'community', examples: ['2', '2 --output yaml'] },
  },
  listCommunities: {
    method: 'POST',
    path: '/communication/settings/communities/details',
    body: 'ListCommunitiesRequest',
    responses: { 200: 'ListCommunitiesResponse', 403: null, 404: null },
    permission: 'authenticated',
    summary: 'Read many communities',
    description: 'Returns the communities with the given ids; unknown or invisible communities are omitted.',
    clientMethod: 'getMany',
    command: {
      rows: 'communities',
      columns: communityColumns,
      examples: ['--community-ids 2,3', '--community-ids 2,3 --output csv --fields id,name,membersCount'],
    },
  },
  getPostDefinition: {
    method: 'GET',
    path: '/communication/settings/communities/{communityId}/post-definition',
    responses: { 200: 'GetPostDefinitionResponse', 404: null },
    permission: 'seeCommunity',
    summary: 'Read the post definition of a community',
    description:
      'Returns the structure of the posts of the community: custom fields with their rules and ' +
      'values, hashtags, workflow with states, transitions and screens.',
    responseExamples: examples<'GetPostDefinitionResponse'>({
      definition: {
        summary: 'A definition with one field',
        value: {
          communityId: 5,
          titleEnabled: PartUse.REQUIRED,
          descriptionEnabled: PartUse.OPTIONAL,
          watchersEnabled: PartUse.OPTIONAL,
          hashTagEnabled: true,
          attachmentEnabled: true,
          customFieldsEnabled: true,
          attachmentMaxSize: 104_857_600,
          defaultPostVisibility: Visibility.PUBLIC,
          fieldDefinitions: [
            {
              id: 4104,
              name: 'column_4104',
              label: 'Due date',
              type: FieldType.DATE,
              required: false,
              readonly: false,
              searchable: true,
              sortable: true,
              visibleInPreview: true,
              visibleInDetail: true,
              visibleInCreate: true,
              visibleInEdit: true,
              enumValues: [],
              metadata: {},
              validations: [
                { id: 9, fieldId: 4104, validationTypeId: ValidationType.NOT_IN_THE_PAST, parameter: null, order: 0 },
              ],
            },
          ],
          hashtags: [{ id: 61, name: 'finance', deleted: false }],
          workflowDefinition: { id: 8, title: 'Approval', states: [sampleState], transitions: [], empty: false },
        },
      },
    }),
    clientMethod: 'definition',
    command: { examples: ['2 --output yaml', '2 --output json --fields fieldDefinitions.id,fieldDefinitions.label'] },
  },
  getPostSchemas: {
    method: 'GET',
    path: '/communication/settings/communities/{communityId}/post-schemas',
    responses: { 200: 'GetPostSchemasResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Read JSON Schemas of the custom fields of a community',
    description:
      'Returns JSON Schemas (2020-12) of custom data and screen data, in responses and in ' +
      'requests, with the label of each field as `title`. ' +
      '`/portal/api/openapi.json?community={communityId}` is the document of the interface ' +
      'with these schemas in place of maps of any values.',
    clientMethod: 'schemas',
    command: { object: 'schemas', examples: ['12 --output json', '12 --output yaml'] },
  },
  listPostDefinitions: {
    method: 'POST',
    path: '/communication/settings/communities/post-definitions',
    body: 'ListCommunitiesRequest',
    responses: { 200: 'ListPostDefinitionsResponse', 404: null },
    permission: 'authenticated',
    summary: 'Read the post definitions of many communities',
    description: 'Returns a map from community id to definition; unknown or invisible communities are omitted.',
    clientMethod: 'definitions',
    command: { examples: ['--community-ids 2,3 --output json', '--community-ids 2 --output yaml'] },
  },
});
