/** Operations of files (behaviour §§7.9, 11). */
import type { DirectAccess } from '../../platform/files/index.ts';
import type { Handlers } from '../../platform/operations.ts';
import { beginUpload } from './begin-upload.ts';

/** @param options `maxUploadBytes`: the largest upload that is taken; `direct`: where clients send files themselves */
export function fileHandlers(options: { maxUploadBytes: number; direct?: DirectAccess | undefined }): Handlers {
  return {
    uploadNewFile: ({ scope }) => beginUpload(scope, options.maxUploadBytes, options.direct),
  };
}
