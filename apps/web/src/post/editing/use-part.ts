import { useRef, useState } from 'react';
import { queryClient } from '../../portal.ts';
import { faultOf } from '../../write/faults.ts';
import { useAllTexts } from '../../write/texts.ts';
import { beginEdit, type EditBase, type Part, type Post, savePart } from './save-part.ts';

interface Conflict<T> {
  readonly theirs: EditBase<T>;
  readonly by: string;
}

/** State of editing one part of a post in place, from its beginning to saving, cancelling or a conflict. */
export function usePart<T>(post: Post, part: Part<T>) {
  const texts = useAllTexts();
  const [mode, setMode] = useState<'view' | 'edit' | 'saving' | 'conflict'>('view');
  const [begun, setBegun] = useState<EditBase<T>>();
  const [value, setValue] = useState<T>();
  const [fault, setFault] = useState<string>();
  const [conflict, setConflict] = useState<Conflict<T>>();
  // Leaving an input that a key has closed already does not save it a second time.
  const busy = useRef(false);
  const start = async () => {
    try {
      const found = await beginEdit(post, part);
      busy.current = false;
      setBegun(found);
      setValue(found.base);
      setFault(undefined);
      setMode('edit');
    } catch (error) {
      setFault(faultOf(error, texts, part.field && [part.field]));
    }
  };
  const save = async (mine: T, from: EditBase<T>) => {
    busy.current = true;
    setMode('saving');
    try {
      const outcome = await savePart(post, part, from, mine);
      setConflict(outcome.kind === 'saved' ? undefined : outcome);
      setMode(outcome.kind === 'saved' ? 'view' : 'conflict');
    } catch (error) {
      setFault(faultOf(error, texts, part.field && [part.field]));
      busy.current = false;
      setMode('edit');
    }
  };
  const close = () => {
    busy.current = true;
    setMode('view');
    setFault(undefined);
  };
  return {
    mode,
    value,
    base: begun?.base,
    fault,
    conflict,
    setValue,
    start,
    close,
    /** Ends the editing and writes what changed. @param chosen the value, where it was chosen just now */
    finish: (chosen: T | undefined = value) => {
      if (busy.current || begun === undefined) return;
      if (part.same(chosen as T, begun.base)) close();
      else {
        setValue(chosen);
        void save(chosen as T, begun);
      }
    },
    keepMine: () => {
      if (conflict) void save(value as T, conflict.theirs);
    },
    takeTheirs: () => {
      setConflict(undefined);
      close();
      void queryClient.invalidateQueries({ queryKey: ['post', post.id] });
    },
  };
}

export type PartState<T> = ReturnType<typeof usePart<T>>;
