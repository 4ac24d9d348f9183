/** Operations of files. */

import type { Handlers } from '../../kernel/operations.ts';
import type { DirectAccess, FileStorage } from '../../platform/files/index.ts';
import { beginUpload } from './begin-upload.ts';
import type { PendingLimits } from './pending-uploads.ts';

/**
 * @param options `maxUploadBytes`: the largest upload that is taken; `storage`: what may have no room; `direct`: where clients
 *   send files themselves; `pending`: what a user may have in flight
 */
export function fileHandlers(options: {
  maxUploadBytes: number;
  storage: FileStorage;
  direct?: DirectAccess | undefined;
  pending: PendingLimits;
}) {
  return {
    uploadNewFile: async ({ scope }) => {
      await options.storage.requireRoom?.(0);
      return beginUpload(scope, options.maxUploadBytes, options.direct, options.pending);
    },
  } satisfies Handlers;
}
