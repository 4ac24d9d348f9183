/** Compares texts word by word in a separate thread. */
import { TextPieceKind } from '@portico/contract';
import { serveJobs } from '@portico/platform/threads/thread-script';
import { diffWordsWithSpace } from 'diff';

/** Two texts. @property maxEditLength maximum number of added and removed words */
export interface WordsJob {
  readonly before: string;
  readonly after: string;
  readonly maxEditLength: number;
}

export interface ComparedWords {
  /** Kind and length of the pieces that make up both texts, in order. */
  readonly pieces: readonly (readonly [TextPieceKind, number])[];
  /** Number of added and removed words. */
  readonly edits: number;
}

serveJobs(({ before, after, maxEditLength }: WordsJob): ComparedWords | undefined => {
  const changes = diffWordsWithSpace(before, after, { maxEditLength });
  if (!changes) return undefined;
  const pieces = changes.map(({ added, removed, value }) => {
    const kept = added ? TextPieceKind.ADDED : TextPieceKind.SAME;
    return [removed ? TextPieceKind.REMOVED : kept, value.length] as const;
  });
  const edits = changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  return { pieces, edits };
});
