/** Regular expressions that people write. RE2 matches any expression in linear time. */
import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS | null>();
const MAX_COMPILED = 1_000;

function compile(source: string): RE2JS | null {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    try {
      pattern = RE2JS.compile(source);
    } catch (error) {
      if (!(error instanceof Error) || !error.name.startsWith('RE2JS')) throw error;
      pattern = null;
    }
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, pattern);
  }
  return pattern;
}

/** Whether a text is a regular expression in RE2's syntax. */
export const isPattern = (source: string): boolean => compile(source) !== null;

/** Whether the whole of a text matches. @returns undefined where `source` is no regular expression */
export function matchesPattern(source: string, text: string): boolean | undefined {
  return compile(source)?.matches(text);
}
