/** Operations of files (behaviour §§7.9, 11). */
import type { Handlers } from '../../platform/operations.ts';
import { beginUpload } from './begin-upload.ts';

/** @param options `maxUploadBytes`: the largest upload that is taken */
export function fileHandlers(options: { maxUploadBytes: number }): Handlers {
  return {
    uploadNewFile: ({ scope }) => beginUpload(scope, options.maxUploadBytes),
  };
}
