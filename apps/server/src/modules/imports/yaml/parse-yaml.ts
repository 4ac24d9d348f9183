/**
 * Parses YAML of clients in a separate thread, with limits of time and memory, so that no text can
 * block other requests.
 */
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { YamlJob } from './yaml-thread-script.ts';
import type { YamlTree } from './yaml-tree.ts';

/** Time limit per text. Milliseconds; the largest valid mapping takes a tenth of a second. */
const MOST_MS = 5_000;
const MEMORY_MB = 256;
/** Time after which an idle thread is ended. Milliseconds. */
const IDLE_MS = 10_000;

const inTurn = pLimit(1);
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
/** Ends the job that runs. */
let fail: ((reason: string) => void) | undefined;

/**
 * Never fails: returns errors of the text as faults.
 * @param mostFaults maximum of returned faults
 */
export function parseYaml(text: string, mostFaults: number): Promise<YamlTree> {
  return inTurn(() => run({ text, mostFaults }));
}

async function run(job: YamlJob): Promise<YamlTree> {
  clearTimeout(idle);
  thread ??= start();
  const worker = thread;
  const { promise, resolve } = Promise.withResolvers<YamlTree>();
  fail = (reason) => {
    end(worker);
    resolve({ faults: [{ line: 1, message: `it cannot be read as YAML: ${reason}` }] });
  };
  worker.once('message', resolve);
  const timer = setTimeout(() => fail?.(`it takes longer than ${MOST_MS} ms`), MOST_MS);
  worker.ref();
  worker.postMessage(job);
  const tree = await promise;
  clearTimeout(timer);
  fail = undefined;
  worker.off('message', resolve);
  // An idle thread must not keep the process from ending.
  worker.unref();
  idle = setTimeout(() => end(worker), IDLE_MS).unref();
  return tree;
}

function start(): Worker {
  const worker = new Worker(new URL('./yaml-thread-script.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // The thread gets no secrets of the server.
    env: {},
  });
  const onEnd = (reason: string) => {
    if (thread !== worker) return;
    end(worker);
    fail?.(reason);
  };
  worker.on('error', (error: Error) =>
    onEnd('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it takes too much memory' : error.message),
  );
  worker.on('exit', () => onEnd('its reader ended'));
  return worker;
}

function end(worker: Worker): void {
  if (thread === worker) thread = undefined;
  void worker.terminate();
}
