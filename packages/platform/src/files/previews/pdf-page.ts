/** Pictures of PDF documents. */
import type { Canvas } from '@napi-rs/canvas';
import type { PDFPageProxy } from 'pdfjs-dist';
import { withPdf } from '../pdf.ts';

type RenderTarget = Parameters<PDFPageProxy['render']>[0]['canvas'];

/** Pages are drawn no smaller than this in either direction, however narrow they are. Pixels. */
const MIN_SIDE = 1;

/**
 * Draws the first page on white. Notes and forms are drawn as they would be printed.
 * @param side largest width and height. Pixels; also bounds the memory, regardless of the size that the page states
 * @returns a PNG
 * @throws Error when the document or the page cannot be read
 */
export async function drawFirstPage(data: Buffer, side: number): Promise<Buffer> {
  return withPdf(data, async (document) => {
    const page = await document.getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    if (!(width > 0 && height > 0)) throw new Error('the first page has no size');
    const viewport = page.getViewport({ scale: side / Math.max(width, height) });
    const factory = document.canvasFactory as { create(width: number, height: number): { canvas: Canvas } };
    const { canvas } = factory.create(
      Math.max(MIN_SIDE, Math.min(side, Math.ceil(viewport.width))),
      Math.max(MIN_SIDE, Math.min(side, Math.ceil(viewport.height))),
    );
    await page.render({ canvas: canvas as unknown as RenderTarget, viewport, background: 'white' }).promise;
    return canvas.encode('png');
  });
}
