/** The first rows of a file as they will be. */
import type { SuggestImportMappingResponse } from '@portico/sdk';
import { AdminTable } from '../../admin/screen.tsx';
import { useFormats } from '../../texts/index.ts';
import { useImportTexts } from './texts.ts';

type Row = NonNullable<SuggestImportMappingResponse['rows']>[number];
type Part = NonNullable<Row['parts']>[number];

const keyOf = ({ target, label }: Part): string => `${target} ${label ?? ''}`;

/** Shows rows under the names of the parts of posts, and the problems of a row in their place. */
export function PreviewTable({ rows }: { rows: readonly Row[] }) {
  const words = useImportTexts();
  const formats = useFormats();
  if (rows.length === 0) return <p>{words.noRows}</p>;
  const parts = new Map(rows.flatMap(({ parts: found = [] }) => found.map((part) => [keyOf(part), part] as const)));
  const textOf = ({ text, time }: Part): string => (time === undefined ? (text ?? '') : formats.moment(time));
  return (
    <section aria-label={words.preview}>
      <h3>{words.preview}</h3>
      <AdminTable
        label={words.preview}
        rows={rows}
        keyOf={({ line = 0 }) => line}
        columns={[
          {
            key: 'line',
            label: words.line,
            cell: ({ line = 0, problems = [] }) => (
              <>
                {formats.number(line)}
                {problems.map(({ column, reason }) => (
                  <span key={`${column} ${reason}`} className="fault">
                    {words.problemOf(column ?? words.row, reason ?? '')}
                  </span>
                ))}
              </>
            ),
          },
          ...[...parts].map(([key, { target, label }]) => ({
            key,
            label: label ?? words.targets[target as keyof typeof words.targets],
            cell: ({ parts: found = [] }: Row) => {
              const part = found.find((one) => keyOf(one) === key);
              return (
                part && (
                  <span className="import-samples" dir="auto">
                    {textOf(part)}
                  </span>
                )
              );
            },
          })),
        ]}
      />
    </section>
  );
}
