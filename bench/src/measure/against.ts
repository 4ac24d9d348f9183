/**
 * `--against DIR`: each operation of this checkout beside the same operation of another one, by turns on the same data. Rates
 * depend on what else the machine does; the CPU time of a request does so much less.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../measured-server.ts';
import type { LoadOrder, SideFigures, SideReady } from './against-side.ts';
import { CONNECTIONS_OF } from './operations.ts';

const THIS_CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
/** The program of a side, in either checkout. */
const SIDE = 'bench/src/measure/against-side.ts';
const CONNECTIONS = 8;
/** How much more of a request's time or CPU time is reported as slower. */
const SLOWER = 1.1;

interface AgainstOptions {
  /** Directory of the other checkout, with its packages installed. */
  readonly against: string;
  readonly posts: number;
  readonly only: RegExp | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly log: (line: string) => void;
}

async function answerOf<T>(side: ChildProcess): Promise<T> {
  const settled = new AbortController();
  const listen = { signal: settled.signal };
  const ended = once(side, 'exit', listen).then(() => {
    throw new Error('One side ended before it answered.');
  });
  try {
    const [answer] = (await Promise.race([once(side, 'message', listen), ended])) as [T];
    return answer;
  } finally {
    settled.abort();
  }
}

/** Compares all operations. @returns the exit code: 1 when one takes more than a tenth longer, in time and in CPU time */
export async function compareCheckouts(options: AgainstOptions): Promise<number> {
  const { posts, only, rounds, log } = options;
  const sides = [resolve(options.against), THIS_CHECKOUT].map((checkout) =>
    fork(join(checkout, SIDE), [String(posts)]),
  );
  const [before, after] = sides as [ChildProcess, ChildProcess];
  try {
    const [operations] = await Promise.all(sides.map((side) => answerOf<SideReady>(side)));
    const slower: string[] = [];
    for (const { name, depth } of operations!) {
      if (only && !only.test(name)) continue;
      const connections = Math.min(CONNECTIONS, Math.max(...CONNECTIONS_OF[depth]));
      const figures = new Map<ChildProcess, SideFigures[]>(sides.map((side) => [side, []]));
      for (let round = 0; round <= rounds; round++) {
        for (const side of round % 2 === 0 ? [before, after] : [after, before]) {
          side.send({ name, connections, seconds: options.seconds } satisfies LoadOrder);
          const answer = await answerOf<SideFigures>(side);
          if (answer.failed > 0) throw new Error(`${name}: ${answer.failed} requests failed: ${answer.firstRefusal}`);
          // The round before the first one warms up.
          if (round > 0) figures.get(side)!.push(answer);
        }
      }
      const ratio = (of: (figures: SideFigures) => number) =>
        median(figures.get(after)!.map(of)) / median(figures.get(before)!.map(of));
      const time = ratio(({ perSecond }) => 1 / perSecond);
      const cpu = ratio((one) => one.cpu);
      const isSlower = time > SLOWER && cpu > SLOWER;
      if (isSlower) slower.push(name);
      log(`${name.padEnd(24)} time ${time.toFixed(2)} ×  CPU time ${cpu.toFixed(2)} ×${isSlower ? '  SLOWER' : ''}`);
    }
    log(slower.length === 0 ? 'no operation is slower by a tenth' : `slower: ${slower.join(', ')}`);
    return slower.length === 0 ? 0 : 1;
  } finally {
    await Promise.all(
      sides.map(async (side) => {
        if (side.exitCode !== null || !side.connected) return;
        const gone = once(side, 'exit');
        side.send({ connections: 0, seconds: 0 } satisfies LoadOrder);
        await gone;
      }),
    );
  }
}
