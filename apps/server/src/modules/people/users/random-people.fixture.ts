/** Users drawn at random, in every state the list of users can tell apart, and a naive statement of that list. */

import {
  AdminCapability,
  type ListSystemUsersRequest,
  timeZoneId,
  type UserOrder,
  UserStatus,
} from '@portico/contract';
import { compareSortKeys, normaliseText, searchDocument, searchTerms, sortKeyWithTies } from '@portico/platform/text';
import { matchesSearch } from '@portico/platform/text/search.fixture';
import fc from 'fast-check';
import { createUserRecords, ensureAreas, ensureBusinessUnits, type UserRecord } from './accounts.ts';
import { createGroupRecord } from './edit-group.ts';
import { call, type PeopleTenant } from './people.fixture.ts';

const FIRST = ['Anna', 'anna', 'Ànna', 'Anna Maria', 'Zoë', 'Ørsted', '李', 'O%Neil', '_under', 'Ștefan', ''] as const;
const LAST = [
  'Rossi',
  'rossi',
  'Ròssi',
  'van Rossum',
  'de la Cruz',
  '王小明',
  'Straße',
  'Strasse',
  'X',
  'A_B',
] as const;
const PLACES = [null, 'Piazza Dante, 4', 'Sede di Torino', 'Århus', '50% remote'] as const;
const ROLES = [null, 'Engineer', 'ingénieur', 'Head of R&D', 'a_b'] as const;
const ZONES = [null, 'Europe/Rome', 'UTC', 'America/New_York'] as const;
const LANGUAGES = [null, 'it', 'en', 'ja'] as const;
const AREAS = ['North', 'sud', 'Øst'];
const UNITS = ['Sales', 'sàles EU', 'Works'];
export const DAY = 86_400_000;
export const START = Date.UTC(2024, 0, 1);

/** A user as the model knows them. */
interface Person extends Omit<UserRecord, 'createdAt'> {
  id: number;
  createdAt: number;
  lastAccessAt: number | null;
  deleted: boolean;
  workspaces: Set<number>;
  communities: Set<number>;
  groups: Set<number>;
  roles: Set<number>;
  rights: Set<string>;
  areaName: string | null;
  unitName: string | null;
}

/** Created objects. */
export interface Crowd {
  people: Person[];
  areaIds: number[];
  unitIds: number[];
  workspaceIds: number[];
  communityIds: number[];
  groupIds: number[];
}

const nameIn = (names: readonly string[], ids: readonly number[], id: unknown) =>
  id === null ? null : names[ids.indexOf(Number(id))]!;

const personArbitrary = fc.record({
  firstName: fc.constantFrom(...FIRST),
  lastName: fc.constantFrom(...LAST),
  hasEmail: fc.boolean(),
  emailHost: fc.constantFrom('example.org', 'Esempio.IT'),
  hasPrivate: fc.boolean(),
  externalId: fc.boolean(),
  place: fc.constantFrom(...PLACES),
  roleTitle: fc.constantFrom(...ROLES),
  timezone: fc.constantFrom(...ZONES),
  language: fc.constantFrom(...LANGUAGES),
  area: fc.option(fc.nat(2)),
  unit: fc.option(fc.nat(2)),
  manager: fc.option(fc.nat(2)),
  google: fc.boolean(),
  microsoft: fc.boolean(),
  custom: fc.boolean(),
  status: fc.constantFrom(1, 1, 1, 2, 3),
  flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  rights: fc.tuple(fc.boolean(), fc.boolean()),
  day: fc.nat(30),
  access: fc.option(fc.nat(30)),
  groups: fc.subarray([0, 1, 2, 3]),
});

/** Makes a crowd through the verbs; memberships of workspaces and communities by SQL, since they are another module's. */
export async function drawCrowd(tenant: PeopleTenant): Promise<Crowd> {
  const drawn = fc.sample(personArbitrary, 90);
  const { ids, managers, areaIds, unitIds } = await tenant.write('access', async (write) => {
    const areaIds = await ensureAreas(
      write,
      AREAS.map((name) => ({ name })),
    );
    const unitIds = await ensureBusinessUnits(
      write,
      UNITS.map((name) => ({ name, description: `${name}!` })),
    );
    const bosses = await createUserRecords(
      write,
      [0, 1, 2].map((n) => ({ firstName: 'Boss', lastName: `B${n}`, createdAt: START })),
    );
    const records = drawn.map(
      (person, n): UserRecord => ({
        firstName: person.firstName,
        lastName: person.lastName,
        contactEmail: person.hasEmail
          ? `${person.lastName === 'X' ? 'Ünder_x' : 'mail'}${n}@${person.emailHost}`
          : null,
        privateEmail: person.hasPrivate ? `home${n}@Privato.net` : null,
        externalId: person.externalId ? `EXT-${n}%é` : null,
        place: person.place,
        roleTitle: person.roleTitle,
        timezone: person.timezone,
        language: person.language,
        areaId: person.area === null ? null : areaIds[person.area]!,
        businessUnitId: person.unit === null ? null : unitIds[person.unit]!,
        managerId: person.manager === null ? null : bosses[person.manager]!,
        googleAccountId: person.google ? `g${n}@gmail.example` : null,
        microsoftAccountId: person.microsoft ? `m${n}@live.example` : null,
        customUsername: person.custom ? `user${n}` : null,
        blocked: person.status === UserStatus.BLOCKED,
        peopleSectionEnabled: person.flags[0],
        visibleInPeopleSection: person.flags[1],
        reducedProfile: person.flags[2],
        viewUserProfiles: person.flags[3],
        managesUsers: person.rights[0] && n % 4 === 0,
        managesWorkplace: person.rights[1] && n % 3 === 0,
        createdAt: START + person.day * DAY,
      }),
    );
    return { ids: [...bosses, ...(await createUserRecords(write, records))], managers: bosses, areaIds, unitIds };
  });
  const all = [...managers.map(() => undefined), ...drawn];
  const system = await tenant.sql<{ id: number }>('SELECT id::int FROM users WHERE tenant_id = $1 AND system_account', [
    tenant.id,
  ]);
  const creator = system[0]!.id;
  const made = async (sql: string, values: unknown[]) => Number((await tenant.sql<{ id: string }>(sql, values))[0]!.id);
  const workspace = () =>
    made('INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, $2, $3, $3) RETURNING id', [
      tenant.id,
      'Workspace',
      creator,
    ]);
  const workspaceIds = [await workspace(), await workspace()];
  const community = (workspaceId: number, memberRole: number | null) =>
    made(
      `INSERT INTO communities (tenant_id, workspace_id, name, name_key, creator_id, workspace_member_role)
       VALUES ($1, $2, 'c', 'c', $3, $4) RETURNING id`,
      [tenant.id, workspaceId, creator, memberRole],
    );
  // Two in the first workspace, one of them without a role for plain members; one in the second.
  const communityIds = [
    await community(workspaceIds[0]!, 3),
    await community(workspaceIds[0]!, null),
    await community(workspaceIds[1]!, 3),
  ];
  const inGroup = (group: number) => ids.filter((_, index) => all[index]?.groups.includes(group));
  const groupIds = await tenant.write('access', async (write) => [
    await createGroupRecord(write, { name: 'plain members', memberIds: inGroup(0) }),
    await createGroupRecord(write, { name: 'contributors', memberIds: inGroup(1) }),
    await createGroupRecord(write, { name: 'deleted', memberIds: inGroup(2), managesUsers: true }),
    await createGroupRecord(write, { name: 'rights', memberIds: inGroup(3), managesUsers: true }),
  ]);
  await call('deleteGroup', tenant.admin, { params: { groupId: groupIds[2]! } });
  const member = 'INSERT INTO workspace_members (tenant_id, workspace_id, principal, role_id) VALUES ($1, $2, $3, $4)';
  const role = 'INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, $4)';
  await tenant.sql(member, [tenant.id, workspaceIds[0], -groupIds[0]!, null]);
  await tenant.sql(member, [tenant.id, workspaceIds[0], -groupIds[2]!, 2]);
  await tenant.sql(member, [tenant.id, workspaceIds[1], ids[5]!, 2]);
  await tenant.sql(role, [tenant.id, communityIds[1], -groupIds[1]!, 2]);
  await tenant.sql(role, [tenant.id, communityIds[2], ids[7]!, 1]);

  const people: Person[] = [];
  const stored = await tenant.sql<Record<string, never>>('SELECT * FROM users WHERE tenant_id = $1 ORDER BY id', [
    tenant.id,
  ]);
  for (const row of stored as unknown as Record<string, string | number | boolean | Date | null>[]) {
    const id = Number(row['id']);
    const person = all[ids.indexOf(id)];
    const deleted = person?.status === UserStatus.DELETED;
    const groups = deleted ? [] : (person?.groups ?? []);
    const lastAccessAt = person && person.access !== null ? START + person.access * DAY : null;
    if (lastAccessAt !== null) {
      await tenant.sql('UPDATE users SET last_access_at = $3 WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        id,
        new Date(lastAccessAt),
      ]);
    }
    if (deleted) await call('deleteUser', tenant.admin, { params: { userId: id } });
    const position = ids.indexOf(id);
    people.push({
      id,
      firstName: row['first_name'] as string,
      lastName: row['last_name'] as string,
      contactEmail: row['contact_email'] as string | null,
      privateEmail: row['private_email'] as string | null,
      externalId: row['external_id'] as string | null,
      place: row['place'] as string | null,
      roleTitle: row['role_title'] as string | null,
      timezone: row['timezone'] as string | null,
      language: row['language'] as string | null,
      areaId: row['area_id'] === null ? null : Number(row['area_id']),
      businessUnitId: row['business_unit_id'] === null ? null : Number(row['business_unit_id']),
      managerId: row['manager_id'] === null ? null : Number(row['manager_id']),
      googleAccountId: row['google_account_id'] as string | null,
      googleEnabled: row['google_enabled'] as boolean,
      microsoftAccountId: row['microsoft_account_id'] as string | null,
      microsoftEnabled: row['microsoft_enabled'] as boolean,
      customUsername: row['custom_username'] as string | null,
      customActive: row['custom_active'] as boolean,
      blocked: row['blocked'] as boolean,
      peopleSectionEnabled: row['people_section_enabled'] as boolean,
      visibleInPeopleSection: row['visible_in_people_section'] as boolean,
      reducedProfile: row['reduced_profile'] as boolean,
      viewUserProfiles: row['view_user_profiles'] as boolean,
      createdAt: (row['created_at'] as Date).getTime(),
      lastAccessAt,
      deleted,
      workspaces: new Set([
        ...(groups.includes(0) ? [workspaceIds[0]!] : []),
        ...(position === 5 ? [workspaceIds[1]!] : []),
      ]),
      communities: new Set([
        ...(groups.includes(0) ? [communityIds[0]!] : []),
        ...(groups.includes(1) ? [communityIds[1]!] : []),
        ...(position === 5 || position === 7 ? [communityIds[2]!] : []),
      ]),
      groups: new Set(groups.filter((group) => group !== 2).map((group) => groupIds[group]!)),
      roles: new Set([...(groups.includes(1) || position === 5 ? [2] : []), ...(position === 7 ? [1] : [])]),
      areaName: nameIn(AREAS, areaIds, row['area_id']),
      unitName: nameIn(UNITS, unitIds, row['business_unit_id']),
      rights: new Set([
        ...(row['manages_users'] || groups.includes(3) ? [AdminCapability.MANAGE_USERS] : []),
        ...(row['manages_workplace'] ? [AdminCapability.MANAGE_DIGITAL_WORKPLACE] : []),
      ]),
    });
  }
  return { people, areaIds, unitIds, workspaceIds, communityIds, groupIds };
}

const some = <T>(values: readonly T[] | undefined, test: (value: T) => boolean) => !values?.length || values.some(test);
const asList = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());
const contains = (text: string | null | undefined, part: string | undefined) =>
  !part?.trim() || (text !== null && text !== undefined && normaliseText(text).includes(normaliseText(part).trim()));
const begins = (text: string | null | undefined, part: string | undefined) =>
  !part?.trim() || (text != null && normaliseText(text).trim().startsWith(normaliseText(part).trim()));
const hasWords = (texts: (string | null | undefined)[], query: string | undefined) =>
  !query || matchesSearch(searchDocument(texts.map((text) => text ?? '')), searchTerms(query));
const within = (time: number | null, from: number | undefined, to: number | undefined) =>
  (from === undefined || (time !== null && time >= from)) && (to === undefined || (time !== null && time <= to));
const equals = (value: unknown, wanted: boolean | undefined) => wanted === undefined || value === wanted;

function statusOf({ deleted, blocked }: Person): UserStatus {
  if (deleted) return UserStatus.DELETED;
  return blocked ? UserStatus.BLOCKED : UserStatus.ACTIVE;
}

/** Model of the filters. */
function passes(person: Person, filters: ListSystemUsersRequest): boolean {
  const status = statusOf(person);
  const providers = [
    ...(person.googleAccountId && person.googleEnabled ? ['google'] : []),
    ...(person.microsoftAccountId && person.microsoftEnabled ? ['microsoft'] : []),
    ...(person.customUsername && person.customActive ? ['custom'] : []),
  ];
  const providerTexts = [person.googleAccountId, person.microsoftAccountId];
  return (
    (filters.statusFilter?.length
      ? filters.statusFilter.map((code) => code || UserStatus.ACTIVE).includes(status)
      : !person.deleted) &&
    hasWords([person.firstName, person.lastName, person.contactEmail], filters.fullTextFilter) &&
    hasWords([person.place], filters.place) &&
    contains(person.roleTitle, filters.role) &&
    contains(person.externalId, filters.externalIdFullTextFilter) &&
    contains(person.privateEmail, filters.personalEmailFullTextFilter) &&
    (!filters.externalAuthServiceEmailFullTextFilter?.trim() ||
      providerTexts.some((text) => contains(text, filters.externalAuthServiceEmailFullTextFilter))) &&
    begins(person.firstName, filters.firstNamePrefixFullTextFilter) &&
    begins(person.lastName, filters.lastNamePrefixFullTextFilter) &&
    begins(person.contactEmail, filters.emailPrefixFullTextFilter) &&
    some(filters.businessUnitIds, (id) => person.businessUnitId === id) &&
    some(filters.areaIds, (id) => person.areaId === id) &&
    some(filters.managerIds, (id) => person.managerId === id) &&
    some(asList(filters.lang), (code) => person.language === code) &&
    some(filters.timeZoneIds, (id) => person.timezone != null && timeZoneId(person.timezone) === id) &&
    some(asList(filters.loginProviderFilter), (provider) => providers.includes(provider)) &&
    some(filters.workspaceIds, (id) => person.workspaces.has(id)) &&
    some(filters.communityIds, (id) => person.communities.has(id)) &&
    some(filters.groupIds, (id) => person.groups.has(id)) &&
    some(filters.roleIds, (id) => person.roles.has(id)) &&
    (filters.adminCapabilities ?? []).every((right) => person.rights.has(right)) &&
    within(person.createdAt, filters.creationTimestampFrom, filters.creationTimestampTo) &&
    within(person.lastAccessAt, filters.lastAccessTimestampFrom, filters.lastAccessTimestampTo) &&
    equals(person.peopleSectionEnabled, filters.peopleSectionEnabled) &&
    equals(person.visibleInPeopleSection, filters.visibleInPeopleSection) &&
    equals(person.reducedProfile, filters.reducedProfile) &&
    equals(person.viewUserProfiles, filters.viewUserProfiles)
  );
}

type Value = string | number | null;
const textValue = (text: string | null | undefined): Value => (text ? sortKeyWithTies(text) : null);
const orderValue: Record<UserOrder, (person: Person) => Value> = {
  lastName: (person) => textValue(person.lastName),
  firstName: (person) => textValue(person.firstName),
  contactEmail: (person) => textValue(person.contactEmail),
  externalId: (person) => textValue(person.externalId),
  role: (person) => textValue(person.roleTitle),
  place: (person) => textValue(person.place),
  businessUnit: (person) => textValue(person.unitName?.toLowerCase()),
  area: (person) => textValue(person.areaName?.toLowerCase()),
  creationTimestamp: (person) => person.createdAt,
  lastAccessTimestamp: (person) => person.lastAccessAt,
  id: (person) => person.id,
};

function compareValues(a: Value, b: Value, desc: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'string' ? compareSortKeys(a, b as string) : a - (b as number);
  return desc ? -order : order;
}

/** Model of the list of users: filters and sorts in memory. @returns ids in order */
export function modelOfList(
  people: readonly Person[],
  filters: ListSystemUsersRequest,
  order: UserOrder,
  desc: boolean,
): number[] {
  const values = [orderValue[order], orderValue.lastName, orderValue.firstName, orderValue.id];
  return people
    .filter((person) => passes(person, filters))
    .sort((a, b) => values.map((of) => compareValues(of(a), of(b), desc)).find((result) => result !== 0) ?? 0)
    .map((person) => person.id);
}
