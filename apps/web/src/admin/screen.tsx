/** The parts that the screens of the administration share. */
import type { ReactNode } from 'react';
import { LoadMore } from '../load-more.tsx';
import { Empty, Failed, Loading } from '../placeholders.tsx';
import { useTitle } from '../use-title.ts';

/** A screen: its title, the actions beside the title, filters below it, and the content. */
export function AdminScreenPage({
  title,
  actions,
  filters,
  children,
}: {
  title: string;
  actions?: ReactNode;
  filters?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <>
      <header className="toolbar">
        <h1 dir="auto">{title}</h1>
        {actions}
      </header>
      {filters !== undefined && <div className="admin-filters">{filters}</div>}
      <div className="admin-body">{children}</div>
    </>
  );
}

/** A column of a table. */
export interface AdminColumn<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether a phone leaves the column out. */
  readonly wide?: boolean;
  readonly number?: boolean;
}

/** Rows under headings; the first column names the row. */
export function AdminTable<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly AdminColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}) {
  const classOf = ({ wide, number }: AdminColumn<Row>) =>
    [wide && 'wide-only', number && 'number'].filter(Boolean).join(' ') || undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the window is scrolled by keys
    <section className="admin-table-box" aria-label={label} tabIndex={0}>
      <table className="admin-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" className={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A list that is read in pages. */
interface PagedQuery<Row> {
  data: readonly Row[] | undefined;
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The rows of a list as a table, with a text for the empty list and a button for the next page. */
export function AdminList<Row>({
  query,
  empty,
  ...table
}: {
  query: PagedQuery<Row>;
  empty: string;
  label: string;
  columns: readonly AdminColumn<Row>[];
  keyOf: (row: Row) => string | number;
}) {
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed query={query} />;
  const rows = query.data ?? [];
  if (rows.length === 0)
    return (
      <Empty>
        <p>{empty}</p>
      </Empty>
    );
  return (
    <div>
      <AdminTable rows={rows} {...table} />
      <LoadMore query={query} />
    </div>
  );
}

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="admin-facts">
      {facts.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two communities may have one name
        <Fact key={`${name} ${at}`} name={name} value={value} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Short words side by side, such as the rights of a person. */
export function Tags({ words }: { words: readonly (string | undefined)[] }) {
  return words.filter(Boolean).map((word) => (
    <span key={word} className="tag" dir="auto">
      {word}
    </span>
  ));
}
