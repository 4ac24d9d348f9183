/** What differs between the contents of two versions. Loaded when versions are compared: comparing words takes a library. */
import {
  type EventDatetime,
  type PostVersionChange,
  type PostVersionContent,
  type TextPiece,
  TextPieceKind,
} from '@portico/contract';
import { diffWordsWithSpace } from 'diff';
import type { FieldDefinition } from '../../communities/index.ts';
import { holdsText, valueInWords } from '../../fields/index.ts';

/** Most words that two texts may differ in to be compared by words; beyond that the whole text counts as replaced. */
const MOST_DIFFERENT_WORDS = 2_000;

/** @param fields those whose stored value differs */
export function differences(
  before: PostVersionContent,
  after: PostVersionContent,
  fields: readonly FieldDefinition[],
): PostVersionChange[] {
  const place = { before: before.event, after: after.event };
  const list = (of: (content: PostVersionContent) => (string | undefined)[]) => (content: PostVersionContent) =>
    of(content).join(', ');
  const tags = list(({ hashtags = [] }) => hashtags.map(({ name }) => name));
  const files = list(({ attachments = [] }) => attachments.map(fileInWords));
  return [
    change({ part: 'title' }, before.title, after.title, true),
    change({ part: 'description' }, before.descriptionPlainText, after.descriptionPlainText, true),
    ...fields.map((field) => fieldChange(field, before, after)),
    change({ part: 'hashtags' }, tags(before), tags(after)),
    change({ part: 'event', label: 'startAt' }, moment(place.before?.startAt), moment(place.after?.startAt)),
    change({ part: 'event', label: 'endAt' }, moment(place.before?.endAt), moment(place.after?.endAt)),
    change({ part: 'event', label: 'timezone' }, place.before?.timezone, place.after?.timezone),
    change({ part: 'event', label: 'location' }, place.before?.location, place.after?.location, true),
    change({ part: 'attachments' }, files(before), files(after)),
  ].filter((found) => found !== undefined);
}

const fileInWords = ({ id, name, versionNumber = 1 }: { id?: number; name?: string; versionNumber?: number }) =>
  name === undefined ? `(${id})` : versionNumber > 1 ? `${name} (${versionNumber})` : name;

const moment = (time: EventDatetime | undefined) => time?.localDatetime;

/** A change of one part; undefined where it is the same. @param byWords whether its text is compared by words */
function change(
  named: Pick<PostVersionChange, 'part' | 'fieldId' | 'label'>,
  before: string | undefined,
  after: string | undefined,
  byWords = false,
): PostVersionChange | undefined {
  const [old, fresh] = [before ?? '', after ?? ''];
  if (old === fresh) return undefined;
  return {
    ...named,
    ...(old !== '' && { before: old }),
    ...(fresh !== '' && { after: fresh }),
    ...(byWords && { words: wordsOf(old, fresh) }),
  };
}

/** A field whose stored value changed, though its words may be the same: formatting, or what the caller does not see. */
function fieldChange(field: FieldDefinition, before: PostVersionContent, after: PostVersionContent): PostVersionChange {
  const words = ({ customData = {} }: PostVersionContent) => valueInWords(field, customData[String(field.id)]);
  const named = { part: 'field' as const, fieldId: field.id, label: field.label };
  return change(named, words(before), words(after), holdsText(field)) ?? named;
}

function wordsOf(before: string, after: string): TextPiece[] {
  const pieces = diffWordsWithSpace(before, after, { maxEditLength: MOST_DIFFERENT_WORDS });
  const whole = [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  return (pieces ?? whole)
    .filter(({ value }) => value !== '')
    .map(({ added, removed, value }) => ({
      kind: removed ? TextPieceKind.REMOVED : added ? TextPieceKind.ADDED : TextPieceKind.SAME,
      text: value,
    }));
}
