// Makes a file of purchase orders as old systems leave them: most rows can be imported, some have a fault each. The same seed
// always gives the same file. Prints the file, and the lines of each kind of fault on standard error.
// usage: node examples/purchasing/rows.mjs [ROWS] [SEED] > orders.csv
import { pathToFileURL } from 'node:url';

const HEADER = 'number;subject;amount;cost centre;kind;supplier;wanted by;state;reason';

const COST_CENTRES = ['1000 Management', '2000 Production', '3000 Sales'];
/** Spellings by people; the mapping knows the value of each. */
const KINDS = ['Goods', 'goods', 'GOODS', 'Service', 'svc.', 'Licence', 'license'];
const SUPPLIERS = ['Rossi', ' Rossi ', 'Bianchi & C.', '"Bianchi & C."', 'Verdi S.p.A.', 'n/a', '-', ''];
const STATES = ['Requested', 'Approved', 'Ordered', ''];
const THINGS = ['Chairs', 'Toner', 'Café machine', '"Cable; 5 m"', 'Monitors', '"Desk ""Oslo"""', 'Laptops', 'Paint'];
const REASONS = ['worn out', '"for the new\noffice"', 'audit 2024', 'see the offer', 'replaces the old one'];

/**
 * Kinds of fault, each with a function that changes a good row. `row` is a list of cells, which the
 * function may change or replace.
 */
const FAULTS = {
  'amount is not a number': (row) => set(row, 2, '12O,50'),
  'amount is negative': (row) => set(row, 2, '-5,00'),
  'amount is missing': (row) => set(row, 2, ''),
  'cost centre does not exist': (row) => set(row, 3, '9999 Unknown'),
  'kind does not exist': (row) => set(row, 4, 'Gods'),
  'date does not exist': (row) => set(row, 6, '31/02/2025'),
  'date is written in another way': (row) => set(row, 6, 'next week'),
  'state does not exist': (row) => set(row, 7, 'Lost'),
  'reason is missing': (row) => set(row, 8, 'n/a'),
  'subject is too long': (row) => set(row, 1, 'x'.repeat(3000)),
  'number is missing': (row) => set(row, 0, ''),
  'number was there before': (row, earlier) => set(row, 0, earlier),
  'cells are missing': (row) => row.slice(0, 5),
  'there is a cell too many': (row) => [...row, 'x'],
  'a quote is not closed': (row) => set(row, 1, '"Chairs'),
};

/**
 * @param rows how many rows; at least twice as many as there are kinds of fault
 * @returns the file, and the lines of each kind of fault: the first line of the file, which names the columns, is 1
 */
export function messyRows(rows = 2002, seed = 1) {
  const random = randomOf(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const kinds = Object.keys(FAULTS);
  // The same number of rows for each kind, spread over the file; the first row is good, so that
  // another can repeat its number.
  const each = Math.max(1, Math.floor(rows / 200));
  const places = shuffled(
    Array.from({ length: rows - 1 }, (_, n) => n + 1),
    random,
  );
  const faultAt = new Map(places.slice(0, each * kinds.length).map((place, n) => [place, kinds[n % kinds.length]]));
  const lines = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const file = [HEADER];
  let line = 2;
  for (let n = 0; n < rows; n++) {
    const good = [
      String(10_000 + n),
      pick(THINGS),
      amount(random),
      pick(COST_CENTRES),
      pick(KINDS),
      pick(SUPPLIERS),
      random() < 0.2 ? '' : `${1 + Math.floor(random() * 28)}/${1 + Math.floor(random() * 12)}/2025`,
      pick(STATES),
      pick(REASONS),
    ];
    const kind = faultAt.get(n);
    // A row with a fault has no line break within, so that its fault is found by its line.
    const cells =
      kind === undefined
        ? good
        : FAULTS[kind](
            good.map((cell) => cell.replace('\n', ' ')),
            '10000',
          );
    if (kind !== undefined) lines[kind].push(line);
    const text = cells.join(';');
    file.push(text);
    line += text.split('\n').length;
  }
  return { csv: `${file.join('\r\n')}\r\n`, lines };
}

function set(row, index, cell) {
  return row.with(index, cell);
}

/**
 * Returns an amount like 1.234,50, in the country's format, without the point, or with a space
 * around it.
 */
function amount(random) {
  const cents = 100 + Math.floor(random() * 500_000);
  const whole = Math.floor(cents / 100);
  const grouped = random() < 0.5 ? String(whole) : String(whole).replace(/(\d)(\d{3})$/, '$1.$2');
  return `${random() < 0.1 ? ' ' : ''}${grouped},${String(cents % 100).padStart(2, '0')}`;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled(list, random) {
  const copy = [...list];
  for (let n = copy.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1));
    [copy[n], copy[other]] = [copy[other], copy[n]];
  }
  return copy;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { csv, lines } = messyRows(Number(process.argv[2] ?? 2002), Number(process.argv[3] ?? 1));
  process.stdout.write(csv);
  for (const [kind, at] of Object.entries(lines)) process.stderr.write(`${kind}: lines ${at.join(', ')}\n`);
}
