/**
 * Writes about people without HTTP: for operator commands, the demo generator and the importer.
 * Each function takes the scope of a running write, so that one transaction can create many
 * objects; that write must raise `access` if rights, names or memberships of existing users change.
 */

import { languages, oneLine, timeZoneId, timeZoneName } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { normaliseText } from '@portico/platform/text';
import {
  administrativeRights,
  mustHoldRights,
  mustHoldRightsOfUser,
  type WriteScope,
} from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../../kernel/errors.ts';
import type { AdministrativeRight } from '../../../kernel/scope.ts';
import { mustNotLink, usernameFault } from './credentials.policy.ts';
import { staleUser } from './edit-user.ts';
import { answering } from './map-database-errors.ts';
import { maxLengths, readEmail } from './people.policy.ts';
import { insertUnits, lockUnits, type UnitTable } from './units.repository.ts';
import { fieldsOfRights, newUser, rightsGiven, type UserFields } from './user-fields.ts';
import { insertUsers, type NewUserRow, readUser, updateUser } from './users.repository.ts';

/** New user; omitted properties are empty or have the default of the API. */
export type UserRecord = Pick<UserFields, 'lastName'> &
  Partial<UserFields> & {
    /** Time of the user's creation, epoch milliseconds; default: the time of the write. */
    createdAt?: number;
    /** Whether an archive names the person as an author. */
    imported?: boolean;
  };

/** Completes and checks a record. Provider accounts that it names are enabled. */
function completed(record: UserRecord): NewUserRow {
  const errors = new FieldErrors();
  const user: NewUserRow = { ...newUser('', ''), ...record };
  user.firstName = errors.optional('firstName', record.firstName, maxLengths.name) ?? '';
  user.lastName = errors.required('lastName', record.lastName, maxLengths.name);
  user.contactEmail = readEmail('contactEmail', record.contactEmail ?? undefined, errors);
  user.privateEmail = readEmail('privateEmail', record.privateEmail ?? undefined, errors);
  user.externalId = errors.optional('externalId', record.externalId ?? undefined, maxLengths.externalId);
  user.customUsername = errors.optional('customUsername', record.customUsername ?? undefined, maxLengths.account);
  const fault = user.customUsername === null ? undefined : usernameFault(user.customUsername);
  if (fault) errors.add('customUsername', 'INVALID_VALUE', fault);
  user.googleEnabled = user.googleAccountId !== null;
  user.microsoftEnabled = user.microsoftAccountId !== null;
  user.customActive = user.customUsername !== null;
  if (user.serviceAccount) mustNotLink(user);
  if (user.language !== null && !languages.some((language) => language.code === user.language)) {
    errors.add('language', 'INVALID_VALUE', `One of: ${languages.map((language) => language.code).join(', ')}.`);
  }
  if (user.timezone !== null) {
    const id = timeZoneId(user.timezone);
    if (id === undefined) errors.add('timezone', 'INVALID_TIME_ZONE');
    else user.timezone = timeZoneName(id)!;
  }
  errors.throwIfAny();
  return user;
}

/**
 * Creates a user. The last name is required; a single name is stored as the last name.
 * @returns the user's id
 * @throws ValidationError (also DUPLICATE_VALUE, after which the transaction cannot continue);
 * PorticoError 403 for a right that the actor lacks
 */
export async function createUserRecord(write: WriteScope, record: UserRecord): Promise<number> {
  const [id] = await createUserRecords(write, [record]);
  return id!;
}

/** Creates users in a fixed number of statements. @returns their ids, in the order given */
export async function createUserRecords(write: WriteScope, records: readonly UserRecord[]): Promise<number[]> {
  const users = records.map(completed);
  mustHoldRights(write.actor, users.flatMap(rightsGiven), 'The account to be made');
  return answering(() => insertUsers({ tx: write.tx, now: write.now, by: write.actor.userId }, users));
}

/** A person as imported data names them: by external id or address where it has one, else by name. */
interface NamedPerson {
  /** `First Last`, or `Last, First`. */
  name: string;
  externalId?: string;
  contactEmail?: string;
}

/** Titles after the comma of a full name that is not in the form `Last, First`. */
const TITLES = /^(?:ph\.?\s?d|m\.?d|jr|sr|ii|iii|iv|esq|msc|bsc|mba)\.?$/i;

/**
 * Splits a full name: at the comma of `Last, First`, unless a title follows it (`Ada Rossi, PhD`); before the first particle in lower case (`Guido | van Rossum`);
 * else before the last word. A single word is a last name.
 */
export function splitName(name: string): { firstName: string; lastName: string } {
  const text = oneLine(name).trim().replace(/\s+/gu, ' ');
  const comma = text.indexOf(',');
  if (comma > 0 && comma < text.length - 1) {
    const before = text.slice(0, comma).trim();
    const after = text.slice(comma + 1).trim();
    if (!TITLES.test(after)) return { firstName: after, lastName: before };
    const { firstName, lastName } = splitName(before);
    return { firstName, lastName: `${lastName}, ${after}` };
  }
  const words = text.split(' ');
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && /^\p{Ll}/u.test(word));
  const at = particle > 0 ? particle : words.length - 1;
  return { firstName: words.slice(0, at).join(' '), lastName: words.slice(at).join(' ') };
}

const nameKey = (firstName: string, lastName: string) => normaliseText(`${firstName} ${lastName}`).trim();

/** The people of a tenant, to be found by external id, by contact address, or by full name (case and accents aside). */
async function indexPeople(tx: TenantExecutor) {
  const known = await tx.query<{
    id: number;
    firstName: string;
    lastName: string;
    contactEmail: string | null;
    externalId: string | null;
  }>(
    `SELECT id, first_name AS "firstName", last_name AS "lastName", contact_email AS "contactEmail",
            external_id AS "externalId"
       FROM users WHERE tenant_id = $1 AND deleted_at IS NULL AND NOT system_account ORDER BY id`,
    [tx.tenantId],
  );
  const byName = new Map<string, number>();
  const byEmail = new Map<string, number>();
  const byExternalId = new Map<string, number>();
  const remember = (id: number, first: string, last: string, email: string | null, externalId: string | null) => {
    const key = nameKey(first, last);
    if (!byName.has(key)) byName.set(key, id);
    if (email !== null) byEmail.set(email.toLowerCase(), id);
    if (externalId !== null) byExternalId.set(externalId, id);
  };
  for (const user of known) remember(user.id, user.firstName, user.lastName, user.contactEmail, user.externalId);
  const find = (person: NamedPerson) => {
    if (person.externalId) return byExternalId.get(person.externalId);
    if (person.contactEmail) return byEmail.get(person.contactEmail.toLowerCase());
    const { firstName, lastName } = splitName(person.name);
    return byName.get(nameKey(firstName, lastName));
  };
  return { find, remember };
}

/**
 * Finds people like {@link ensureUsers}, without creating any.
 * @returns user ids, in the order given; undefined for unknown people
 */
export async function findUsers(
  { tx }: Pick<WriteScope, 'tx'>,
  people: readonly NamedPerson[],
): Promise<(number | undefined)[]> {
  const { find } = await indexPeople(tx);
  return people.map(find);
}

/**
 * Finds deleted people by their full names (case and accents aside).
 * @returns for each name the ids of all deleted people with that name; erased people match by their
 * current name
 */
export async function findDeletedUsers(db: TenantExecutor, names: readonly string[]): Promise<(readonly number[])[]> {
  if (names.length === 0) return [];
  const rows = await db.query<{ id: number; firstName: string; lastName: string }>(
    `SELECT id, first_name AS "firstName", last_name AS "lastName" FROM users
      WHERE tenant_id = $1 AND deleted_at IS NOT NULL AND NOT system_account ORDER BY id`,
    [db.tenantId],
  );
  const byName = Map.groupBy(rows, ({ firstName, lastName }) => nameKey(firstName, lastName));
  return names.map((name) => {
    const { firstName, lastName } = splitName(name);
    return (byName.get(nameKey(firstName, lastName)) ?? []).map(({ id }) => id);
  });
}

/**
 * Finds people by external id, by contact address, or by full name (case and accents aside), and
 * creates the missing ones. Does not find deleted users; among several users with one name it takes
 * the oldest. Two concurrent imports do not create the same person twice. Names, addresses and ids
 * may repeat in the input.
 * @returns user ids, in the order given
 * @throws ValidationError for an empty name
 */
export async function ensureUsers(write: WriteScope, people: readonly (string | NamedPerson)[]): Promise<number[]> {
  if (people.length === 0) return [];
  const asked = people.map((person): NamedPerson => (typeof person === 'string' ? { name: person } : person));
  await write.tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.people.' || $1, 0))`, [
    write.tx.tenantId,
  ]);
  const { find, remember } = await indexPeople(write.tx);
  const missing: UserRecord[] = [];
  for (const [index, person] of asked.entries()) {
    if (find(person) !== undefined) continue;
    const { firstName, lastName } = splitName(person.name);
    if (!lastName) throw invalid(`people[${index}].name`, 'REQUIRED_FIELD', 'A person needs a name.');
    const record = {
      firstName,
      lastName,
      contactEmail: person.contactEmail ?? null,
      externalId: person.externalId ?? null,
    };
    // Placeholder until the ids are known: a person named twice is created once.
    remember(-1 - missing.length, firstName, lastName, record.contactEmail, record.externalId);
    missing.push(record);
  }
  const made = await createUserRecords(write, missing);
  return asked.map((person) => {
    const id = find(person)!;
    return id < 0 ? made[-1 - id]! : id;
  });
}

/** New service account. */
interface ServiceAccountRecord {
  name: string;
  /**
   * True gives both administrative rights. Roles in communities are given separately
   * (docs/decisions/people.md).
   */
  admin: boolean;
  /** Rights that it gets where `admin` is false. */
  rights?: readonly AdministrativeRight[];
}

/**
 * Creates the user of a service account; the module `auth` creates its keys.
 * @returns the user's id
 */
export function createServiceAccount(write: WriteScope, account: ServiceAccountRecord): Promise<number> {
  const rights = account.admin ? administrativeRights : (account.rights ?? []);
  return createUserRecord(write, {
    lastName: account.name,
    caption: 'Service account',
    serviceAccount: true,
    visibleInPeopleSection: false,
    emailNotifications: false,
    ...fieldsOfRights(rights),
  });
}

/**
 * Gives a service account another name and other rights, inside a write that raises access.
 * @param expected the token of the form
 * @returns the next token
 * @throws PorticoError 404 (unknown or deleted), 403 for a right that the actor lacks, 409 for another token
 */
export async function updateServiceAccount(
  write: WriteScope,
  userId: number,
  account: { name: string; rights: readonly AdministrativeRight[] },
  expected: number,
): Promise<number> {
  const current = await readUser(write.tx, userId);
  if (!current || current.deleted) throw notFound();
  await mustHoldRightsOfUser(write, userId);
  mustHoldRights(write.actor, account.rights, 'The account as changed');
  const patch = { lastName: account.name, ...fieldsOfRights(account.rights) };
  const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
  const next = await updateUser(writing, current, patch, { token: 'version', expected });
  if (next === undefined) throw await staleUser(write, userId, 'version');
  return next;
}

/** Fields that {@link updateUserRecord} may set: all except the flags of special accounts. */
type UserRecordPatch = Partial<Omit<UserFields, 'serviceAccount' | 'systemAccount'>>;

/**
 * Sets any fields of a user that is not deleted without asking for a token: profile, rights, preferences. Raises the token of the
 * user's form.
 * @throws PorticoError 404 (unknown or deleted), 403 for a right that the actor lacks; ValidationError
 */
export async function updateUserRecord(write: WriteScope, userId: number, patch: UserRecordPatch): Promise<void> {
  const current = await readUser(write.tx, userId);
  if (!current || current.deleted) throw notFound();
  await mustHoldRightsOfUser(write, userId);
  mustHoldRights(write.actor, rightsGiven(patch), 'The account as changed');
  if (current.serviceAccount) mustNotLink({ ...current, ...patch });
  await answering(() =>
    updateUser({ tx: write.tx, now: write.now, by: write.actor.userId }, current, patch, { token: 'version' }),
  );
}

/** Place of a user in the organisation. Null removes a value; an omitted property keeps it. */
interface OrganisationPlace {
  areaId?: number | null;
  businessUnitId?: number | null;
  /** Manager of the user. */
  managerId?: number | null;
  /** Job role; also becomes the caption below the name unless a caption is given. */
  roleTitle?: string | null;
  caption?: string | null;
  place?: string | null;
}

/** Puts a user into area, business unit and job, below a manager. */
export function setOrganisation(write: WriteScope, userId: number, place: OrganisationPlace): Promise<void> {
  const caption = place.caption === undefined && place.roleTitle !== undefined ? { caption: place.roleTitle } : {};
  return updateUserRecord(write, userId, { ...place, ...caption });
}

/** Unit of the organisation to find or create. */
interface UnitRecord {
  name: string;
  externalId?: string;
  description?: string;
}

/**
 * Finds areas by name (case and accents aside); creates missing ones.
 * @returns ids, in the order given
 */
export function ensureAreas(write: WriteScope, areas: readonly UnitRecord[]): Promise<number[]> {
  return ensureUnits(write, 'areas', areas);
}

/**
 * Finds business units by name (case and accents aside); creates missing ones.
 * @returns ids, in the order given
 */
export function ensureBusinessUnits(write: WriteScope, units: readonly UnitRecord[]): Promise<number[]> {
  return ensureUnits(write, 'business_units', units);
}

async function ensureUnits(write: WriteScope, table: UnitTable, units: readonly UnitRecord[]): Promise<number[]> {
  const keys = units.map((unit) => normaliseText(unit.name).trim());
  await lockUnits(write.tx);
  const known = await write.tx.query<{ id: number; key: string }>(
    `SELECT min(id) AS id, name_key AS key FROM ${table} WHERE tenant_id = $1 AND name_key = ANY ($2::text[]) GROUP BY name_key`,
    [write.tx.tenantId, keys],
  );
  const ids = new Map(known.map((row) => [row.key, row.id]));
  const missing = new Map<string, UnitRecord>();
  for (const [index, key] of keys.entries()) if (!ids.has(key) && !missing.has(key)) missing.set(key, units[index]!);
  const made = [...missing].map(([nameKey, { name, externalId = null, description = null }]) => ({
    name,
    nameKey,
    externalId,
    description,
  }));
  const newIds = await insertUnits(write.tx, table, made);
  for (const [index, { nameKey }] of made.entries()) ids.set(nameKey, newIds[index]!);
  return keys.map((key) => ids.get(key)!);
}
