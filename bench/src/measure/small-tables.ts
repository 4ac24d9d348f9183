/** Tables of the small measurements, which the appendix holds beside those of a run. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

const KEPT = new URL('../../generated/small-tables.json', import.meta.url);
const APPENDIX = new URL('../../../docs/performance-appendix.md', import.meta.url);

/** Names of the measurements; `{{name}}` in the template stands for the table of one. */
const smallTables = ['neighbours', 'loop'] as const;
type Name = (typeof smallTables)[number];

type Kept = Partial<Record<Name, string>>;

async function readTables(): Promise<Kept> {
  try {
    return JSON.parse(await readFile(KEPT, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

const start = (name: Name) => `<!-- ${name} -->`;
const end = (name: Name) => `<!-- /${name} -->`;
const marked = (name: Name, table: string) => `${start(name)}\n${table}\n${end(name)}`;

/** Reads the kept table of each measurement, between the marks by which {@link keepTable} finds it. */
export async function markedTables(): Promise<Readonly<Record<Name, string>>> {
  const kept = await readTables();
  const entries = smallTables.map((name) => [name, marked(name, kept[name] ?? 'Not measured.')] as const);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/**
 * Keeps the table of a measurement with its date and machine, and writes it into the appendix.
 * @param lines rows of the table, its head included
 */
export async function keepTable(name: Name, lines: readonly string[]): Promise<void> {
  const [cpu] = cpus();
  const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), Node.js ${process.version}.`;
  const table = [machine, '', ...lines].join('\n');
  await writeFile(KEPT, `${JSON.stringify({ ...(await readTables()), [name]: table }, null, 1)}\n`);
  const text = await readFile(APPENDIX, 'utf8');
  const [before, rest] = text.split(start(name));
  const after = rest?.split(end(name))[1];
  if (before === undefined || after === undefined) throw new Error(`the appendix has no place for the table ${name}`);
  await writeFile(APPENDIX, `${before}${marked(name, table)}${after}`);
}
