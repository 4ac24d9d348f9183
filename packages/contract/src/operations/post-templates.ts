import { definitionLimits } from '../limits.ts';
import { defineOperations, valueErrors } from './define.ts';
import { examples } from './examples.ts';

/** Templates for new posts. */
export const postTemplateOperations = defineOperations('posts', {
  listPostTemplates: {
    method: 'GET',
    path: '/communication/posts/data/templates/{communityId}',
    responses: { 200: 'ListPostTemplatesResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'List the templates of a community',
    description: 'What new posts can begin with. Values of fields that the caller does not see are left out.',
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
    description: `What a new post must have may be missing: it is demanded of the post. With ${definitionLimits.templates} templates it is a 409.`,
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
      examples: [
        '2 --name Travel --title "Journey to …"',
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
    description: 'Replaces all that it gives. Posts that were made from it stay as they are.',
    clientMethod: 'editTemplate',
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
    description: 'Posts that were made from it stay as they are.',
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
      'As `createCustomPost` in the community of the template; what the body leaves out comes from the template, of `customData` each value.',
    clientMethod: 'createFromTemplate',
    command: {
      plainText: ['description', 'descriptionFormat'],
      defaults: { announcement: false },
      examples: ['5 --title "Journey to Rome"', '5 --title "Journey to Rome" --dry-run'],
    },
  },
});
