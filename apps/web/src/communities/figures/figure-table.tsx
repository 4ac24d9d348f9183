import type { SummarisePostsResponse } from '@portico/sdk';
import { useFormats } from '../../texts/index.ts';
import type { FigureRow } from './figure-rows.ts';
import { useFigureTexts } from './texts.ts';

/** The table beside a picture: it says what the picture shows. */
export function FigureTable({
  rows,
  summary: { other, value },
  labels,
  heading,
  textOf,
}: {
  rows: readonly FigureRow[];
  summary: SummarisePostsResponse;
  /** Names of the groupings. */
  labels: readonly string[];
  /** Name of the figure. */
  heading: string;
  textOf: (value: number | undefined) => string;
}) {
  const words = useFigureTexts();
  const formats = useFormats();
  const span = Math.max(1, labels.length);
  return (
    <table className="figure-table">
      <caption className="visually-hidden">{heading}</caption>
      <thead>
        <tr>
          {labels.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
          {labels.length === 0 && <td />}
          <th scope="col" className="figure-value">
            {heading}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ names, key, text }) => (
          <tr key={key}>
            <th scope="row">{names[0]}</th>
            {names.length > 1 && <td>{names[1]}</td>}
            <td className="figure-value">{text}</td>
          </tr>
        ))}
        {other && (
          <tr>
            <th scope="row" colSpan={span}>
              {words.other(formats.number(other.groupsCount ?? 0))}
            </th>
            <td className="figure-value">{textOf(other.value)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={span}>
            {words.total}
          </th>
          <td className="figure-value">{textOf(value)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
