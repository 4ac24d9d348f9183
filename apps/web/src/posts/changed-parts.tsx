import type { GetPostDefinitionResponse, PostActivityHistoryEvent, PostVersionChange } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { FieldValue } from '../content/field-value.tsx';
import { portal } from '../portal.ts';
import { useDefinition } from '../shared-queries.ts';
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

/** The field that changed, with its names in the reader's language. */
const fieldOf = ({ fieldId }: PostVersionChange, definition: GetPostDefinitionResponse | undefined) =>
  definition?.fieldDefinitions?.find(({ id }) => id === fieldId);

/** Returns the name of a part of a post, in the reader's language. */
export function usePartName(communityId: number | undefined): (change: PostVersionChange) => string {
  const words = useVersionTexts();
  const definition = useDefinition(communityId ?? 0, communityId !== undefined).data;
  return (change) => {
    const { part, label = '' } = change;
    if (part === 'event') return words.eventParts[label as keyof typeof words.eventParts] ?? label;
    return fieldOf(change, definition)?.label ?? (label || words.parts[part!]);
  };
}

/** The old and the new value of a part of a post, as the reader's posts show them. */
export function Difference({ change, communityId }: { change: PostVersionChange; communityId: number | undefined }) {
  const words = useVersionTexts();
  const formats = useFormats();
  const field = fieldOf(change, useDefinition(communityId ?? 0, communityId !== undefined).data);
  const { before, after, words: pieces, beforeValue, afterValue } = change;
  if (field && (beforeValue !== undefined || afterValue !== undefined))
    return (
      <>
        <del>
          {beforeValue === undefined ? words.nothing : <FieldValue field={field} value={beforeValue} unlinked />}
        </del>{' '}
        <ins>{afterValue === undefined ? words.nothing : <FieldValue field={field} value={afterValue} unlinked />}</ins>
      </>
    );
  if (pieces)
    return pieces.map(({ kind, text }, index) => {
      const Piece = PIECES[kind ?? REMOVED];
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
      return <Piece key={index}>{text}</Piece>;
    });
  const shown = (text: string | undefined) => {
    if (text === undefined) return words.nothing;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formats.moment(Date.parse(text));
    // The time of an event is that of its own clock.
    if (change.part === 'event' && /^\d{4}-\d\d-\d\dT/.test(text)) return formats.wall(Date.parse(`${text}Z`));
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
export function ChangedParts({
  postId,
  communityId,
  event,
}: {
  postId: number;
  communityId: number;
  event: PostActivityHistoryEvent;
}) {
  const nameOf = usePartName(communityId);
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
      {nameOf(change)}: <Difference change={change} communityId={communityId} />
    </p>
  ));
}
