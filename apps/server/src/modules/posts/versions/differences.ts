/** Compares the contents of two versions. Loaded on demand: comparing words takes a library. */
import {
  type EventDatetime,
  type PostVersionChange,
  type PostVersionContent,
  type TextPiece,
  TextPieceKind,
} from '@portico/contract';
import { type Change, diffWordsWithSpace } from 'diff';
import { Turns } from '../../../platform/turns.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { holdsText, valueInWords } from '../../fields/index.ts';

/**
 * Maximum number of edits between two texts. Comparing words costs the square of the differences,
 * so it is bounded for each text, which is compared in one piece, and for the whole response. A
 * text beyond a bound counts as replaced whole.
 */
const MOST_EDITS_OF_TEXT = 400;
/** Maximum number of characters of two texts between their common beginning and end. */
const MOST_CHARACTERS_OF_TEXT = 100_000;
const MOST_EDITS = 2_000;
const MOST_CHARACTERS = 1_000_000;

/** Remaining bounds of a response. */
interface Budget {
  edits: number;
  characters: number;
}

/** Names of a part, and its texts before and after. */
interface Compared {
  named: Pick<PostVersionChange, 'part' | 'fieldId' | 'label'>;
  before: string | undefined;
  after: string | undefined;
  /** Whether the texts are compared by words. */
  byWords?: boolean;
  /** Whether equal texts count as a change, too. */
  always?: boolean;
}

/**
 * Compares two contents part by part.
 * @param fields the fields with different stored values
 */
export async function differences(
  before: PostVersionContent,
  after: PostVersionContent,
  fields: readonly FieldDefinition[],
): Promise<PostVersionChange[]> {
  const budget: Budget = { edits: MOST_EDITS, characters: MOST_CHARACTERS };
  const turns = new Turns();
  const changes: PostVersionChange[] = [];
  for (const compared of comparedParts(before, after, fields)) {
    if (turns.isOver) await turns.next();
    const found = change(compared, budget);
    if (found) changes.push(found);
  }
  return changes;
}

function comparedParts(
  before: PostVersionContent,
  after: PostVersionContent,
  fields: readonly FieldDefinition[],
): Compared[] {
  const place = { before: before.event, after: after.event };
  const list = (of: (content: PostVersionContent) => (string | undefined)[]) => ({
    before: of(before).join(', '),
    after: of(after).join(', '),
  });
  const ofEvent = (label: string) => ({ part: 'event' as const, label });
  return [
    { named: { part: 'title' }, before: before.title, after: after.title, byWords: true },
    {
      named: { part: 'description' },
      before: before.descriptionPlainText,
      after: after.descriptionPlainText,
      byWords: true,
    },
    ...fields.map((field) => ofField(field, before, after)),
    { named: { part: 'hashtags' }, ...list(({ hashtags = [] }) => hashtags.map(({ name }) => name)) },
    { named: ofEvent('startAt'), before: moment(place.before?.startAt), after: moment(place.after?.startAt) },
    { named: ofEvent('endAt'), before: moment(place.before?.endAt), after: moment(place.after?.endAt) },
    { named: ofEvent('timezone'), before: place.before?.timezone, after: place.after?.timezone },
    { named: ofEvent('location'), before: place.before?.location, after: place.after?.location, byWords: true },
    { named: { part: 'attachments' }, ...list(({ attachments = [] }) => attachments.map(fileInWords)) },
  ];
}

function fileInWords({ id, name, versionNumber = 1 }: { id?: number; name?: string; versionNumber?: number }): string {
  if (name === undefined) return `(${id})`;
  return versionNumber > 1 ? `${name} (${versionNumber})` : name;
}

const moment = (time: EventDatetime | undefined) => time?.localDatetime;

/**
 * Returns the comparison of a field with a changed stored value, even if its words are equal:
 * formatting, or values hidden from the caller, may differ.
 */
function ofField(field: FieldDefinition, before: PostVersionContent, after: PostVersionContent): Compared {
  const words = ({ customData = {} }: PostVersionContent) => valueInWords(field, customData[String(field.id)]);
  return {
    named: { part: 'field', fieldId: field.id, label: field.label },
    before: words(before),
    after: words(after),
    byWords: holdsText(field),
    always: true,
  };
}

/** Returns the change of one part; undefined when it is the same. */
function change({ named, before, after, byWords, always }: Compared, budget: Budget): PostVersionChange | undefined {
  const [old, fresh] = [before ?? '', after ?? ''];
  if (old === fresh) return always ? named : undefined;
  return {
    ...named,
    ...(old !== '' && { before: old }),
    ...(fresh !== '' && { after: fresh }),
    ...(byWords && { words: wordsOf(old, fresh, budget) }),
  };
}

type Piece = Pick<Change, 'added' | 'removed' | 'value'>;

function wordsOf(before: string, after: string, budget: Budget): TextPiece[] {
  const { start, end } = alike(before, after);
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const compared = comparedWords(old, fresh, budget);
  const pieces = compared
    ? [same(before.slice(0, start)), ...compared, same(before.slice(before.length - end))]
    : [
        { removed: true, added: false, value: before },
        { removed: false, added: true, value: after },
      ];
  const joined: TextPiece[] = [];
  for (const { added, removed, value } of pieces) {
    if (value === '') continue;
    const kept = added ? TextPieceKind.ADDED : TextPieceKind.SAME;
    const kind = removed ? TextPieceKind.REMOVED : kept;
    const last = joined.at(-1);
    if (last?.kind === kind) last.text += value;
    else joined.push({ kind, text: value });
  }
  return joined;
}

const same = (value: string): Piece => ({ removed: false, added: false, value });

/** @returns undefined when the comparison exceeds the bounds */
function comparedWords(before: string, after: string, budget: Budget): Piece[] | undefined {
  const characters = before.length + after.length;
  const maxEditLength = Math.min(MOST_EDITS_OF_TEXT, budget.edits);
  if (characters > Math.min(MOST_CHARACTERS_OF_TEXT, budget.characters) || maxEditLength === 0) return undefined;
  budget.characters -= characters;
  const pieces = diffWordsWithSpace(before, after, { maxEditLength });
  const edits = pieces?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  budget.edits -= Math.min(budget.edits, edits ?? maxEditLength);
  return pieces;
}

/** Returns the lengths of the beginnings and ends that two texts share, up to the next space. */
function alike(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && !SPACE.test(before.charAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++;
  while (end > 0 && !SPACE.test(before.charAt(before.length - end))) end--;
  return { start, end };
}

const SPACE = /\s/;
