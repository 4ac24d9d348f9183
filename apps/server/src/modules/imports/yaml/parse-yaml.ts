/**
 * Parses YAML of clients in a separate thread, with limits of time and memory, so that no text can
 * block other requests.
 */
import { JobFailed, JobThread } from '@portico/platform/threads/job-thread';
import type { YamlJob } from './yaml-thread-script.ts';
import type { YamlTree } from './yaml-tree.ts';

/** The largest valid mapping takes a tenth of a second. */
const thread = new JobThread<YamlJob, YamlTree>(new URL('./yaml-thread-script.ts', import.meta.url), {
  mostMs: 15_000,
  memoryMb: 256,
});

/**
 * Never fails: returns errors of the text as faults.
 * @param mostFaults maximum of returned faults
 */
export async function parseYaml(text: string, mostFaults: number): Promise<YamlTree> {
  try {
    return await thread.run({ text, mostFaults });
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    return { faults: [{ line: 1, message: `it cannot be read as YAML: ${error.message}` }] };
  }
}
