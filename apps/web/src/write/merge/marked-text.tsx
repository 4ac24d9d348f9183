import { createElement, Fragment, type ReactNode } from 'react';
import { readDelta } from '../../content/delta.ts';
import { type Change, differences, isLineEnd, readWord } from './merge-texts.ts';
import { useMergeTexts } from './texts.ts';

/** A run of words of one line that differ, or do not, from the other text. */
interface Run {
  readonly kind: Change['kind'];
  readonly words: string[];
}

interface Line {
  readonly runs: Run[];
  /** Whether a run is a difference. */
  changed: boolean;
}

/** Splits differences into lines; a removed or added line end is a word of its line. */
function linesOf(changes: readonly Change[]): readonly Line[] {
  const lines: Line[] = [{ runs: [], changed: false }];
  for (const { kind, words } of changes)
    for (const word of words) {
      const line = lines.at(-1)!;
      const last = line.runs.at(-1);
      if (last?.kind === kind) last.words.push(word);
      else line.runs.push({ kind, words: [word] });
      if (kind !== 'same') line.changed = true;
      if (isLineEnd(word)) lines.push({ runs: [], changed: false });
    }
  return lines.filter(({ runs }) => runs.length > 0);
}

const inOrder = (elements: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...elements);

const TAGS = { same: Fragment, added: 'ins', removed: 'del' } as const;

/** Returns the numbers of the lines of a text that another one changes. */
function changedLines(base: string, other: string, rich: boolean): ReadonlySet<number> {
  const numbers = new Set<number>();
  let at = 0;
  for (const { kind, words } of differences(base, other, rich))
    for (const word of words) {
      if (kind !== 'same') numbers.add(at);
      if (kind !== 'added' && isLineEnd(word)) at++;
    }
  return numbers;
}

/**
 * A text with its differences from another one. Unchanged lines are shown only beside changed ones.
 * @param changedBy texts that change this one, which is then shown without marks
 */
export function MarkedText({
  base,
  text,
  rich,
  changedBy = [],
}: {
  base: string;
  text: string;
  rich: boolean;
  changedBy?: readonly string[];
}) {
  const texts = useMergeTexts();
  if (text === '' && base === '') return <span className="muted">{texts.nothing}</span>;
  const lines = linesOf(differences(base, text, rich));
  for (const other of changedBy)
    for (const number of changedLines(text, other, rich)) if (lines[number]) lines[number].changed = true;
  const isNear = (at: number) => [at - 1, at, at + 1].some((near) => lines[near]?.changed);
  const shown = lines.map((line, at) => {
    if (isNear(at)) return lineElement(line, texts.lineEnd);
    return at === 0 || isNear(at - 1) ? SKIPPED : null;
  });
  return <div className="marked-text">{inOrder(shown)}</div>;
}

/** Stands for unchanged lines. */
const SKIPPED = <p className="muted">…</p>;

const lineElement = ({ runs }: Line, lineEnd: string): ReactNode => (
  <p dir="auto">{inOrder(runs.map((run) => runElement(run, lineEnd)))}</p>
);

function runElement({ kind, words }: Run, lineEnd: string): ReactNode {
  const shown = words.map((word) => wordElement(word, kind === 'same' ? undefined : lineEnd));
  return createElement(TAGS[kind], null, inOrder(shown));
}

/** @param lineEnd name of a line end that is a difference */
function wordElement(word: string, lineEnd: string | undefined): ReactNode {
  if (isLineEnd(word))
    return lineEnd === undefined ? null : (
      <span role="img" aria-label={lineEnd}>
        ¶
      </span>
    );
  const { insert, attributes = {} } = readWord(word);
  if (typeof insert !== 'string') return <strong>{embedText(word)}</strong>;
  let element: ReactNode = insert;
  if (attributes['code']) element = <code>{element}</code>;
  if (attributes['strike']) element = <s>{element}</s>;
  if (attributes['underline'] || attributes['link']) element = <u>{element}</u>;
  if (attributes['italic']) element = <em>{element}</em>;
  if (attributes['bold']) element = <strong>{element}</strong>;
  return element;
}

/** A mention, a hashtag, the name of a picture. */
function embedText(word: string): string {
  const [block] = readDelta(`[${word}]`);
  return block?.kind === 'divider' ? '———' : (block?.inlines.map(({ text }) => text).join('') ?? '');
}
