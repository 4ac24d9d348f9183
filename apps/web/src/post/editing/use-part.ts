import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../../portal.ts';
import { faultOf } from '../../write/faults.ts';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts } from '../../write/texts.ts';
import { useBrowserDraft } from '../../write/use-browser-draft.ts';
import { beginEdit, type EditBase, type Part, type Post, savePart } from './save-part.ts';

interface Conflict<T> {
  readonly theirs: EditBase<T>;
  readonly by: string;
}

/** An edit that was not saved, as the browser keeps it. */
interface KeptEdit<T> {
  readonly begun: EditBase<T>;
  readonly value: T;
}

/**
 * State of editing one part of a post in place, from its beginning to saving, cancelling or a conflict. What is typed stays in
 * the browser until then: a page that is left or loaded again offers to go on with it.
 */
export function usePart<T>(post: Post, part: Part<T>) {
  const texts = useAllTexts();
  const [mode, setMode] = useState<'view' | 'edit' | 'saving' | 'conflict'>('view');
  const [begun, setBegun] = useState<EditBase<T>>();
  const [value, setValue] = useState<T>();
  const [fault, setFault] = useState<string>();
  const [conflict, setConflict] = useState<Conflict<T>>();
  const draft = useBrowserDraft<KeptEdit<T> | undefined>(`edit/${post.id}/${part.key}`, undefined);
  const forget = () => {
    draft.change(undefined);
    void draft.drop();
  };
  // Leaving an input that a key has closed already does not save it a second time.
  const busy = useRef(false);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  const edit = (from: EditBase<T>, of: T) => {
    busy.current = false;
    setBegun(from);
    setValue(of);
    setFault(undefined);
    setMode('edit');
  };
  const start = async () => {
    try {
      if (draft.value) return edit(draft.value.begun, draft.value.value);
      const found = await beginEdit(post, part);
      edit(found, found.base);
    } catch (error) {
      setFault(faultOf(error, texts));
    }
  };
  const type = (next: T) => {
    setValue(next);
    if (begun) draft.change({ begun, value: next });
  };
  const save = async (mine: T, from: EditBase<T>) => {
    busy.current = true;
    setMode('saving');
    draft.change({ begun: from, value: mine });
    draft.keepNow();
    try {
      const outcome = await savePart(post, part, from, mine);
      if (outcome.kind === 'saved') forget();
      setConflict(outcome.kind === 'saved' ? undefined : outcome);
      setMode(outcome.kind === 'saved' ? 'view' : 'conflict');
      if (gone.current && outcome.kind === 'conflict') showNotice(texts.conflictTitle(part.name));
    } catch (error) {
      const sentence = faultOf(error, texts, part.field && [part.field]);
      // Who has gone on to another page meanwhile is told there.
      if (gone.current) showNotice(texts.notSaved(part.name, sentence));
      setFault(sentence);
      busy.current = false;
      setMode('edit');
    }
  };
  const close = () => {
    busy.current = true;
    setMode('view');
    setFault(undefined);
    forget();
  };
  return {
    mode,
    value,
    base: begun?.base,
    fault,
    conflict,
    /** Whether something is kept that was written before and not saved. */
    kept: mode === 'view' && draft.value !== undefined,
    setValue: type,
    start,
    /** Ends the editing without saving; what was written can be taken up again. */
    close: () => {
      close();
      if (begun === undefined || value === undefined || part.same(value, begun.base)) return;
      const run = async () => {
        draft.change({ begun, value });
        edit(begun, value);
      };
      // A dialog for this part alone is closed with it, and has nothing to come back to.
      setTimeout(() => {
        if (!gone.current) showNotice(texts.editDiscarded(part.name), { label: texts.undo, run });
      });
    },
    discard: close,
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
