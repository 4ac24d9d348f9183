/** Files of communities that commands read: YAML, or a plan that `plan --out` wrote. */
import type { CommunityFile, PlanCommunityResponse } from '@portico/contract';
import { exitCodes, UsageError } from '../errors.ts';
import { readNamedFile } from '../text-files.ts';

/** The file that `plan --out` writes and `apply` carries out: the community file and its plan. */
interface PlanFile extends PlanCommunityResponse {
  file: CommunityFile;
}

/** A file as it was read, with the places of its parts. */
interface CommunitySource {
  readonly name: string;
  readonly content: PlanFile;
  /** Returns `line:column` of a part, or of the nearest part around it. */
  placeOf(path: readonly (string | number)[]): string;
}

/**
 * Reads a file of a community, or standard input where the path is `-`.
 * @throws UsageError
 */
export async function readCommunitySource(path: string): Promise<CommunitySource> {
  const text = readNamedFile(path);
  const name = path === '-' ? 'standard input' : path;
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  let content: unknown;
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, { merge: true, lineCounter: lines });
    const [error] = document.errors;
    if (error) throw error;
    content = document.toJS();
  } catch (error) {
    // The parser's stack overflowed.
    if ((error as { code?: string }).code === 'RESOURCE_EXHAUSTION')
      throw new UsageError(`${name} is nested deeper than the 64 levels that a file of a community may have.`);
    throw new UsageError(`${name} is not YAML: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`${name} does not define a community.`);
  const planned = 'planToken' in content;
  return {
    name,
    content: planned ? (content as PlanFile) : { file: content as CommunityFile },
    placeOf: (parts) => {
      for (let length = parts.length; length > 0; length--) {
        const inFile = planned ? ['file', ...parts.slice(0, length)] : parts.slice(0, length);
        const node = document.getIn(inFile, true) as { range?: readonly [number, number, number] | null } | undefined;
        if (!node?.range) continue;
        const { line, col } = lines.linePos(node.range[0]);
        return `${line}:${col}`;
      }
      return '1:1';
    },
  };
}

/** Runs a request about a file, and adds line and column to the errors that it names. */
export async function locating<T>({ name, placeOf }: CommunitySource, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { errors } = error as { errors?: { field?: string }[] };
    for (const fault of errors ?? []) {
      const path = /^file\.(.*)$/.exec(fault.field ?? '')?.[1];
      if (path === undefined) continue;
      const parts = [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, member, index]) => member ?? Number(index));
      fault.field = `${name}:${placeOf(parts)} ${path}`;
    }
    throw error;
  }
}

/** Exit code of `plan --exit-code` where a file changes something. */
export const CHANGES = 20;

/** @param changes of all planned files */
export function exitWithChanges(changes: number): void {
  process.exitCode = changes > 0 ? CHANGES : exitCodes.ok;
}
