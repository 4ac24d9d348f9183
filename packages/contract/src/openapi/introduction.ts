/** The text at the head of the OpenAPI document: how the interface works, and the published tables. */
import * as codes from '../codes/codes.ts';
import * as definedCodes from '../codes/defined-codes.ts';
import { FieldType, fieldTypeName, fieldTypes, fieldTypesWhere } from '../codes/field-types.ts';
import { languages } from '../codes/languages.ts';
import { timeZoneNames } from '../codes/time-zones.ts';
import { errorCodes } from '../errors.ts';
import { userOrders } from '../filters.ts';
import { permissions } from '../permissions.ts';

type CodeTable = Readonly<Record<string, number | string>>;

function isCodeTable(value: unknown): value is CodeTable {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((item) => typeof item === 'number' || typeof item === 'string');
}

/** Every published table of codes by its name. */
export function codeTables(): Record<string, CodeTable> {
  // Sorted, because module runners differ in the order in which they list what a module exports.
  const all = Object.entries({ ...codes, ...definedCodes, FieldType } as Record<string, unknown>).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const tables: Record<string, CodeTable> = {};
  for (const [name, value] of all) if (isCodeTable(value)) tables[name] = value;
  return tables;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const operatorName = (id: number) => Object.entries(codes.FilterType).find(([, value]) => value === id)?.[0] ?? '';

function operatorTable(): string {
  const rows = Object.entries(FieldType).map(([name, type]) => [
    `${type} ${name}`,
    fieldTypes[type].operators.map((operator) => `${operator} ${operatorName(operator)}`).join(', '),
    fieldTypes[type].sortable ? 'yes' : 'no',
  ]);
  return table(['Type of field', 'Operators', 'Can be ordered by'], rows);
}

/** How values are read and written: a row for all types that have the same forms. */
function valueTable(): string {
  const forms = new Set(Object.values(fieldTypes).flatMap((facts) => facts.forms));
  const rows = [...forms].map((form) => {
    const types = fieldTypesWhere((facts) => facts.forms.includes(form)).map(fieldTypeName);
    return [`${types.join(', ')}${form.where ? ` ${form.where}` : ''}`, form.read, form.written];
  });
  return table(['Type of field', 'Read', 'Written'], rows);
}

function codeTableText(): string {
  const rows = Object.entries(codeTables()).map(([name, values]) => [
    `\`${name}\``,
    Object.entries(values)
      .map(([key, value]) => `${value} = ${key}`)
      .join(', '),
  ]);
  return table(['Code', 'Values'], rows);
}

function validationTable(): string {
  const rows = definedCodes.validationRules.map(({ id, name, parameter, fieldTypes, meaning }) => [
    `${id} ${name}`,
    parameter ?? 'none',
    fieldTypes.length === Object.keys(FieldType).length ? 'all' : fieldTypes.map(fieldTypeName).join(', '),
    meaning,
  ]);
  return table(['Rule', 'Parameter', 'Types of field', 'Meaning'], rows);
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, message }]) => [
    String(status),
    `\`${code}\``,
    message,
  ]);
  return table(['Status', 'Code', 'Solution'], rows);
}

/** Markdown for `info.description`. */
export function introduction(): string {
  return `Portico is a collaboration portal: workspaces hold communities, communities hold posts with custom fields, a workflow, comments, attachments and tasks.

## Signing in
Exchange a signed assertion of a service account (\`createAccessTokenByServiceAccount\`), a token of the identity provider (\`createAccessTokenByGoogleOAuth2\`) or a user name and a password (\`createAccessTokenByCredentials\`) for an access token, and send it as \`Authorization: Bearer …\`. A 401 carries \`WWW-Authenticate: INVALID_AUTH_TOKEN\`.

## Requests
Every operation is available below \`/portal/api\` and below \`/portal/api/external/v2\`; both are equivalent. Bodies are JSON of 1 MiB at most. A field of a body is optional unless its type lists it as required; \`null\` means the same as omitting the field, except in a merge patch, where it empties the field. An undeclared key returns 400 \`UNRECOGNIZED_FIELD\`, which names the key and the nearest declared one, unless its value is null; a wrong type returns a 400 that names the field. An operation that declares no body ignores the body of a request. Identifiers and timestamps are integers within ±(2^53 − 1); timestamps are epoch milliseconds.

Tokens of optimistic concurrency (\`occToken\`) are integers; a string of digits is accepted. A stale token returns 409.

Writes take \`?dryRun=true\`, which runs them in full and rolls them back (values other than true or false, in any case, return 400, and so does a name that differs in case or brackets), and the header \`Idempotency-Key\`: the same key with the same request returns the first response again for 48 hours; with another request it returns 422.

## Responses
Fields that do not apply are omitted; the types of the client library require the members that every response has. Links are absolute and short-lived.

## Paging
A list takes \`pageToken\`, \`pageSize\` (default 20, at most 500) and \`calculateTotalItemsCount\`, and returns \`items\`, \`nextPageToken\` and, on request, \`totalItemsCount\`. Send the token with the same filters and order; it can be stored and used later.

## Custom fields in filters and orders
${operatorTable()}

Lists filter only by fields marked \`searchable\` and order only by fields marked \`sortable\`.

## Values of custom fields
${valueTable()}

## Validation rules of custom fields
${validationTable()}

## Codes
${codeTableText()}

Orders of users (\`orderTypeId\`): ${userOrders.join(', ')}. Languages: ${languages.map(({ code }) => code).join(', ')}. Time zones have the ids of \`x-time-zones\` in this document, ${timeZoneNames.length} in all.

## Permissions
${table(
  ['Permission', 'Holder'],
  Object.entries(permissions).map(([name, text]) => [`\`${name}\``, text]),
)}

## Errors
Every error is an object with \`code\`, \`message\` and \`requestId\`, and with \`type\`, \`title\`, \`status\` and \`detail\` as in RFC 9457. A 400 has \`validationErrors.list\` with \`code\`, \`args\`, \`defaultMessage\` and \`field\` of each error; errors of custom fields also name the field and the rule.

${errorTable()}
`;
}
