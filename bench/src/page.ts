/**
 * Smoothness of scrolling in the list of a community in a browser: scrolling to the end loads
 * 10,000 posts; after a first pass down and up, the times between frames are measured in a second
 * pass. They are this machine's, and a browser without a graphics card renders on the processor.
 */
import { preparePageBench } from '@portico/server/testing';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../scripts/browser.ts';
import { withServer } from './measured-server.ts';

/** Created posts: a fifteenth are drafts, deleted or invisible to the caller. */
const POSTS = 10_800;
/** Longest frame that is not noticed. Milliseconds. */
const LONGEST_MS = 50;
/** Pixels of scrolling from one frame to the next. */
const STEP = 240;

/**
 * A page of the same height without a row: its frames show the delays of this machine for any page.
 */
const EMPTY = `document.body.innerHTML = '<div class="rows" style="block-size: 800px; overflow: auto"><div style="block-size: 360000px"></div></div>'`;

/** Scrolls to the end and back. @returns milliseconds between frames */
const SCROLL = `(async () => {
  const rows = document.querySelector('.rows');
  const frames = [];
  let last = performance.now();
  for (const by of [${STEP}, -${STEP}]) {
    for (let step = 0; step < 400; step++) {
      rows.scrollTop += by;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
  }
  return frames;
})()`;

const TO_END = `(() => {
  const rows = document.querySelector('.rows');
  rows.scrollTop = rows.scrollHeight;
  return document.querySelector('.table-foot')?.textContent ?? '';
})()`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the event. Microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Processor time of the page's thread during scrolling; it does not run while the machine does
 * other work. A frame of the page is a few tasks, one of which draws.
 */
async function workOf(browser: Browser, page: Page): Promise<string> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  const frames = (await page.evaluate<number[]>(SCROLL)).length;
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  const sum = tasks.reduce((total, ms) => total + ms, 0);
  return `processor time: ${(sum / frames).toFixed(1)} ms a frame; longest task ${Math.max(...tasks).toFixed(1)} ms`;
}

function inWords(measured: readonly number[]): string {
  const frames = measured.toSorted((a, b) => a - b);
  const at = (part: number) => frames[Math.min(frames.length - 1, Math.floor(frames.length * part))]!.toFixed(1);
  const long = frames.filter((ms) => ms > LONGEST_MS).length;
  return `${frames.length} frames: p50 ${at(0.5)}  p99 ${at(0.99)}  longest ${at(1)} ms; over ${LONGEST_MS} ms: ${long}`;
}

export async function measurePage(): Promise<void> {
  const browser = await startBrowser();
  try {
    await withServer(
      (env) => preparePageBench(env, POSTS),
      async ({ communityId, authorization }, { port }) => {
        const context = await browser.browser.newContext({
          locale: 'en-GB',
          viewport: { width: 1280, height: 800 },
          extraHTTPHeaders: { authorization },
        });
        const page = await context.newPage();
        const began = performance.now();
        await page.goto(`http://127.0.0.1:${port}/portal/community/${communityId}`);
        await page.locator('.rows a').first().waitFor();
        const shown = performance.now() - began;
        const loading = performance.now();
        let before = '';
        for (let same = 0; same < 20; ) {
          const foot = await page.evaluate<string>(TO_END);
          same = foot === before ? same + 1 : 0;
          before = foot;
          await page.waitForTimeout(100);
        }
        const loaded = performance.now() - loading;
        await page.evaluate("document.querySelector('.rows').scrollTop = 0");
        await page.evaluate(SCROLL);
        const frames = inWords(await page.evaluate<number[]>(SCROLL));
        const work = await workOf(browser.browser, page);
        await page.goto('about:blank');
        await page.evaluate(EMPTY);
        const empty = inWords(await page.evaluate<number[]>(SCROLL));
        process.stdout.write(
          `page: first rows after ${shown.toFixed(0)} ms; ${before}, in ${(loaded / 1000).toFixed(1)} s; ${frames}; ${work}\nempty page: ${empty}\n`,
        );
      },
    );
  } finally {
    await browser.close();
  }
}
