/** Merges forms that two people changed, field by field. Pure. */
import type { ReactNode } from 'react';
import type { OpenField } from './conflict-panel.tsx';
import { type MergeKind, mergeValues } from './merge-values.ts';

/** A field of a form: how it is read, written, merged and shown. */
export interface FormPart<T> {
  readonly key: string;
  readonly name: string;
  readonly kind: MergeKind;
  read(form: T): unknown;
  write(form: T, value: unknown): T;
  show(value: unknown): ReactNode;
}

export interface MergedForm<T> {
  /** The form with the changes of both; the own ones where a person must choose. */
  readonly form: T;
  readonly open: readonly OpenField[];
  /** Whether the other person changed anything that the form shows. */
  readonly changed: boolean;
}

/** Merges two changes of a form. */
export function mergeFields<T>(
  parts: readonly FormPart<T>[],
  { base, mine, theirs }: { base: T; mine: T; theirs: T },
): MergedForm<T> {
  const open: OpenField[] = [];
  let form = mine;
  let changed = false;
  for (const { key, name, kind, read, write, show } of parts) {
    const sides = { base: read(base), mine: read(mine), theirs: read(theirs) };
    const merged = mergeValues<unknown>(kind, sides);
    form = write(form, merged.value);
    if (!merged.settled) open.push({ key, name, merged, show });
    if (JSON.stringify(sides.base) !== JSON.stringify(sides.theirs)) changed = true;
  }
  return { form, open, changed };
}
