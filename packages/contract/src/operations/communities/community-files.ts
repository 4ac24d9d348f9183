/** Communities as files. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { sampleFile } from '../sample-values.ts';

const planRefusals = { 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null } as const;

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
    clientMethod: 'exportDefinition',
    formerMethod: 'exportFile',
    command: { examples: ['2', '2 --output yaml'] },
  },
  planCommunity: {
    method: 'POST',
    path: '/admin/data/community-plans',
    body: 'PlanCommunityRequest',
    responses: { 200: 'PlanCommunityResponse', ...planRefusals },
    permission: 'applyCommunityFile',
    extension: true,
    summary: 'Plan the changes of a community file',
    description:
      'Applies a file, a saved draft or a former version in a transaction that is undone, and ' +
      'returns what it does: the changes, data of posts without a place, faults of the definition ' +
      'afterwards, and who gains or loses rights. What would be refused is refused in the same ' +
      'words. An existing community can be planned by people with the right to edit it, a new ' +
      'community by holders of the right `manageDigitalWorplace`.',
    requestExamples: examples<'PlanCommunityRequest'>({
      file: { summary: 'A new community', value: { file: sampleFile } },
    }),
    clientMethod: 'planDefinition',
    formerMethod: 'planFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}'`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "draft": true}}' --output json`,
      ],
    },
  },
  previewCommunity: {
    method: 'POST',
    path: '/admin/data/community-previews',
    body: 'PreviewCommunityRequest',
    responses: { 200: 'PreviewCommunityResponse', ...planRefusals },
    permission: 'applyCommunityFile',
    extension: true,
    summary: 'Preview the form and the transitions of a community file',
    description:
      'Applies a file, a saved draft or a former version in a transaction that is undone, and ' +
      'returns the fields that the form shows to a person or a role with the given values, and ' +
      'for each transition whether they may run it, and why. Rights are those after the change. ' +
      'Whoever may plan the change may preview it.',
    requestExamples: examples<'PreviewCommunityRequest'>({
      file: { summary: 'A new community', value: { file: sampleFile } },
    }),
    clientMethod: 'previewDefinition',
    formerMethod: 'previewFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}' --role READER`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}' --output json`,
      ],
    },
  },
  applyCommunity: {
    method: 'POST',
    path: '/admin/manage/community-plans',
    body: 'ApplyCommunityRequest',
    responses: { 200: 'ApplyCommunityResponse', ...planRefusals },
    permission: 'applyCommunityFile',
    extension: true,
    summary: 'Apply a community file',
    description:
      'Applies a file, a saved draft or a former version to the community in one transaction; in ' +
      'a large community posts follow in the background. With the token of a plan, exactly that ' +
      'plan is applied: if anything that the plan was based on has changed since, the operation ' +
      'returns 409. Posts do not belong to it: they may be written meanwhile. A loss without a ' +
      'treatment returns 400 `MAPPING_REQUIRED`. An applied draft is deleted.',
    requestExamples: examples<'ApplyCommunityRequest'>({
      file: { summary: 'A new community', value: { file: sampleFile } },
    }),
    clientMethod: 'applyDefinition',
    formerMethod: 'applyFile',
    command: {
      examples: [
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "name": "Purchasing"}}'`,
        `--file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy", "draft": true}}' --dry-run`,
      ],
    },
  },
  getCommunityDraft: {
    method: 'GET',
    path: '/admin/manage/communities/{communityId}/draft',
    responses: { 200: 'GetCommunityDraftResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Get the draft of a community',
    description: 'Returns the draft of the definition with its author and time; 404 without a draft.',
    clientMethod: 'draft',
    command: { examples: ['2', '2 --output json'] },
  },
  saveCommunityDraft: {
    method: 'PUT',
    path: '/admin/manage/communities/{communityId}/draft',
    body: 'SaveCommunityDraftRequest',
    responses: { 200: 'SaveCommunityDraftResponse', ...planRefusals },
    permission: 'editCommunity',
    extension: true,
    summary: 'Save the draft of a community',
    description:
      'Keeps a definition that is being edited; a community has one draft. Posts and people ' +
      'notice nothing. `planCommunity` and `applyCommunity` take it by `communityId`.',
    clientMethod: 'saveDraft',
    command: {
      examples: [
        `2 --file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy"}}'`,
        `2 --file '{"version": 1, "workspace": {"key": "ops"}, "community": {"key": "buy"}}' --dry-run`,
      ],
    },
  },
  deleteCommunityDraft: {
    method: 'DELETE',
    path: '/admin/manage/communities/{communityId}/draft',
    responses: { 200: null, 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Delete the draft of a community',
    description: 'Deletes the draft; the community stays as it is.',
    clientMethod: 'deleteDraft',
    command: { confirms: true, examples: ['2 --yes', '2 --dry-run'] },
  },
});
