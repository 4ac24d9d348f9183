/** The operations of templates for new posts. */
import type { Handlers } from '../../../kernel/operations.ts';
import { made as presentMadePost } from '../writing/writing.routes.ts';
import { listPostTemplates } from './read-templates.ts';
import { createPostFromTemplate, createPostTemplate, deletePostTemplate, editPostTemplate } from './write-templates.ts';

export const postTemplateHandlers = {
  listPostTemplates: ({ scope, params }) => listPostTemplates(scope, params.communityId),
  createPostTemplate: ({ scope, params, body }) => createPostTemplate(scope, params.communityId, body ?? {}),
  editPostTemplate: ({ scope, params, body }) => editPostTemplate(scope, params.templateId, body ?? {}),
  deletePostTemplate: async ({ scope, params }) => ({
    communityId: await deletePostTemplate(scope, params.templateId),
  }),
  createPostFromTemplate: ({ scope, params, body }) =>
    createPostFromTemplate(scope, params.templateId, body ?? {}, presentMadePost),
} satisfies Handlers;
