/** Decodes pictures of users and makes previews of them, in a process of its own. */
import sharp from 'sharp';
import { answerJobs } from '../isolated-child.ts';
import type { RenderAnswer, RenderJob } from './renderer.ts';

sharp.cache(false);
sharp.concurrency(1);

answerJobs<RenderJob, RenderAnswer>(async (job) => {
  const options = { limitInputPixels: job.limits.pixels, failOn: 'error', sequentialRead: true } as const;
  const { pages = 1 } = await sharp(job.input, options).metadata();
  const answer: RenderAnswer = { made: [] };
  for (const { bit, pixels, moving, output } of job.pictures) {
    if (moving && pages < 2) continue;
    try {
      // Only moving pictures need their other frames decoded.
      await sharp(job.input, { ...options, pages: moving ? Math.min(pages, job.limits.frames) : 1 })
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
