// Keeps a CSV file and a community the same: each run carries changes of either side to the other. A cell that both sides changed
// stays as it is on both, and the run says so: nothing is overwritten. Rows that are added become posts. The posts of the last run
// lie beside the file (FILE.last.json): do not edit or lose them.
// Columns: id (empty in a new row), title, and custom fields by label: texts, whole numbers, decimals, lists with one choice.
// usage: node examples/sync-table.mjs COMMUNITY FILE.csv [KEY_FILE [BASE_URL]]
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

await (await import('./node-24.mjs')).useNode24();
const { ConflictError, PorticoClient } = await import('@portico/sdk');
const { FieldType } = await import('@portico/contract');
const [name, file, serviceAccount = '.portico/demo-service-account.json', baseUrl = 'http://localhost:8080'] =
  process.argv.slice(2);
const { communities, posts } = new PorticoClient({ baseUrl, credentials: { serviceAccount } });

// The table, and the posts as they were at the end of the last run: cells by column, by id.
let text = readFileSync(file, 'utf8');
const [columns, ...lines] = parseCsv(text);
if (!columns?.includes('id') || !columns.includes('title')) throw new Error('The file needs the columns id and title.');
const rows = lines.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
const last = existsSync(`${file}.last.json`) ? JSON.parse(readFileSync(`${file}.last.json`, 'utf8')) : {};

// A new row gets an id of its own before it is sent: a run that breaks off creates no post twice.
for (const row of rows) row.id ||= `new-${randomUUID()}`;
save();

const communityId = (await communities.list()).communities.find((community) => community.name === name)?.id;
if (communityId === undefined) throw new Error(`There is no community "${name}".`);
const { fieldDefinitions } = await communities.definition({ communityId });
const types = new Map(fieldDefinitions.map(({ label, type }) => [label, type]));
const NUMBERS = [FieldType.INT, FieldType.DECIMAL];
const fields = columns.filter((column) => column !== 'id' && column !== 'title');
for (const label of fields)
  if (![...NUMBERS, FieldType.STRING, FieldType.ENUM].includes(types.get(label)))
    throw new Error(`"${label}" is no field of the community, or of a type that this program does not know.`);
for (const row of rows)
  for (const label of fields.filter((column) => NUMBERS.includes(types.get(column)) && row[column]))
    row[label] = String(Number(row[label])); // 4.50 and 4.5 are the same

const textOf = ({ title, customData = {} }) =>
  Object.fromEntries([['title', title], ...fields.map((label) => [label, String(customData[label] ?? '')])]);
function fieldValue(label, cell) {
  if (cell === '') return null;
  return NUMBERS.includes(types.get(label)) ? Number(cell) : cell;
}
const changesOf = (row, changed) => ({
  ...(changed.includes('title') && { title: row.title }),
  customData: Object.fromEntries(
    fields.filter((label) => changed.includes(label)).map((label) => [label, fieldValue(label, row[label])]),
  ),
});

// 1. From the file: new rows become posts.
const added = rows.filter(({ id }) => id.startsWith('new-'));
const newPosts = added.map((row) => ({ clientUid: row.id, ...changesOf(row, ['title', ...fields]) }));
for await (const { line, postId, error } of posts.createAll(communityId, newPosts)) {
  const row = added[line - 1];
  if (postId) row.id = String(postId);
  console.log(postId ? `"${row.title}" is post ${postId}` : `"${row.title}" is not created: ${error?.message}`);
}
save();

// 2. Cell by cell: whichever side changed since the last run wins; if both did, neither is written.
const present = new Map();
for await (const post of posts.list({ communityId }, { labels: true })) present.set(String(post.id), textOf(post));
for (const row of rows.filter(({ id }) => present.has(id))) {
  const theirs = present.get(row.id);
  const before = { ...Object.fromEntries(Object.keys(theirs).map((column) => [column, ''])), ...last[row.id] };
  const mine = Object.keys(theirs).filter((column) => row[column] !== before[column] && row[column] !== theirs[column]);
  const both = mine.filter((column) => theirs[column] !== before[column]);
  for (const column of both)
    console.log(
      `post ${row.id}, ${column}: "${row[column]}" in the file, "${theirs[column]}" in the portal; not changed`,
    );
  const changed = mine.filter((column) => !both.includes(column));
  if (changed.length > 0 && (await write(row, changed, theirs))) {
    for (const column of changed) theirs[column] = row[column];
    console.log(`post ${row.id} is changed: ${changed.join(', ')}`);
  }
  last[row.id] = Object.fromEntries(
    Object.entries(theirs).map(([column, text]) => [
      column,
      mine.includes(column) && text !== row[column] ? before[column] : text,
    ]),
  );
  for (const column of Object.keys(theirs).filter((column) => !mine.includes(column))) {
    if (row[column] !== theirs[column]) console.log(`row ${row.id} is changed: ${column}`);
    row[column] = theirs[column];
  }
}

// 3. From the portal: posts without a row get one, rows whose post is gone go.
for (const [id, cells] of present)
  if (!rows.some((row) => row.id === id)) {
    rows.push({ id, ...cells });
    last[id] = cells;
    console.log(`post ${id} "${cells.title}" is a row now`);
  }
for (const row of rows.filter(({ id }) => !id.startsWith('new-') && !present.has(id))) {
  const edited = columns.some((column) => column !== 'id' && row[column] !== last[row.id]?.[column]);
  if (!edited) rows.splice(rows.indexOf(row), 1);
  if (!edited) delete last[row.id];
  console.log(
    `post ${row.id} "${row.title}" is gone, ${edited ? 'its row was changed and stays' : 'and its row with it'}`,
  );
}
save();

/** Writes cells of a post at the version that was compared. @returns false if somebody was quicker: the next run compares again */
async function write(row, changed, theirs) {
  const { contentData, occToken: version } = await posts.editForm({ postId: Number(row.id) }, { labels: true });
  const now = textOf(contentData);
  if (changed.some((column) => now[column] !== theirs[column])) return false;
  try {
    await posts.update(Number(row.id), { ...changesOf(row, changed), version });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    console.log(`post ${row.id} is not changed: ${error.message}`);
    return false;
  }
}

/** Writes both files, each whole or not at all. */
function save() {
  if (readFileSync(file, 'utf8') !== text) throw new Error(`${file} was edited during the run: run it again.`);
  const table = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  text = table.map((cells) => `${cells.map(quote).join(',')}\n`).join('');
  for (const [path, content] of [
    [file, text],
    [`${file}.last.json`, JSON.stringify(last)],
  ]) {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }
}

function quote(cell) {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Reads a CSV file: commas, and quotes around cells that hold commas, quotes or lines. */
function parseCsv(csv) {
  const table = [[]];
  let read = 0;
  for (const [cell, quoted, plain, end] of csv.matchAll(/\uFEFF?(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    table.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    read += cell.length;
    if (end !== ',') table.push([]);
  }
  if (read < csv.length) throw new Error(`A quote is missing in line ${csv.slice(0, read).split('\n').length}.`);
  return table.filter((cells) => cells.some((cell) => cell !== ''));
}
