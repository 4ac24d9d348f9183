/** The draft of a community: read, saved as it is typed, and merged with changes of others. */
import { type CommunityFile, ConflictError } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { failureOf, portal } from '../../portal.ts';
import { equalJson, type Merged, mergeFiles } from './merge-files.ts';

/** Milliseconds without typing after which the draft is saved. */
const PAUSE = 600;
/** Milliseconds between two readings of the saved draft. */
const LOOK = 10_000;

/** The definition on the server: the saved draft, or the community itself where there is none. */
export interface Saved {
  readonly file: CommunityFile;
  /** The definition that is in use. */
  readonly published: CommunityFile;
  /** 0 without a draft. */
  readonly token: number;
  readonly by?: string;
  readonly at?: number;
  /** When its reading began: an answer that a save has overtaken is older than the save. Milliseconds. */
  readonly readAt: number;
}

async function readSaved(communityId: number): Promise<Saved> {
  const readAt = performance.now();
  const published = await portal.communities.exportDefinition({ communityId });
  try {
    const { file, occToken, savedByName, savedAt } = await portal.communities.draft({ communityId });
    return {
      file: file!,
      published,
      token: occToken!,
      readAt,
      ...(savedByName !== undefined && { by: savedByName }),
      ...(savedAt !== undefined && { at: savedAt }),
    };
  } catch (error) {
    if (failureOf(error) !== 'not-found') throw error;
    return { file: published, published, token: 0, readAt };
  }
}

export const useSaved = (communityId: number) =>
  useQuery({
    queryKey: ['community-draft', communityId],
    queryFn: () => readSaved(communityId),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: LOOK,
  });

/** Changes that cannot be merged: both edits changed the same places. */
export interface Conflict {
  readonly theirs: Saved;
  readonly mine: CommunityFile;
  readonly merged: Merged;
}

/** Whether the draft is saved as it is on the screen. */
type SaveState = 'saved' | 'saving' | 'failed';

/** The draft that is being edited. */
export interface Draft {
  readonly file: CommunityFile;
  readonly saved: Saved;
  readonly state: SaveState;
  readonly conflict: Conflict | undefined;
  /** Changes the draft; it is saved after a pause. */
  readonly change: (edit: (file: CommunityFile) => CommunityFile) => void;
  /** Saves now. @returns whether everything is saved */
  readonly save: () => Promise<boolean>;
  /** Ends a conflict. @param prefer the edit that counts at the places of the conflict */
  readonly resolve: (prefer: 'mine' | 'theirs') => void;
  /** Shows what the server has, after the draft was published. */
  readonly reload: () => Promise<void>;
  /** Deletes the draft, and returns to the definition in use. */
  readonly discard: () => Promise<void>;
}

/**
 * Edits a draft.
 * @param loaded the saved definition, read again from time to time
 * @param onMerged called with the name of the person whose changes were merged
 */
export function useDraft(communityId: number, loaded: Saved, onMerged: (by: string | undefined) => void): Draft {
  const [file, setFile] = useState(loaded.file);
  const [saved, setSaved] = useState(loaded);
  const [state, setState] = useState<SaveState>('saved');
  const [conflict, setConflict] = useState<Conflict>();
  /** The newest values, for work that outlasts a rendering. */
  const now = useRef({ file, saved, conflict: false });
  const running = useRef<Promise<boolean>>(undefined);
  const tell = useRef(onMerged);
  tell.current = onMerged;

  const show = useCallback((next: CommunityFile) => {
    now.current.file = next;
    setFile(next);
  }, []);
  const keep = useCallback((next: Saved) => {
    now.current.saved = next;
    setSaved(next);
  }, []);
  /** Takes over what another person saved. @returns whether both edits fit together */
  const take = useCallback(
    (theirs: Saved): boolean => {
      const mine = now.current.file;
      const merged = mergeFiles(now.current.saved.file, mine, theirs.file);
      if (merged.conflicts.length > 0) {
        now.current.conflict = true;
        setConflict({ theirs, mine, merged });
        return false;
      }
      keep(theirs);
      if (!equalJson(merged.file, mine)) {
        show(merged.file);
        tell.current(theirs.by);
      }
      return true;
    },
    [keep, show],
  );
  const saveOnce = useCallback(async (): Promise<boolean> => {
    while (!now.current.conflict && !equalJson(now.current.file, now.current.saved.file)) {
      const { file: sent, saved: before } = now.current;
      try {
        const { occToken, savedAt, savedByName } = await portal.communities.saveDraft({
          communityId,
          file: sent,
          occToken: before.token,
        });
        keep({
          file: sent,
          published: before.published,
          token: occToken!,
          at: savedAt!,
          by: savedByName!,
          readAt: performance.now(),
        });
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        if (!take(await readSaved(communityId))) return false;
      }
    }
    return !now.current.conflict;
  }, [communityId, keep, take]);
  const save = useCallback((): Promise<boolean> => {
    running.current ??= (async () => {
      setState('saving');
      try {
        const done = await saveOnce();
        setState(done ? 'saved' : 'failed');
        return done;
      } catch {
        // The page says that the draft is not saved, and tries again with the next change.
        setState('failed');
        return false;
      } finally {
        running.current = undefined;
      }
    })();
    return running.current;
  }, [saveOnce]);

  const dirty = !equalJson(file, saved.file);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause again
  useEffect(() => {
    if (!dirty || conflict) return;
    const timer = setTimeout(() => void save(), PAUSE);
    return () => clearTimeout(timer);
  }, [dirty, file, conflict, save]);
  useEffect(() => {
    const { saved: known, conflict: open } = now.current;
    if (open || running.current || loaded.readAt <= known.readAt) return;
    const unchanged = loaded.token > 0 && loaded.token === known.token && loaded.at === known.at;
    if (!unchanged) take(loaded);
  }, [loaded, take]);
  useKeptUntilSaved(dirty, save);
  const reload = async () => {
    const next = await readSaved(communityId);
    keep(next);
    show(next.file);
  };
  return {
    file,
    saved,
    state: dirty && state === 'saved' ? 'saving' : state,
    conflict,
    save,
    change: (edit) => show(edit(now.current.file)),
    resolve: (prefer) => {
      if (!conflict) return;
      const { theirs } = conflict;
      const { file: merged } = mergeFiles(now.current.saved.file, now.current.file, theirs.file, prefer);
      now.current.conflict = false;
      setConflict(undefined);
      keep(theirs);
      show(merged);
    },
    reload,
    discard: async () => {
      await running.current;
      if (now.current.saved.token > 0) await portal.communities.deleteDraft({ communityId });
      await reload();
    },
  };
}

/** Saves when the page is left inside the portal, and asks before the window is closed. */
function useKeptUntilSaved(dirty: boolean, save: () => Promise<boolean>): void {
  const last = useRef(dirty);
  last.current = dirty;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (last.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      if (last.current) void save();
    };
  }, [save]);
}
