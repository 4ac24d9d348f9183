/** State of a dialog that tries an action on many posts, carries it out and stops it. */
import type { BulkPostOutcome, PostWorkflowDefinition } from '@portico/sdk';
import { useEffect, useRef, useState } from 'react';
import { failureOf, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts } from '../../write/texts.ts';
import type { ListedPost, ListQuery } from '../use-posts.ts';
import { type BulkAction, type BulkInput, tryBulkAction, undoOf } from './bulk-action.ts';
import { BulkRun } from './bulk-run.ts';
import { useBulkTexts } from './texts.ts';

export interface BulkDialogProps {
  action: BulkAction;
  posts: readonly ListedPost[];
  communityId: number;
  workflow: PostWorkflowDefinition | undefined;
  /** The query of the list. */
  list: ListQuery;
  select: (ids: readonly number[]) => void;
  onClose: () => void;
}

/** Selects the posts that were not written, tells the outcome, and offers Undo. */
function useFinish({ action, workflow, select }: BulkDialogProps) {
  const texts = useAllTexts();
  const bulk = useBulkTexts();
  const formats = useFormats();
  /** @returns whether all posts were written */
  return async ({ outcomes, before }: BulkRun): Promise<boolean> => {
    const done = outcomes.filter(({ outcome }) => outcome === 'OK').length;
    const failed = outcomes.filter(({ outcome }) => outcome === 'ERROR' || outcome === 'NOT_RUN');
    const textOf = () => {
      const number = formats.count(done);
      if (failed.some(({ outcome }) => outcome === 'NOT_RUN'))
        return bulk.ended(number, formats.number(outcomes.length));
      if (failed.length > 0) return bulk.partly(number, formats.number(failed.length));
      return action.kind === 'delete' ? bulk.deleted(number) : bulk.done(number);
    };
    const undo = undoOf(action, before, outcomes, workflow);
    await queryClient.invalidateQueries();
    select(failed.map(({ postId }) => postId!));
    showNotice(
      textOf(),
      undo && {
        label: texts.undo,
        run: async () => {
          const { undone, failed: left } = await undo().catch(() => ({ undone: 0, failed: 1 }));
          await queryClient.invalidateQueries();
          showNotice(left > 0 ? bulk.undoFailed : bulk.undone(formats.count(undone)));
        },
      },
    );
    return failed.length === 0;
  };
}

/** The input of an action. */
interface Asked {
  /** The input; undefined until it is valid. */
  readonly filled: () => BulkInput | undefined;
  /** Shows why a request failed. */
  readonly refuse: (error: unknown) => void;
}

/** Outcomes of the action or of its dry run. */
interface Result {
  readonly outcomes: readonly BulkPostOutcome[];
  readonly written: boolean;
}

export function useBulkRun(props: BulkDialogProps, posts: readonly ListedPost[], { filled, refuse }: Asked) {
  const { action, list, onClose } = props;
  const [busy, setBusy] = useState<'preview' | 'run' | 'stop'>();
  const [result, setResult] = useState<Result>();
  const [done, setDone] = useState(0);
  // Set as soon as posts may have been written: the input does not change any more.
  const [run, setRun] = useState<BulkRun>();
  const running = useRef<BulkRun>(undefined);
  /** A run that failed after it wrote posts. */
  const broken = useRef<BulkRun>(undefined);
  const closed = useRef(false);
  const finish = useFinish(props);
  const preview = async () => {
    const input = filled();
    if (!input || busy) return;
    setBusy('preview');
    try {
      setResult({ outcomes: await tryBulkAction(action, input, posts), written: false });
    } catch (error) {
      refuse(error);
    }
    setBusy(undefined);
  };
  const fail = async (failed: BulkRun, error: unknown) => {
    refuse(error);
    // A portion whose answer was lost may have been written: it is sent again as it was.
    if (failed.done > 0 || failureOf(error) === 'offline') setRun(failed);
    if (failed.done === 0) return;
    setResult({ outcomes: failed.outcomes, written: true });
    if (closed.current) await finish(failed);
    else broken.current = failed;
  };
  /** Begins, or goes on after a stop or a failure. */
  const start = async () => {
    const input = run ? {} : filled();
    if (!input || busy) return;
    const own = run ?? new BulkRun(action, input, posts, list);
    setBusy('run');
    setResult(undefined);
    running.current = own;
    broken.current = undefined;
    try {
      await own.run(() => {
        setRun(own);
        setDone(own.done);
      });
      setResult({ outcomes: own.outcomes, written: true });
      if ((await finish(own)) && !closed.current) onClose();
    } catch (error) {
      await fail(own, error);
    }
    running.current = undefined;
    setBusy(undefined);
  };
  const stop = () => {
    running.current?.stop();
    setBusy('stop');
  };
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => running.current && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    closed.current = false;
    return () => {
      closed.current = true;
      running.current?.stop();
      window.removeEventListener('beforeunload', ask);
    };
  }, []);
  const close = () => {
    if (broken.current) void finish(broken.current);
    onClose();
  };
  return { busy, result, done, run, preview, start, stop, close, clear: () => setResult(undefined) };
}
