/** Operations of files. */

import type { DirectAccess, FileStorage } from '@portico/platform/files';
import type { Handlers } from '../../../kernel/operations.ts';
import { beginUpload } from './begin-upload.ts';
import type { PendingLimits } from './pending-uploads.ts';

/**
 * @param options `maxUploadBytes`: maximum size of an upload; `storage`: may report that it is
 * full; `direct`: storage to which clients send files directly; `pending`: limits of a user's
 * unattached uploads
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
