/** Parses YAML in a separate thread. */
import { serveJobs } from '@portico/platform/threads/thread-script';
import { parseTree, type YamlTree } from './yaml-tree.ts';

/** Text to parse. @property mostFaults maximum of returned faults */
export interface YamlJob {
  readonly text: string;
  readonly mostFaults: number;
}

serveJobs(({ text, mostFaults }: YamlJob): YamlTree => {
  try {
    return parseTree(text, mostFaults);
  } catch (error) {
    return { faults: [{ line: 1, message: `it cannot be read as YAML: ${(error as Error).message}` }] };
  }
});
