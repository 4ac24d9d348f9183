/** Recognises exports of other programs, and what their presets say about each column. */
import type { ImportPreset, ImportTarget } from '@portico/contract';
import { composed } from '../mapping/values.ts';
import { presetText } from '../presets/index.ts';
import type { InputFormat } from '../source/mapping-types.ts';
import type { Sample } from './sample.ts';

/** Columns by which an export is recognised: one of each list. */
const MARKS: readonly {
  readonly preset: ImportPreset;
  readonly formats: readonly InputFormat[];
  readonly columns: readonly (readonly string[])[];
}[] = [
  {
    preset: 'jira',
    formats: ['csv'],
    columns: [
      ['Issue key', 'Key'],
      ['Summary'],
      ['Status'],
      ['Issue Type', 'Issue type'],
      ['Reporter', 'Creator', 'Created'],
    ],
  },
  {
    preset: 'asana',
    formats: ['csv'],
    columns: [['Task ID'], ['Name'], ['Created At'], ['Completed At'], ['Section/Column', 'Section', 'Projects']],
  },
  {
    preset: 'redmine',
    formats: ['csv'],
    columns: [
      ['#', 'Issue ID', 'Id', 'ID'],
      ['Subject', 'Thema', '題名'],
      ['Status', 'ステータス', 'Tracker', 'トラッカー'],
      ['Project', 'Projekt', 'プロジェクト', 'Author', 'Autor', '作成者'],
    ],
  },
  {
    preset: 'github-issues',
    formats: ['json', 'ndjson'],
    columns: [['number'], ['title'], ['state'], ['created_at', 'createdAt'], ['user.login', 'author.login']],
  },
  {
    preset: 'portico',
    formats: ['csv', 'xlsx', 'ndjson'],
    columns: [['Number'], ['Title'], ['Author'], ['Created'], ['Last activity']],
  },
];

/** Returns the preset of the program that exported a file. */
export function recognise({ format, columns, document }: Sample): ImportPreset | undefined {
  if (document.shape === 'trello') return 'trello';
  const names = new Set(columns.map(({ name }) => name));
  return MARKS.find(
    (mark) => mark.formats.includes(format) && mark.columns.every((some) => some.some((name) => names.has(name))),
  )?.preset;
}

/** Object of a mapping, as its text has it. */
export type Entry = Readonly<Record<string, unknown>>;

/** The target of a column by a preset. */
export interface PresetColumn {
  readonly target: ImportTarget;
  /** Field that the preset creates. */
  readonly key?: string;
  /** The column's place among those of its source: the first counts where it is filled. */
  readonly rank: number;
  /** The source and the field in the mapping. */
  readonly entry: Entry;
}

export interface KnownExport {
  readonly preset: ImportPreset;
  /** By name of the column. */
  readonly columns: ReadonlyMap<string, PresetColumn>;
  readonly workflowTitle: string;
  /** Entry of comments in the mapping. */
  readonly comments?: Entry;
}

/** Sources of parts of the post in a preset. */
const PARTS = [
  'externalId',
  'title',
  'body',
  'state',
  'author',
  'modifier',
  'created',
  'modified',
  'visibility',
  'watchers',
] as const;

/** Reads a preset. @param timezone of times without an offset */
export async function knownExport(preset: ImportPreset, timezone: string): Promise<KnownExport> {
  const { parse } = await import('yaml');
  const { fields = {}, comments, workflow, ...parts } = parse(presetText(preset, timezone)) as Record<string, Entry>;
  const columns = new Map<string, PresetColumn>();
  const note = (target: ImportTarget, given: unknown, key?: string) => {
    const entry = (typeof given === 'string' ? { column: given } : given) as Entry;
    const names = entry['columns'] ?? entry['column'] ?? entry['repeated'];
    for (const [rank, name] of [names].flat().entries()) {
      const known = { target, ...(key !== undefined && { key }), rank, entry };
      if (!columns.has(composed(name as string))) columns.set(composed(name as string), known);
    }
  };
  for (const part of PARTS) if (parts[part] !== undefined) note(part, parts[part]);
  for (const [key, entry] of Object.entries(fields)) note('field', entry, key);
  if (comments) note('comments', { column: comments['repeated'] ?? comments['forEach'] });
  return {
    preset,
    columns,
    workflowTitle: (workflow?.['title'] as string | undefined) ?? '',
    ...(comments && { comments }),
  };
}
