/** Parses YAML in a separate thread. */
import { parentPort } from 'node:worker_threads';
import { parseTree, type YamlTree } from './yaml-tree.ts';

/** Text to parse. @property mostFaults maximum of returned faults */
export interface YamlJob {
  readonly text: string;
  readonly mostFaults: number;
}

// A text may have a fault at nearly each character, and a stack trace costs more than the fault.
Error.stackTraceLimit = 0;

parentPort?.on('message', ({ text, mostFaults }: YamlJob) => {
  let tree: YamlTree;
  try {
    tree = parseTree(text, mostFaults);
  } catch (error) {
    tree = { faults: [{ line: 1, message: `it cannot be read as YAML: ${(error as Error).message}` }] };
  }
  parentPort?.postMessage(tree);
});
