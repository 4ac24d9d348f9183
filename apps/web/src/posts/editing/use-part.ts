import { type RefObject, useEffect, useRef, useState } from 'react';
import { onReturn } from '../../offline/connection.ts';
import { failureOf, queryClient } from '../../portal.ts';
import { faultOf } from '../../write/faults.ts';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts } from '../../write/texts.ts';
import { useBrowserDraft } from '../../write/use-browser-draft.ts';
import { beginEdit, type Conflict, type EditBase, type Part, type Post, savePart } from './save-part.ts';

/** An unsaved edit in the storage of the browser. */
interface KeptEdit<T> {
  readonly begun: EditBase<T>;
  readonly value: T;
}

/** Called with the value before an edit and the written one. */
type Saved<T> = ((before: T, written: T) => void) | undefined;

/** The stored draft of an edit, until it is saved. */
function useKeptEdit<T>(post: Post, part: Part<T>, viewing: boolean) {
  const draft = useBrowserDraft<KeptEdit<T> | undefined>(`edit/${post.id}/${part.key}`, undefined);
  const forget = () => {
    draft.change(undefined);
    void draft.drop();
  };
  // A reload before the response of the write leaves an edit that is saved already: it is not offered.
  const [offered, setOffered] = useState<KeptEdit<T>>();
  const unsaved = draft.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit is compared once, with the post as it is then
  useEffect(() => {
    if (!viewing || unsaved === undefined) return;
    let stale = false;
    const offer = () => {
      if (!stale) setOffered(unsaved);
    };
    beginEdit(post, part).then(({ base }) => {
      if (!part.same(base, unsaved.value)) offer();
      else if (!stale) forget();
    }, offer);
    return () => {
      stale = true;
    };
  }, [unsaved, viewing]);
  return { draft, forget, kept: viewing && unsaved !== undefined && offered === unsaved };
}

/** Whether the component that uses it is gone, for work that ends later. */
function useGone(): RefObject<boolean> {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return gone;
}

/** The states of an edit, and its end. */
function useEditing<T>(post: Post, part: Part<T>, saved: Saved<T>) {
  const texts = useAllTexts();
  const [mode, setMode] = useState<'view' | 'edit' | 'saving' | 'conflict'>('view');
  const [begun, setBegun] = useState<EditBase<T>>();
  const [value, setValue] = useState<T>();
  const [fault, setFault] = useState<string>();
  const [conflict, setConflict] = useState<Conflict<T>>();
  const { draft, forget, kept } = useKeptEdit(post, part, mode === 'view');
  // A key that closes the input has saved already; the following blur does not save a second time.
  const busy = useRef(false);
  const gone = useGone();
  /** Saves an edit again that found no network. */
  const waiting = useRef<() => void>(undefined);
  useEffect(() => onReturn(() => waiting.current?.()), []);
  const edit = (from: EditBase<T>, of: T) => {
    busy.current = false;
    setBegun(from);
    setValue(of);
    setFault(undefined);
    setMode('edit');
  };
  const failed = (error: unknown, mine: T, from: EditBase<T>) => {
    const sentence = faultOf(error, texts, part.field && [part.field]);
    const offline = failureOf(error) === 'offline';
    // After a change to another page, the error is shown there.
    if (gone.current) showNotice(texts.notSaved(part.name, sentence));
    if (offline) waiting.current = () => void save(mine, from);
    setFault(offline ? `${sentence} ${texts.savedOnReturn}` : sentence);
    busy.current = false;
    setMode('edit');
  };
  const save = async (mine: T, from: EditBase<T>) => {
    busy.current = true;
    waiting.current = undefined;
    setMode('saving');
    draft.change({ begun: from, value: mine });
    draft.keepNow();
    try {
      const outcome = await savePart(post, part, from, mine);
      if (outcome.kind === 'saved') {
        forget();
        if (outcome.both) showNotice(texts.bothSaved(part.name));
        else saved?.(outcome.before, outcome.written);
      }
      setConflict(outcome.kind === 'saved' ? undefined : outcome);
      if (outcome.kind === 'conflict') setValue(outcome.merged.mine);
      setMode(outcome.kind === 'saved' ? 'view' : 'conflict');
      if (gone.current && outcome.kind === 'conflict') showNotice(texts.conflictTitle(part.name));
    } catch (error) {
      failed(error, mine, from);
    }
  };
  const close = () => {
    busy.current = true;
    waiting.current = undefined;
    setMode('view');
    setFault(undefined);
    forget();
  };
  const type = (next: T) => {
    // Text typed after a failure is saved when the person ends the editing.
    waiting.current = undefined;
    setValue(next);
    if (begun) draft.change({ begun, value: next });
  };
  return {
    ...{ mode, begun, value, fault, conflict, draft, kept, busy, gone },
    ...{ edit, save, close, type, setValue, setFault, setConflict },
  };
}

/**
 * The state of editing a part of a post in place, from the beginning to saving, cancelling or a
 * conflict. Typed text is stored in the browser meanwhile: after a reload or a return to the page,
 * the user can continue. An edit that found no network is saved when the network is back.
 * @param saved called after a change was written
 */
export function usePart<T>(post: Post, part: Part<T>, saved?: Saved<T>) {
  const texts = useAllTexts();
  const editing = useEditing(post, part, saved);
  const { mode, begun, value, fault, conflict, draft, kept, busy, gone, edit, save, close } = editing;
  const start = async () => {
    // The end of the save would close the new edit with its text.
    if (mode === 'saving') return;
    try {
      if (draft.value) return edit(draft.value.begun, draft.value.value);
      const found = await beginEdit(post, part);
      edit(found, found.base);
    } catch (error) {
      editing.setFault(faultOf(error, texts));
    }
  };
  return {
    mode,
    value,
    base: begun?.base,
    fault,
    conflict,
    /** Whether there is an unsaved edit from before. */
    kept,
    setValue: editing.type,
    start,
    /** Ends the editing without saving; the edit is kept and can be continued. */
    close: () => {
      close();
      if (begun === undefined || value === undefined || part.same(value, begun.base)) return;
      const run = async () => {
        draft.change({ begun, value });
        edit(begun, value);
      };
      // A dialog for this part alone closes with it, and has no mode to return to.
      setTimeout(() => {
        if (!gone.current) showNotice(texts.editDiscarded(part.name), { label: texts.undo, run });
      });
    },
    discard: close,
    /**
     * Ends the editing and writes the change.
     * @param chosen the value, if it was chosen just now
     */
    finish: (chosen: T | undefined = value) => {
      if (busy.current || begun === undefined) return;
      if (part.same(chosen as T, begun.base)) close();
      else {
        editing.setValue(chosen);
        void save(chosen as T, begun);
      }
    },
    /** Ends a conflict with a value that contains what shall be kept of both. */
    keep: (chosen: T) => {
      if (conflict) void save(chosen, conflict.theirs);
    },
    /** Goes on editing a value that was chosen in a conflict. */
    editChosen: (chosen: T) => {
      if (!conflict) return;
      draft.change({ begun: conflict.theirs, value: chosen });
      edit(conflict.theirs, chosen);
    },
    takeTheirs: () => {
      if (!conflict) return;
      const { theirs } = conflict;
      editing.setConflict(undefined);
      close();
      void queryClient.invalidateQueries({ queryKey: ['post', post.id] });
      const run = async () => {
        draft.change({ begun: theirs, value: value as T });
        edit(theirs, value as T);
      };
      if (!gone.current) showNotice(texts.editDiscarded(part.name), { label: texts.undo, run });
    },
  };
}

export type PartState<T> = ReturnType<typeof usePart<T>>;
