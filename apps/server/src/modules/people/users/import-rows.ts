/**
 * Reads the rows of a CSV file of people (operation importUsers). Checks that need the database
 * follow later.
 */
import { type CreateUserRequest, importedColumns, mostImportedUsers, oneLine } from '@portico/contract';
import { readCsv } from '@portico/platform/text/csv';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import { readCredentials } from './credentials.policy.ts';
import { readRights } from './people.policy.ts';
import { readUserContent } from './user-content.ts';
import { fieldsOfRights, newUser, type UserFields } from './user-fields.ts';

type Column = (typeof importedColumns)[number];

/** A person of the file. */
export interface ImportedRow {
  /** Line of the file on which the row begins; the first is 1. */
  line: number;
  user: UserFields;
  /** Names or external ids of units, and address or external id of the manager; empty without one. */
  area: string;
  businessUnit: string;
  manager: string;
}

/** Returns the field of an error in a cell. */
export const cellAt = (line: number, column: string): string => `lines[${line}].${column}`;

/** CSV column of each form field. */
const COLUMN_OF: Readonly<Record<string, Column>> = {
  'userCredentialsConfiguration.custom.username': 'username',
  'userPreferences.defaultLanguageId': 'language',
};
const columnOf = (field: string) => COLUMN_OF[field] ?? field.replace(/^userInfo\./, '');

/**
 * Reads a file with a header. Cells are separated by commas, or by semicolons if the header has no
 * comma.
 * @param domains login domains of the tenant
 * @throws ValidationError on `csv` for a file that cannot be parsed
 */
export async function readImportedRows(
  csv: string,
  domains: readonly string[],
  errors: FieldErrors,
): Promise<ImportedRow[]> {
  const records = await parseCsv(csv);
  const [header, ...rows] = records;
  const columns = header!.cells.map((name) =>
    importedColumns.find((known) => known.toLowerCase() === name.toLowerCase()),
  );
  for (const [index, name] of header!.cells.entries()) {
    const column = columns[index];
    const allowed = `The columns are: ${importedColumns.join(', ')}.`;
    if (column === undefined) errors.add(cellAt(header!.line, name), 'INVALID_VALUE', allowed);
    else if (columns.indexOf(column) !== index)
      errors.add(cellAt(header!.line, column), 'DUPLICATE_VALUE', 'This column is there twice.');
  }
  for (const column of ['firstname', 'lastname'] as const)
    if (!columns.includes(column)) errors.add(cellAt(header!.line, column), 'REQUIRED_FIELD');
  errors.throwIfAny();
  if (rows.length > mostImportedUsers)
    throw invalid('csv', 'TOO_MANY_ITEMS', `A file has at most ${mostImportedUsers} people; send more in several.`, [
      mostImportedUsers,
    ]);
  return rows.map(({ line, cells }) => {
    const values: Partial<Record<Column, string>> = {};
    for (const [index, column] of columns.entries()) if (column) values[column] = cells[index] ?? '';
    return readRow(line, values, domains, errors);
  });
}

/**
 * Returns the rows of a file with cells, the header first.
 * @throws ValidationError for rows that cannot be read, and for a file without a row after the
 *   header
 */
async function parseCsv(csv: string): Promise<{ line: number; cells: string[] }[]> {
  const [firstLine = '', ...lines] = csv.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const delimiter = firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
  async function* source() {
    yield* [firstLine, ...lines];
  }
  const errors = new FieldErrors();
  const rows: { line: number; cells: string[] }[] = [];
  for await (const { line, cells, error } of readCsv(source(), { delimiter, quote: '"', trim: true })) {
    const refuse = (reason: string) => errors.add('csv', 'INVALID_VALUE', `Line ${line}: ${reason}`);
    if (!cells) refuse(`${error?.reason}.`);
    else if (cells.every((cell) => cell.trim() === '')) continue;
    else if (cells.length !== (rows[0]?.cells ?? cells).length)
      refuse('the row has another number of cells than the header.');
    else rows.push({ line, cells });
  }
  errors.throwIfAny();
  if (rows.length < 2) throw invalid('csv', 'REQUIRED_FIELD', 'A header and a line for each person are needed.');
  return rows;
}

function readRow(
  line: number,
  values: Partial<Record<Column, string>>,
  domains: readonly string[],
  errors: FieldErrors,
): ImportedRow {
  const found = new FieldErrors();
  const { firstname, lastname, contactEmail, externalId, language, role, phone, mobilePhone, place } = values;
  const content: CreateUserRequest = {
    firstname: oneLine(firstname ?? ''),
    lastname: oneLine(lastname ?? ''),
    contactEmail: contactEmail ?? '',
    externalId: externalId ?? '',
    ...(language && { userPreferences: { defaultLanguageId: language } }),
    userInfo: {
      role: oneLine(role ?? ''),
      phone: phone ?? '',
      mobilePhone: mobilePhone ?? '',
      place: oneLine(place ?? ''),
    },
  };
  const user = { ...newUser('', ''), ...readUserContent(content, undefined, found) };
  const { adminCapabilities = '' } = values;
  Object.assign(user, fieldsOfRights(readRights(adminCapabilities.split(/[\s,;|]+/).filter(Boolean), found) ?? []));
  // A person without a user name signs in by their address.
  const username = values.username || user.contactEmail;
  if (username) {
    const custom = { username, active: true, canUserManageCustomCredentials: true };
    Object.assign(user, readCredentials({ custom }, user, domains, found).patch);
  }
  errors.push(...found.list.map((error) => ({ ...error, field: cellAt(line, columnOf(error.field)) })));
  const { area = '', businessUnit = '', manager = '' } = values;
  return { line, user, area, businessUnit, manager };
}
