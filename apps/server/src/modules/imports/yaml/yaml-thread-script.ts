/** Parses YAML in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { parseTree, type YamlTree } from './yaml-tree.ts';

/** A text to parse. @property mostFaults how many are told */
export interface YamlJob {
  readonly text: string;
  readonly mostFaults: number;
}

// A text may have a fault at nearly each character, and the trace of each costs more than the fault.
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
