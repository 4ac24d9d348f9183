/** Creates and invites many people from a CSV file (operation importUsers): all of them, or none. */

import type { ImportUsersRequest, ImportUsersResponse } from '@portico/contract';
import { isMailAddress } from '@portico/platform/mail';
import { normaliseText } from '@portico/platform/text';
import { mustHoldRightsThatChange, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { cellAt, type ImportedRow, readImportedRows } from './import-rows.ts';
import { knownUnits, type PresentUser, presentUsers, setManagers } from './import-users.repository.ts';
import { answering } from './map-database-errors.ts';
import { mailLinks, recipientOf } from './password-links.ts';
import { mustManageUsers } from './people.policy.ts';
import type { UnitTable } from './units.repository.ts';
import { rightsGiven } from './user-fields.ts';
import { insertUsers } from './users.repository.ts';

/**
 * Creates the people of a file who do not exist yet, and sends each a password link unless `invite`
 * is false.
 * @throws PorticoError 403 without manageUsers, or without a right that a row gives;
 * ValidationError with line and column of every error
 */
export async function importUsers(scope: Scope, input: ImportUsersRequest): Promise<ImportUsersResponse> {
  mustManageUsers(scope.actor);
  const errors = new FieldErrors();
  const rows = await readImportedRows(requireFields(scope, input).csv, scope.settings.loginDomains, errors);
  findRepeated(rows, errors);
  errors.throwIfAny();
  const invites = input.invite ?? true;
  if (invites && scope.ownAddress === null)
    throw invalid('invite', 'INVALID_VALUE', 'The tenant has no host name that links could lead to; send false.');
  return answering(() =>
    // Imports run one at a time: a file that is sent twice at once creates nobody twice.
    writeTransaction(scope, 'access', async (write) => {
      mustManageUsers(write.actor);
      const found = await findPresent(write, rows, errors);
      const present = rows.map((row) => found.of(row));
      await placeInUnits(write, rows, errors);
      const managers = rows.map((row) => managerOf(row, rows, found, errors));
      errors.throwIfAny();
      const fresh = rows.filter((_row, index) => present[index] === undefined);
      mustHoldRightsThatChange(
        write.actor,
        [],
        fresh.flatMap(({ user }) => rightsGiven(user)),
      );
      const ids = await insertUsers(
        { tx: write.tx, now: write.now, by: write.actor.userId },
        fresh.map(({ user }) => user),
      );
      const idOf = new Map(fresh.map((row, index) => [row, ids[index]!]));
      const userIds = rows.map((row, index) => present[index]?.id ?? idOf.get(row)!);
      await setManagers(
        write.tx,
        rows.flatMap((row, index) => {
          const manager = managers[index];
          if (manager === undefined || !idOf.has(row)) return [];
          return [{ userId: idOf.get(row)!, managerId: 'id' in manager ? manager.id : userIds[manager.row]! }];
        }),
      );
      const invited = invites
        ? fresh.filter(({ user }) => user.customActive && isMailAddress(user.contactEmail ?? ''))
        : [];
      const expiresAt = await mailLinks(
        write,
        'invitation',
        invited.map((row) => ({ to: row.user.contactEmail!, recipient: recipientOf(idOf.get(row)!, row.user) })),
      );
      return {
        rows: rows.map((row, index) => ({
          line: row.line,
          userId: userIds[index]!,
          outcome: idOf.has(row) ? 'created' : 'present',
          contactEmail: row.user.contactEmail ?? undefined,
          username: row.user.customUsername ?? undefined,
          invited: invited.includes(row),
        })),
        createdCount: fresh.length,
        presentCount: rows.length - fresh.length,
        expiryTimestamp: invited.length > 0 ? expiresAt : undefined,
        sentEmailNotify: invited.length > 0 && scope.sendsMail,
      };
    }),
  );
}

/** Values that must be unique, in the form in which they are compared. */
const KEYS = [
  ['externalId', ({ user }: ImportedRow) => user.externalId],
  ['contactEmail', ({ user }: ImportedRow) => user.contactEmail?.toLowerCase() ?? null],
  ['username', ({ user }: ImportedRow) => user.customUsername?.toLowerCase() ?? null],
] as const;

/** Adds an error for each value that two rows share. */
function findRepeated(rows: readonly ImportedRow[], errors: FieldErrors): void {
  for (const [column, keyOf] of KEYS) {
    const lines = new Map<string, number>();
    for (const row of rows) {
      const key = keyOf(row);
      if (key === null) continue;
      const first = lines.get(key);
      if (first === undefined) lines.set(key, row.line);
      else errors.add(cellAt(row.line, column), 'DUPLICATE_VALUE', `Line ${first} has the same.`);
    }
  }
}

interface Present {
  /** The user that a row names by its external id, or else by its address. */
  of(row: ImportedRow): PresentUser | undefined;
  byEmail: ReadonlyMap<string, PresentUser>;
  byExternalId: ReadonlyMap<string, PresentUser>;
}

/** Finds the existing people, and adds an error for each value that belongs to another person. */
async function findPresent({ tx }: WriteScope, rows: readonly ImportedRow[], errors: FieldErrors): Promise<Present> {
  const managers = rows.map(({ manager }) => manager).filter(Boolean);
  const values = (at: 0 | 1 | 2) => rows.map(KEYS[at][1]).filter((value) => value !== null);
  const users = await presentUsers(tx, {
    externalIds: [...values(0), ...managers],
    emails: [...values(1), ...values(2), ...managers.map((text) => text.toLowerCase())],
    usernames: [...values(1), ...values(2)],
  });
  const by = (key: 'externalId' | 'email' | 'username') =>
    new Map(users.flatMap((user) => (user[key] === null ? [] : [[user[key], user] as const])));
  const [byExternalId, byEmail, byUsername] = [by('externalId'), by('email'), by('username')];
  const of = (row: ImportedRow) => byExternalId.get(KEYS[0][1](row) ?? '') ?? byEmail.get(KEYS[1][1](row) ?? '');
  const addresses = new Map(rows.filter((row) => !of(row)).map((row) => [KEYS[1][1](row), row]));
  for (const row of rows) {
    const user = of(row);
    // An address in the file must not be another person's user name, and the same holds for
    // existing addresses.
    const sharer = user ? undefined : addresses.get(KEYS[2][1](row) ?? '');
    if (sharer && sharer !== row)
      errors.add(cellAt(row.line, 'username'), 'DUPLICATE_VALUE', `It is the address of line ${sharer.line}.`);
    const byAddress = byEmail.get(KEYS[1][1](row) ?? '');
    const byName = user ? undefined : byUsername.get(KEYS[2][1](row) ?? '');
    const nameOfAddress = user ? undefined : byUsername.get(KEYS[1][1](row) ?? '');
    const addressOfName = user ? undefined : byEmail.get(KEYS[2][1](row) ?? '');
    for (const [column, holder] of [
      ['contactEmail', byAddress ?? nameOfAddress],
      ['username', byName ?? addressOfName],
    ] as const)
      if (holder && holder !== user)
        errors.add(cellAt(row.line, column), 'DUPLICATE_VALUE', `The user ${holder.id} has it.`);
    const { externalId } = row.user;
    if (user && externalId !== null && user.externalId !== null && user.externalId !== externalId)
      errors.add(
        cellAt(row.line, 'externalId'),
        'DUPLICATE_VALUE',
        `The user ${user.id} has this address and another external id.`,
      );
  }
  return { of, byEmail, byExternalId };
}

/** Puts the people of the rows into the units that they name. */
async function placeInUnits({ tx }: WriteScope, rows: readonly ImportedRow[], errors: FieldErrors): Promise<void> {
  const kinds = [
    ['area', 'areas', 'areaId'],
    ['businessUnit', 'business_units', 'businessUnitId'],
  ] as const satisfies readonly (readonly ['area' | 'businessUnit', UnitTable, 'areaId' | 'businessUnitId'])[];
  for (const [column, table, field] of kinds) {
    const named = rows.filter((row) => row[column] !== '');
    if (named.length === 0) continue;
    const ids = await knownUnits(tx, table, [...new Set(named.map((row) => row[column]))]);
    for (const row of named) {
      const id = ids.get(row[column]) ?? ids.get(normaliseText(row[column]).trim());
      if (id === undefined)
        errors.add(cellAt(row.line, column), 'UNKNOWN_REFERENCE', 'The name or the external id of one that there is.');
      else row.user[field] = id;
    }
  }
}

/**
 * Returns the manager that a row names: a user, or the person of another row; undefined without a
 * manager.
 */
function managerOf(
  row: ImportedRow,
  rows: readonly ImportedRow[],
  { byEmail, byExternalId }: Present,
  errors: FieldErrors,
): { id: number } | { row: number } | undefined {
  if (row.manager === '') return undefined;
  const user = byExternalId.get(row.manager) ?? byEmail.get(row.manager.toLowerCase());
  if (user) return { id: user.id };
  const index = rows.findIndex(
    (other) => other.user.externalId === row.manager || KEYS[1][1](other) === row.manager.toLowerCase(),
  );
  if (index >= 0 && rows[index] !== row) return { row: index };
  errors.add(
    cellAt(row.line, 'manager'),
    'UNKNOWN_REFERENCE',
    'The address or the external id of somebody else, who is there or in the file.',
  );
  return undefined;
}
