import { defineOperations } from './define.ts';

/** Communities as files. */
export const communityFileOperations = defineOperations('communities', {
  exportCommunity: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/file',
    responses: { 200: 'CommunityFile', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Write a community as a file',
    description:
      'Everything that defines the community, without ids: workspace, catalogs, switches, roles of groups, fields, workflow and screens. Properties that have their default are left out. The same definition always gives the same file.',
    clientMethod: 'exportFile',
    command: { examples: ['2', '2 --output yaml'] },
  },
  planCommunity: {
    method: 'POST',
    path: '/admin/data/community-plans',
    body: 'PlanCommunityRequest',
    responses: { 200: 'PlanCommunityResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'applyCommunityFile',
    extension: true,
    summary: 'Tell what applying a file would change',
    description:
      'Compares a file with the community that its key names, and changes nothing. A community that exists can be planned by those who may edit it, a new one by holders of the right `manageDigitalWorplace`.',
    clientMethod: 'planFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}'`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "draft": true}}' --output json`,
      ],
    },
  },
  applyCommunity: {
    method: 'POST',
    path: '/admin/manage/community-plans',
    body: 'ApplyCommunityRequest',
    responses: { 200: 'ApplyCommunityResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'applyCommunityFile',
    extension: true,
    summary: 'Make a community what a file says',
    description:
      'Makes the community what the file says, in one transaction: all of it, or nothing. With the token of a plan it is that plan or nothing: where anything that the plan was made from has changed since, it is a 409.',
    clientMethod: 'applyFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}'`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "draft": true}}' --dry-run`,
      ],
    },
  },
});
