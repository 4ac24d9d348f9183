/** Background job that creates preview pictures. */
import { createReadStream } from 'node:fs';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import {
  type FileStorage,
  PDF_MIME_TYPE,
  PREVIEW_MIME_TYPE,
  PREVIEWED_MIME_TYPES,
  previewShapes,
  type Renderer,
} from '@portico/platform/files';
import type { Log } from '../../../kernel/scope.ts';
import { claimFiles, type MadePreview, savePreviews, type WaitingFile } from './files.repository.ts';
import { withJobCopy } from './local-copy.ts';

/**
 * Maximum input size of a preview; the limit of documents, which are read completely, is lower.
 * Bytes.
 */
const MAX_INPUT_BYTES = 256 * 1024 ** 2;
const MAX_DOCUMENT_BYTES = 64 * 1024 ** 2;
/** Maximum size of a preview. Bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/** Dependencies of the job. */
interface PreviewWork {
  readonly db: TenantDb;
  readonly storage: FileStorage;
  readonly renderer: Renderer;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates the previews of the tenant's next files that have none. When no preview can be created,
 * stores the reason (file_contents.previews_error), logs it, and does not try again.
 * @returns the number of processed files; call again at once while it is not 0
 */
export async function makePreviews(work: PreviewWork): Promise<number> {
  const files = await claimFiles(work.db, 'previews', work.now);
  for (const file of files) {
    const { made, error } = await previewsOf(work, file);
    if (error !== null) {
      work.log.warn(
        { contentRef: file.contentRef, mimeType: file.mimeType, reason: error },
        'previews of a file could not be made',
      );
    }
    await savePreviews(work.db, file.contentRef, made, error);
  }
  return files.length;
}

interface Outcome {
  made: MadePreview[];
  error: string | null;
}

async function previewsOf(work: PreviewWork, file: WaitingFile): Promise<Outcome> {
  if (!PREVIEWED_MIME_TYPES.includes(file.mimeType)) return { made: [], error: null };
  const maxBytes = file.mimeType === PDF_MIME_TYPE ? MAX_DOCUMENT_BYTES : MAX_INPUT_BYTES;
  if (file.size > maxBytes) return { made: [], error: `the file is larger than ${maxBytes} bytes` };
  const outcome = await withJobCopy(work.storage, file.storageKey, await work.renderer.newFiles(), async (files) => {
    const pictures = previewShapes.map((shape) => ({ ...shape, output: files.output(`${shape.bit}`) }));
    const answer = await work.renderer.render(files.input, file.mimeType, pictures);
    const made: MadePreview[] = [];
    for (const { bit } of pictures) {
      const path = answer.made.includes(bit) ? await files.take(`${bit}`) : undefined;
      if (path !== undefined) made.push(await keep(work, bit, path));
    }
    // A still picture without its moving form, or a small preview without the large one, counts as
    // a success.
    return { made, error: made.length > 0 ? null : (answer.error ?? null) };
  });
  return 'lost' in outcome ? { made: [], error: outcome.lost } : outcome;
}

async function keep(work: PreviewWork, bit: MadePreview['bit'], path: string): Promise<MadePreview> {
  const received = await work.storage.receive(work.db.tenantId, createReadStream(path), { maxBytes: MAX_OUTPUT_BYTES });
  await received.publish();
  const { storageKey, size, sha256 } = received;
  return { bit, storageKey, size, sha256, mimeType: PREVIEW_MIME_TYPE };
}
