/** The operation that previews definitions. */
import type { Handlers } from '../../../kernel/operations.ts';
import { previewCommunity } from './preview-community.ts';

export const communityPreviewHandlers = {
  previewCommunity: ({ scope, body }) => previewCommunity(scope, body),
} satisfies Handlers;
