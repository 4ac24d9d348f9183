/** Makes the people and groups of the demo. */
import { LicenceSubType, LicenceType } from '@portico/contract';
import { joining, type WriteScope, writeTransaction } from '../kernel/access/index.ts';
import type { Scope } from '../kernel/scope.ts';
import {
  blockUser,
  createGroupRecord,
  createIdentityProvider,
  createServiceAccount,
  createUserRecords,
  deleteGroup,
  deleteUser,
  ensureAreas,
  ensureBusinessUnits,
  setOrganisation,
  type UserRecord,
} from '../modules/people/index.ts';
import { areas, biographies, businessUnits, cast, groups, type PersonSpec, people, places } from './content.ts';
import { DAY, DEMO_ADMIN_EMAIL, type DemoContext, SEED_DATE } from './demo-context.ts';

/**
 * Returns the Latin spelling for the address of a person whose name is written in another script.
 */
function mailName(first: string, last: string, index: number): string {
  const plain = `${first}.${last}`
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return /^[a-z]+\.[a-z]+$/.test(plain) ? plain : `kobe${String(index).padStart(2, '0')}`;
}

function record(
  context: DemoContext,
  person: PersonSpec,
  index: number,
  units: { areas: number[]; business: number[] },
): UserRecord {
  const [firstName, lastName, tongue, area, unit, role] = person;
  const { random } = context;
  const mail =
    index === cast.administrator ? DEMO_ADMIN_EMAIL : `${mailName(firstName, lastName, index)}@alveria.example`;
  const { place, timezone } = places[tongue];
  const provider = index % 5;
  return {
    firstName,
    lastName,
    caption: role,
    contactEmail: mail,
    externalId: `E-${String(1000 + index)}`,
    language: tongue,
    timezone,
    createdAt: SEED_DATE - random.int(1, 60) * DAY,
    areaId: units.areas[areas.findIndex(({ key }) => key === area)] ?? null,
    businessUnitId: units.business[businessUnits.findIndex(({ key }) => key === unit)] ?? null,
    roleTitle: role,
    place,
    ...((cast.licensed as readonly number[]).includes(index) && {
      licenceTypes: [LicenceType.BASE, LicenceType.INTERACTA_I],
      licenceSubType: LicenceSubType.ADVANCED,
    }),
    managesUsers: index === cast.administrator || index === 5,
    managesWorkplace: index === cast.administrator || index === 6,
    privateProfile: (cast.privateProfiles as readonly number[]).includes(index),
    emailNotifications: index % 6 !== 5,
    reducedProfile: index % 11 === 7,
    visibleInPeopleSection: index !== cast.blocked,
    editPrivateEmailEnabled: index % 9 !== 8,
    ...(index % 4 !== 3 && {
      phone: `+39 0341 55${String(1000 + index * 7).slice(-4)}`,
      internalPhone: String(200 + index),
    }),
    ...(index % 3 === 0 && {
      mobilePhone: `+39 300 55${String(10_000 + index * 31).slice(-5)}`,
      biography: random.pick(biographies[tongue]),
      privateEmail: `p${1000 + index}@mail.example`,
      privateEmailVerified: index % 2 === 0,
      privateEmailVerificationRequired: index % 6 === 3,
    }),
    ...((provider === 0 || provider === 1) && { googleAccountId: mail }),
    ...(provider === 2 && { microsoftAccountId: mail }),
    ...((provider === 3 || index === cast.administrator) && {
      customUsername: mail.split('@')[0] ?? null,
      customCanManage: true,
    }),
    ...(index % 13 === 2 && {
      spidAccountId: `SPID-${index}`,
      openIdAccountId: `oid-${index}`,
      samlAccountId: `saml-${index}`,
    }),
  };
}

/** Makes everyone: areas and units, people below their managers, groups, the service account. */
export async function makePeople(context: DemoContext): Promise<void> {
  const scope = await context.system(SEED_DATE - DAY);
  await writeTransaction(scope, 'access', async (write) => {
    const units = {
      areas: await ensureAreas(
        write,
        areas.map((area) => ({ ...area, externalId: `AREA-${area.key}` })),
      ),
      business: await ensureBusinessUnits(
        write,
        businessUnits.map((unit) => ({ ...unit, externalId: `BU-${unit.key}` })),
      ),
    };
    context.people = await createUserRecords(
      write,
      people.map((person, index) => record(context, person, index, units)),
    );
    context.serviceAccount = await createServiceAccount(write, { name: 'Demo integration', admin: true });
    for (const [index, userId] of context.people.entries()) {
      const managerId = managerOf(context, index);
      if (managerId !== undefined) await setOrganisation(write, userId, { managerId });
    }
    await makeGroups(context, write);
    await makeIdentityProvider(context, write);
  });
}

/** Heads of departments report to the chief operating officer, everyone else without a licence to the head of their area. */
function managerOf(context: DemoContext, index: number): number | undefined {
  if (index === 1 || (cast.licensed as readonly number[]).includes(index)) return undefined;
  const heads = cast.managers as readonly number[];
  if (heads.includes(index) || index === cast.administrator) return context.people[1];
  const area = (people[index] as PersonSpec)[3];
  const candidates = heads.filter((head) => head !== 1 && (people[head] as PersonSpec)[3] === area);
  return context.people[candidates[index % Math.max(1, candidates.length)] ?? 1];
}

async function makeGroups(context: DemoContext, write: WriteScope): Promise<void> {
  for (const group of groups) {
    const { members } = group;
    const positions = people.flatMap(([, , tongue, area], index) =>
      members.everyone ||
      members.people?.includes(index) ||
      members.areas?.includes(area) ||
      members.tongues?.includes(tongue)
        ? [index]
        : [],
    );
    const memberIds = positions.map((index) => context.people[index] as number);
    const id = await createGroupRecord(write, {
      name: group.name,
      description: group.description,
      email: group.email ?? null,
      externalId: group.externalId ?? null,
      visible: group.visible ?? true,
      memberIds,
      tags: [
        ...(group.tags ?? []).map((name) => ({ name })),
        ...(group.key === 'managers' ? [{ name: 'obsolete', visible: false, deleted: true }] : []),
      ],
    });
    context.groups.set(group.key, id);
    if (!group.deleted)
      context.members.set(
        group.key,
        memberIds.filter((userId) => !hasLeft(context, userId)),
      );
  }
}

/** An example of a provider's settings. It is disabled: nobody answers at its address. */
async function makeIdentityProvider(context: DemoContext, write: WriteScope): Promise<void> {
  await createIdentityProvider(
    joining(write),
    {
      key: 'alveria',
      name: 'Alveria account',
      issuer: 'https://id.alveria.example/realms/alveria',
      clientId: 'portico',
      createUsers: true,
      emailDomains: ['alveria.example'],
      groupsClaim: 'groups',
      groupMappings: [{ value: 'managers', groupId: context.groups.get('managers') as number }],
    },
    [],
  );
}

/** Whether somebody is blocked or gone by the end of the story: they write nothing in it. */
function hasLeft(context: DemoContext, userId: number): boolean {
  return userId === context.people[cast.blocked] || userId === context.people[cast.deleted];
}

/** Blocks one of the people, deletes another, and dissolves a group. */
export async function removePeople(scope: Scope, context: DemoContext): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    const inside = joining(write);
    await blockUser(write, context.people[cast.blocked] as number, true);
    await deleteUser(inside, context.people[cast.deleted] as number);
    for (const { key, deleted } of groups) if (deleted) await deleteGroup(inside, context.groups.get(key) as number);
  });
}
