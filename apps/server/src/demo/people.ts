/** Creates the people and groups of the demo, and completes their profiles. */
import { joining, type WriteScope, writeTransaction } from '../kernel/access/index.ts';
import type { Scope } from '../kernel/scope.ts';
import { claimUploads } from '../modules/files/index.ts';
import {
  backfillAccess,
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
  updateUserRecord,
} from '../modules/people/index.ts';
import type { PeopleData } from './data.ts';
import type { DemoContext } from './demo-context.ts';

/** Creates areas and units, people below their managers, the service account and groups. */
export async function createPeople(context: DemoContext, data: PeopleData): Promise<void> {
  const { names } = context;
  const nameAll = (kind: string, items: readonly { key: string }[], ids: readonly number[]) => {
    for (const [index, { key }] of items.entries()) names.set(`${kind}:${key}`, ids[index]!);
  };
  await context.write('2024-01-07T07:30Z', 'access', async (write) => {
    nameAll('area', data.areas, await ensureAreas(write, data.areas));
    nameAll('unit', data.businessUnits, await ensureBusinessUnits(write, data.businessUnits));
    const records = data.people.map(({ record }) => names.resolve<typeof record>(record));
    nameAll('user', data.people, await createUserRecords(write, records));
    const account = await createServiceAccount(write, { name: 'Demo integration', admin: true });
    names.set(`user:${data.account.key}`, account);
    for (const { key, managerId } of data.people)
      if (managerId) await setOrganisation(write, names.get(`user:${key}`), { managerId: names.resolve(managerId) });
    for (const { key, ...group } of data.groups) {
      const id = await createGroupRecord(write, names.resolve(group));
      names.set(`group:${key}`, id);
      // As a principal.
      names.set(`members:${key}`, -id);
    }
    // An example, disabled: no provider answers at its address.
    await createIdentityProvider(joining(write), names.resolve(data.identityProvider), []);
  });
}

/** Completes profiles by data that no verb writes: last accesses, accepted terms and pictures. */
export async function completePeople(context: DemoContext, { people, account }: PeopleData): Promise<void> {
  const { names } = context;
  await context.write('2024-01-08T07:30Z', 'both', async (write) => {
    const all = [...people, account];
    await backfillAccess(
      write.tx,
      all.map(({ key, lastAccessAt, termsAcceptedAt }) => ({
        id: names.get(`user:${key}`),
        lastAccessAt: new Date(names.resolve<number>(lastAccessAt)),
        termsAcceptedAt: new Date(names.resolve<number>(termsAcceptedAt)),
      })),
    );
    for (const { key, photo } of all) if (photo) await setPhoto(context, write, names.get(`user:${key}`), photo);
    await updateUserRecord(write, names.get(`user:${account.key}`), names.resolve(account.record));
  });
}

async function setPhoto(context: DemoContext, write: WriteScope, userId: number, photo: string): Promise<void> {
  const photoContentRef = await context.store(joining(write), photo);
  await claimUploads(write, [{ contentRef: photoContentRef, field: 'contentRef' }]);
  await updateUserRecord(write, userId, { photoContentRef });
}

/** Blocks a user, deletes another one, and deletes a group. */
export async function removePeople(scope: Scope, { names }: DemoContext, left: PeopleData['left']): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    const inside = joining(write);
    await blockUser(write, names.resolve(left.blocked), true);
    await deleteUser(inside, names.resolve(left.deleted));
    for (const group of left.groups) await deleteGroup(inside, names.resolve(group));
  });
}
