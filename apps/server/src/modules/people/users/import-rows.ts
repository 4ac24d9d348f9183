/**
 * Reads the rows of a CSV file of people (operation importUsers). Checks that need the database
 * follow later.
 */
import {
  type CreateUserRequest,
  importedColumns,
  maximumFieldErrors,
  mostImportedUsers,
  oneLine,
} from '@portico/contract';
import { CsvError, parse } from 'csv-parse/sync';
import { type FieldError, invalid, ValidationError } from '../../../kernel/errors.ts';
import { readCredentials } from './credentials.policy.ts';
import { FieldErrors, readRights } from './people.policy.ts';
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

/** Everything that is wrong with a file, by line and column. */
export class ImportErrors {
  readonly #errors: FieldError[] = [];

  add(line: number, column: string, error: Omit<FieldError, 'field'>): void {
    this.#errors.push({ ...error, field: `lines[${line}].${column}` });
  }

  /** True when further errors would not be reported. */
  get full(): boolean {
    return this.#errors.length >= maximumFieldErrors;
  }

  /** @throws ValidationError when anything was added */
  throwIfAny(): void {
    if (this.#errors.length > 0) throw new ValidationError(this.#errors);
  }
}

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
export function readImportedRows(csv: string, domains: readonly string[], errors: ImportErrors): ImportedRow[] {
  const records = parseCsv(csv);
  const [header, ...rows] = records;
  const columns = header!.cells.map((name) =>
    importedColumns.find((known) => known.toLowerCase() === name.toLowerCase()),
  );
  for (const [index, name] of header!.cells.entries()) {
    const column = columns[index];
    const allowed = `The columns are: ${importedColumns.join(', ')}.`;
    if (column === undefined) errors.add(header!.line, name, { code: 'INVALID_VALUE', defaultMessage: allowed });
    else if (columns.indexOf(column) !== index)
      errors.add(header!.line, column, { code: 'DUPLICATE_VALUE', defaultMessage: 'This column is there twice.' });
  }
  for (const column of ['firstname', 'lastname'] as const)
    if (!columns.includes(column)) errors.add(header!.line, column, { code: 'REQUIRED_FIELD' });
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

/** @throws ValidationError if the text is not CSV or has no line after the header */
function parseCsv(csv: string): { line: number; cells: string[] }[] {
  const firstLine = csv.slice(0, csv.search(/[\r\n]|$/));
  try {
    const records = parse(csv, {
      bom: true,
      delimiter: firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',',
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    // The parser counts the lines up to the end of a row.
    const rows = records.map(({ record, info }) => ({
      line: info.lines - record.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0),
      cells: record,
    }));
    if (rows.length < 2) throw invalid('csv', 'REQUIRED_FIELD', 'A header and a line for each person are needed.');
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid('csv', 'INVALID_VALUE', `Line ${error['lines']}: ${reasonOf(error)}`);
  }
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'the row has another number of cells than the header.';
  return 'quotes in this row do not match. Write a quote inside a quoted cell twice.';
}

function readRow(
  line: number,
  values: Partial<Record<Column, string>>,
  domains: readonly string[],
  errors: ImportErrors,
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
  for (const { field, ...error } of found.list) errors.add(line, columnOf(field), error);
  const { area = '', businessUnit = '', manager = '' } = values;
  return { line, user, area, businessUnit, manager };
}
