/**
 * Members of responses that are always sent, except with `fields`, `loadPostDetails=false` and dry
 * runs. The client library types them as required. Tests check every response against the list; no
 * document for other clients shows it.
 */
import table from './always-sent.json' with { type: 'json' };
import type { DeclaredName } from './declarations.ts';

const names: Readonly<Record<string, string>> = table;

/** Returns the members of a type that every response of the type has. */
export function alwaysSent(name: DeclaredName): ReadonlySet<string> {
  return new Set(names[name]?.split(' '));
}
