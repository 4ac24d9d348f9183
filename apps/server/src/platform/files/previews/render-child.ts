/**
 * The process that decodes pictures of users, apart from the server: what a decoder does with a hostile file happens to
 * this process alone. It takes one job at a time from its parent and ends itself when it takes too much memory.
 */
import sharp from 'sharp';
import type { RenderAnswer, RenderJob } from './renderer.ts';

const limits = JSON.parse(process.env['PORTICO_RENDER_LIMITS'] ?? '{}') as {
  pixels: number;
  frames: number;
  seconds: number;
  memoryBytes: number;
};

sharp.cache(false);
sharp.concurrency(1);

// Decoding runs on other threads, so this one is free to watch.
setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryBytes) process.exit(9);
}, 50).unref();

process.on('disconnect', () => process.exit(0));
process.on('message', (job: RenderJob) => {
  void render(job).then(
    (answer) => process.send?.(answer),
    (error: unknown) =>
      process.send?.({
        made: [],
        error: error instanceof Error ? error.message : String(error),
      } satisfies RenderAnswer),
  );
});

async function render(job: RenderJob): Promise<RenderAnswer> {
  const options = { limitInputPixels: limits.pixels, failOn: 'error', sequentialRead: true } as const;
  const { pages = 1 } = await sharp(job.input, options).metadata();
  const made: RenderAnswer['made'] = [];
  let error: string | undefined;
  for (const { bit, pixels, moving, output } of job.pictures) {
    if (moving && pages < 2) continue;
    try {
      // Only moving pictures need their other frames decoded.
      const source = sharp(job.input, { ...options, pages: moving ? Math.min(pages, limits.frames) : 1 });
      await source
        .timeout({ seconds: limits.seconds })
        .autoOrient()
        .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80, effort: moving ? 1 : 4 })
        .toFile(output);
      made.push(bit);
    } catch (failure) {
      error ??= failure instanceof Error ? failure.message : String(failure);
    }
  }
  return { made, ...(error !== undefined && { error }) };
}
