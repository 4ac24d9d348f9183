/**
 * Opening PDF documents of users with PDF.js. Only for processes made by isolation/isolated-process.ts: a document may take any time
 * and memory. PDF.js is given the bytes and its own fonts and tables from the disk; it has nothing to fetch.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { ENCRYPTED } from './texts/encrypted.ts';

/** Largest picture within a document that is decoded. Pixels. */
const MAX_IMAGE_PIXELS = 50_000_000;

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
/** PDF.js wants directories with a slash at their end. */
const directory = (name: string) => `${join(home, name)}${sep}`;

/**
 * Opens a document, works on it, and closes it.
 * @throws Error when it is encrypted with a password that is not empty, or cannot be read; the message says why
 */
export async function withPdf<T>(data: Buffer, work: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  // The build for older browsers is the one for Node.js. Loaded late: most processes never see a PDF.
  const { getDocument, PasswordException, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    // A copy: PDF.js detaches the buffer that it is given.
    data: Uint8Array.from(data),
    standardFontDataUrl: directory('standard_fonts'),
    cMapUrl: directory('cmaps'),
    cMapPacked: true,
    wasmUrl: directory('wasm'),
    iccUrl: directory('iccs'),
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await work(await task.promise);
  } catch (error) {
    if (error instanceof PasswordException) throw new Error(ENCRYPTED, { cause: error });
    throw error;
  } finally {
    await task.destroy();
  }
}
