/** Communities as files. */
import { defineOperations } from '../define.ts';

export const communityFileOperations = defineOperations('communities', {
  exportCommunity: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/file',
    responses: { 200: 'CommunityFile', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Write a community as a file',
    description:
      'Returns the full definition of the community, without ids: workspace, catalogs, ' +
      'switches, roles of groups, fields, workflow and screens. Properties with their default ' +
      'value are omitted. The same definition always returns the same file.',
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
    summary: 'Plan the changes of a community file',
    description:
      'Compares a file with the community that its key names, and changes nothing. An existing ' +
      'community can be planned by people with the right to edit it, a new community by ' +
      'holders of the right `manageDigitalWorplace`.',
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
    summary: 'Apply a community file',
    description:
      'Applies the file to the community in one transaction. With the token of a plan, exactly ' +
      'that plan is applied: if anything that the plan was based on has changed since, the ' +
      'operation returns 409.',
    clientMethod: 'applyFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}'`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "draft": true}}' --dry-run`,
      ],
    },
  },
});
