/** The groups of a summary as rows of a table and as parts of a picture. */
import type { GetPostDefinitionResponse, SummarisePostsResponse } from '@portico/sdk';
import { useFormats, useTexts } from '../../texts/index.ts';
import type { Figure } from './figure-picture.tsx';
import type { FiguresSearch, Picture } from './figures-search.ts';
import { figureText, groupingsOf, isDated, measuredOf, nameOfKey } from './groupings.ts';
import { type FigureTexts, useFigureTexts } from './texts.ts';

/** The groupings and the measure of figures. */
export interface Shape {
  readonly groupBy: readonly string[];
  readonly measure: NonNullable<FiguresSearch['measure']> | 'count';
  /** The measured value; undefined for the count. */
  readonly of: string | undefined;
}

export interface FigureRow {
  readonly names: readonly string[];
  readonly key: string;
  readonly value: number | undefined;
  readonly text: string;
}

/** Returns the picture that fits figures for which nobody has chosen one. */
export const usualPicture = ({ groupBy }: Shape): Picture => {
  if (groupBy.length === 0) return 'numbers';
  return isDated(groupBy[0]) && groupBy.length === 1 ? 'lines' : 'bars';
};

/** Returns the name of the figure, such as `Sum: Costs`. */
export function headingOf({ measure, of }: Shape, definition: GetPostDefinitionResponse, words: FigureTexts): string {
  if (of === undefined) return words.measures.count;
  const label = measuredOf(definition, words).find(({ name }) => name === of)?.label ?? of;
  return words.measureOf(words.measures[measure], label);
}

/** Returns the names of the groupings. */
export function labelsOf({ groupBy }: Shape, definition: GetPostDefinitionResponse, words: FigureTexts): string[] {
  const offers = groupingsOf(definition, words);
  return groupBy.map((by) => offers.find(({ name }) => name === by)?.label ?? by);
}

/** The rows of a summary; those with a value are the parts of a picture. */
export function useFigureRows({ groups = [], value }: SummarisePostsResponse, { groupBy, of }: Shape) {
  const texts = useTexts();
  const words = useFigureTexts();
  const formats = useFormats();
  const textOf = (figure: number | undefined) => figureText(figure, of, words, formats);
  // The latest period comes first; time runs forward in a picture and in its table.
  const ordered = isDated(groupBy[0]) ? groups.toReversed() : groups;
  const rows: FigureRow[] = ordered.map(({ keys = [], value: figure }) => ({
    names: groupBy.map((by, index) => nameOfKey(keys[index] ?? {}, by, { texts, words, formats })),
    key: JSON.stringify(keys),
    value: figure,
    text: textOf(figure),
  }));
  const shown = groupBy.length > 0 ? rows : [{ names: [words.total], key: 'all', value, text: textOf(value) }];
  const figures = shown.flatMap(({ names, key, value: figure, text }): Figure[] =>
    figure === undefined ? [] : [{ key, label: names.join(', '), value: figure, text }],
  );
  return { rows, figures, textOf };
}
