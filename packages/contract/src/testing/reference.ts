/** The description of the interface that the project was given, where it lies beside the project; for tests only. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A field as `interface.json` describes it. */
export interface ReferenceField {
  readonly type?: string;
  readonly format?: string;
  readonly items?: { readonly type?: string; readonly format?: string; readonly ref?: string };
  readonly ref?: string;
  readonly additionalProperties?: { readonly type?: string; readonly ref?: string };
  readonly note?: string;
}

/** An operation as `interface.json` describes it. */
interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly path_params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly responses: Readonly<Record<string, string | null>>;
  readonly note?: string;
  readonly deprecated?: boolean;
}

/** `interface.json`. */
export interface Reference {
  readonly operations: readonly ReferenceOperation[];
  readonly types: Readonly<Record<string, { readonly fields: Readonly<Record<string, ReferenceField>> }>>;
}

const path = fileURLToPath(new URL('../../../../../shared/contract/interface.json', import.meta.url));

/** The reference, or null where it is not there. */
export function readReference(): Reference | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Reference) : null;
}
