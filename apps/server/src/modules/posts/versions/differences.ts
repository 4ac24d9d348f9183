/** Compares the contents of two versions, words in a separate thread. */
import {
  type EventDatetime,
  type PostVersionChange,
  type PostVersionContent,
  type TextPiece,
  TextPieceKind,
} from '@portico/contract';
import { JobFailed, JobThread } from '@portico/platform/threads/job-thread';
import { Turns } from '@portico/platform/turns';
import type { FieldDefinition } from '../../communities/index.ts';
import { holdsText, valueInWords } from '../../fields/index.ts';
import type { ComparedWords, WordsJob } from './words-thread-script.ts';

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

/** The dearest texts within the bounds take some 30 ms, and 20 MB. */
const thread = new JobThread<WordsJob, ComparedWords | undefined>(
  new URL('./words-thread-script.ts', import.meta.url),
  {
    mostMs: 15_000,
    memoryMb: 128,
  },
);

/** Remaining bounds of a response. */
interface Budget {
  edits: number;
  characters: number;
}

/** Names of a part, and its texts before and after. */
interface Compared {
  named: Pick<PostVersionChange, 'part' | 'fieldId' | 'label'>;
  /** Values of fields that hold no text. */
  values?: Pick<PostVersionChange, 'beforeValue' | 'afterValue'>;
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
 * @param signal ends the comparison
 */
export async function differences(
  before: PostVersionContent,
  after: PostVersionContent,
  fields: readonly FieldDefinition[],
  signal?: AbortSignal,
): Promise<PostVersionChange[]> {
  const budget: Budget = { edits: MOST_EDITS, characters: MOST_CHARACTERS };
  const turns = new Turns();
  const changes: PostVersionChange[] = [];
  for (const compared of comparedParts(before, after, fields)) {
    if (turns.isOver) await turns.next();
    const found = await change(compared, budget, signal);
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
  const value = ({ customData = {} }: PostVersionContent) => customData[String(field.id)];
  const words = (content: PostVersionContent) => valueInWords(field, value(content));
  const [former, present] = [value(before), value(after)];
  return {
    named: { part: 'field', fieldId: field.id, label: field.label },
    before: words(before),
    after: words(after),
    byWords: holdsText(field),
    ...(!holdsText(field) && {
      values: {
        ...(former !== undefined && { beforeValue: former }),
        ...(present !== undefined && { afterValue: present }),
      },
    }),
    always: true,
  };
}

/** Returns the change of one part; undefined when it is the same. */
async function change(
  { named, values, before, after, byWords, always }: Compared,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<PostVersionChange | undefined> {
  const [old, fresh] = [before ?? '', after ?? ''];
  if (old === fresh) return always ? named : undefined;
  return {
    ...named,
    ...(old !== '' && { before: old }),
    ...(fresh !== '' && { after: fresh }),
    ...values,
    ...(byWords && { words: await wordsOf(old, fresh, budget, signal) }),
  };
}

async function wordsOf(
  before: string,
  after: string,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<TextPiece[]> {
  const { start, end } = alike(before, after);
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const compared = await comparedWords(old, fresh, budget, signal);
  const pieces = compared
    ? [same(before.slice(0, start)), ...compared, same(before.slice(before.length - end))]
    : [
        { kind: TextPieceKind.REMOVED, text: before },
        { kind: TextPieceKind.ADDED, text: after },
      ];
  const joined: Piece[] = [];
  for (const { kind, text } of pieces) {
    const last = joined.at(-1);
    if (text === '') continue;
    if (last?.kind === kind) last.text += text;
    else joined.push({ kind, text });
  }
  return joined;
}

/** A piece of a text. */
type Piece = Required<TextPiece>;

const same = (text: string): Piece => ({ kind: TextPieceKind.SAME, text });

/** @returns undefined when the comparison exceeds the bounds */
async function comparedWords(
  before: string,
  after: string,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<Piece[] | undefined> {
  const characters = before.length + after.length;
  const maxEditLength = Math.min(MOST_EDITS_OF_TEXT, budget.edits);
  if (characters > Math.min(MOST_CHARACTERS_OF_TEXT, budget.characters) || maxEditLength === 0) return undefined;
  budget.characters -= characters;
  const compared = await compareInThread({ before, after, maxEditLength }, signal);
  budget.edits -= Math.min(budget.edits, compared?.edits ?? maxEditLength);
  let old = 0;
  let fresh = 0;
  return compared?.pieces.map(([kind, length]) => {
    const text = kind === TextPieceKind.REMOVED ? before.slice(old, old + length) : after.slice(fresh, fresh + length);
    if (kind !== TextPieceKind.ADDED) old += length;
    if (kind !== TextPieceKind.REMOVED) fresh += length;
    return { kind, text };
  });
}

async function compareInThread(job: WordsJob, signal: AbortSignal | undefined): Promise<ComparedWords | undefined> {
  try {
    return await thread.run(job, signal);
  } catch (error) {
    if (error instanceof JobFailed) return undefined;
    throw error;
  }
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
