import type { PostActivityHistoryEvent, PostVersionChange } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { useFormats } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { useVersionTexts } from './versions-texts.ts';

/** Elements of unchanged, added and removed words. */
const PIECES = ['span', 'ins', 'del'] as const;
const REMOVED = 2;
/** Milliseconds between an edit and its entry in the history. */
const SAME_EDIT = 2_000;

/** Versions of a post, the newest first, in pages. */
export const useVersions = (postId: number) =>
  usePages(['versions', postId], (page) => portal.posts.versions({ postId, pageSize: 50, ...page }));

/** The old and the new value of a part of a post, with days and moments in the reader's format. */
export function Difference({ change: { before, after, words: pieces } }: { change: PostVersionChange }) {
  const words = useVersionTexts();
  const formats = useFormats();
  if (pieces)
    return pieces.map(({ kind, text }, index) => {
      const Piece = PIECES[kind ?? REMOVED];
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
      return <Piece key={index}>{text}</Piece>;
    });
  const shown = (text: string | undefined) => {
    if (text === undefined) return words.nothing;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formats.moment(Date.parse(text));
    return /^\d{4}-\d\d-\d\d$/.test(text) ? formats.day(Date.parse(text)) : text;
  };
  return (
    <>
      <del>{shown(before)}</del> <ins>{shown(after)}</ins>
    </>
  );
}

/**
 * The parts of a post that an edit changed, with old and new values; nothing for readers, who do
 * not see versions.
 */
export function ChangedParts({ postId, event }: { postId: number; event: PostActivityHistoryEvent }) {
  const words = useVersionTexts();
  const versions = useVersions(postId).data ?? [];
  const index = versions.findIndex(
    ({ timestamp = 0, editorUser }) =>
      editorUser?.id === event.authorUser?.id && Math.abs(timestamp - (event.timestamp ?? 0)) < SAME_EDIT,
  );
  const [made, former] = index === -1 ? [] : [versions[index], versions[index + 1]];
  const changes = useQuery({
    queryKey: ['versions', postId, 'edit', former?.versionNumber, made?.versionNumber, made?.timestamp],
    queryFn: () =>
      portal.posts.compareVersions({
        postId,
        fromVersion: former!.versionNumber!,
        toVersion: made!.versionNumber!,
      }),
    enabled: made !== undefined && former !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.changes;
  return changes?.map((change) => (
    <p key={`${change.part}-${change.fieldId}-${change.label}`} className="difference" dir="auto">
      {change.label ?? words.parts[change.part as keyof typeof words.parts]}: <Difference change={change} />
    </p>
  ));
}
