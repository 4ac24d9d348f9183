/** Templates for new posts. */
import { definitionLimits } from '../../limits.ts';
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';

export const postTemplateOperations = defineOperations('posts', {
  listPostTemplates: {
    method: 'GET',
    path: '/communication/posts/data/templates/{communityId}',
    responses: { 200: 'ListPostTemplatesResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'List the templates of a community',
    description:
      'Returns the initial content for new posts. Values of fields that the caller does not ' + 'see are omitted.',
    clientMethod: 'templates',
    command: {
      rows: 'templates',
      columns: ['id', 'name', 'title', 'lastModifyUser'],
      examples: ['2', '2 --output json'],
    },
  },
  createPostTemplate: {
    method: 'POST',
    path: '/communication/posts/manage/create-template/{communityId}',
    body: 'CreatePostTemplateRequest',
    responses: { 200: 'PostTemplate', ...valueErrors, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Create a template for new posts',
    description:
      'A template may lack values that a new post requires: they are required of the post. ' +
      `With ${definitionLimits.templates} templates the operation returns 409.`,
    requestExamples: examples<'CreatePostTemplateRequest'>({
      travel: {
        summary: 'A request for a journey',
        value: {
          name: 'Travel',
          title: 'Journey to …',
          description: 'Where, when, and why. #travel',
          descriptionFormat: 2,
          visibility: 1,
        },
      },
    }),
    clientMethod: 'createTemplate',
    command: {
      customFields: 'customData',
      plainText: ['description', 'descriptionFormat'],
      examples: [
        `2 --name Travel --title "Journey to …" --field Severity=High --field 'Due date=2026-12-01'`,
        `2 --name Travel --custom-data '{"4104": "2026-12-01"}' --dry-run`,
      ],
    },
  },
  editPostTemplate: {
    method: 'PUT',
    path: '/communication/posts/manage/template/{templateId}',
    body: 'EditPostTemplateRequest',
    responses: { 200: 'PostTemplate', ...valueErrors, 409: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Edit a template for new posts',
    description: 'Replaces the whole content of the template. Posts created from it stay unchanged.',
    clientMethod: 'replaceTemplate',
    formerMethod: 'editTemplate',
    command: {
      examples: ['5 --name Travel --title "Journey to …" --occ-token 1', '5 --name Trip --occ-token 1 --dry-run'],
    },
  },
  deletePostTemplate: {
    method: 'DELETE',
    path: '/communication/posts/manage/template/{templateId}',
    responses: { 200: 'DeletePostTemplateResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Delete a template for new posts',
    description: 'Posts created from it stay unchanged.',
    clientMethod: 'deleteTemplate',
    command: { confirms: true, examples: ['5', '5 --yes --dry-run'] },
  },
  createPostFromTemplate: {
    method: 'POST',
    path: '/communication/posts/manage/create-from-template/{templateId}',
    body: 'CreateCustomPostRequest',
    responses: { 200: 'CreatePostResponse', ...valueErrors },
    permission: 'createPost',
    extension: true,
    summary: 'Create a post from a template',
    description:
      'Works like `createCustomPost` in the community of the template. Fields that the body ' +
      'omits come from the template; for `customData` this applies to each value.',
    clientMethod: 'createFromTemplate',
    command: {
      plainText: ['description', 'descriptionFormat'],
      defaults: { announcement: false },
      examples: ['5 --title "Journey to Rome"', '5 --title "Journey to Rome" --dry-run'],
    },
  },
});
