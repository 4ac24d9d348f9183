/** Decodes pictures and documents of users and makes previews of them, in a process of its own. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { answerJobs } from '../isolation/isolated-child.ts';
import { drawFirstPage } from './pdf-page.ts';
import { PDF_MIME_TYPE } from './preview-kinds.ts';
import type { RenderAnswer, RenderJob } from './renderer.ts';

sharp.cache(false);
sharp.concurrency(1);

answerJobs<RenderJob, RenderAnswer>(async (job) => {
  const options = { limitInputPixels: job.limits.pixels, failOn: 'error', sequentialRead: true } as const;
  const input = job.mimeType === PDF_MIME_TYPE ? await drawnPage(job) : job.input;
  const { pages = 1 } = await sharp(input, options).metadata();
  const answer: RenderAnswer = { made: [] };
  for (const { bit, pixels, moving, output } of job.pictures) {
    if (moving && pages < 2) continue;
    try {
      // Only moving pictures need their other frames decoded.
      await sharp(input, { ...options, pages: moving ? Math.min(pages, job.limits.frames) : 1 })
        .timeout({ seconds: job.limits.seconds })
        .autoOrient()
        .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80, effort: moving ? 1 : 4 })
        .toFile(output);
      answer.made.push(bit);
    } catch (error) {
      answer.error ??= error instanceof Error ? error.message : String(error);
    }
  }
  return answer;
});

/** The first page, as large as the largest picture of it. */
async function drawnPage({ input, pictures }: RenderJob): Promise<Buffer> {
  const sides = pictures.filter((picture) => !picture.moving).map((picture) => picture.pixels);
  return drawFirstPage(await readFile(input), Math.max(...sides));
}
