import { ConflictError } from '@portico/sdk';
import { type ReactElement, useRef, useState } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import type { FormPart, MergedForm } from './merge/merge-fields.ts';
import { showNotice } from './notices.ts';
import { useWriteTexts } from './texts.ts';

const ConflictPanel = part(() => import('./merge/index.ts'), 'ConflictPanel');

/** A form as somebody saved it. */
export interface FormVersion<T> {
  readonly form: T;
  readonly token: number;
  /** The person who saved it; an empty name if nobody is known. */
  readonly by: string;
}

/** How often saving is tried again when others save at the same time. */
const MOST_ATTEMPTS = 5;

/**
 * Saves a form that others may have changed meanwhile: fields that one side changed are merged, the
 * others are shown to choose from.
 * @param name of what is edited
 * @param read reads the newest version
 * @param change shows a merged form in its inputs
 * @param send saves the form again, once the person has chosen
 */
export function useMergedForm<T, V extends FormVersion<T> = FormVersion<T>>({
  name,
  parts,
  read,
  write,
  change,
  send,
}: {
  name: string;
  parts: readonly FormPart<T>[];
  read: () => Promise<V>;
  write: (form: T, version: V) => Promise<unknown>;
  change: (form: T) => void;
  send: (form: T) => void;
}) {
  const texts = useWriteTexts();
  const [conflict, setConflict] = useState<{ merged: MergedForm<T>; by: string }>();
  /** The newest version that the form contains. */
  const known = useRef<{ begun: number; version: V }>(undefined);
  /**
   * @param begun the version from which the form was written
   * @returns whether it is saved; false where a person must choose
   * @throws whatever the client library throws, but for conflicts
   */
  const save = async (mine: T, begun: V): Promise<boolean> => {
    if (known.current?.begun !== begun.token) known.current = { begun: begun.token, version: begun };
    let { version } = known.current;
    let form = mine;
    let both = false;
    for (let attempt = 1; ; attempt++) {
      try {
        await write(form, version);
        if (both) showNotice(texts.bothSaved(name));
        return true;
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === MOST_ATTEMPTS) throw error;
        const [theirs, { mergeFields }] = await Promise.all([read(), import('./merge/index.ts')]);
        const merged = mergeFields(parts, { base: version.form, mine: form, theirs: theirs.form });
        version = theirs;
        known.current = { begun: begun.token, version };
        form = merged.form;
        both ||= merged.changed;
        change(form);
        if (merged.open.length > 0) {
          setConflict({ merged, by: theirs.by });
          return false;
        }
      }
    }
  };
  const choose = (values: Readonly<Record<string, unknown>>): T => {
    let form = conflict!.merged.form;
    for (const { key, write: put } of parts) if (key in values) form = put(form, values[key]);
    change(form);
    setConflict(undefined);
    return form;
  };
  const panel: ReactElement | undefined = conflict && (
    <Panel>
      <ConflictPanel
        name={name}
        by={conflict.by}
        fields={conflict.merged.open}
        rest={parts.length > 1}
        save={(values) => send(choose(values))}
        edit={choose}
      />
    </Panel>
  );
  return { save, panel };
}
