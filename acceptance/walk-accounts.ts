/** The writes that give and end access to accounts, over the demo tenant. */
import type { Walk } from './walk.ts';

/** @param people an administrator, and at least four other people */
export async function walkAccounts(
  walk: Walk,
  { administrator, present }: { administrator: number; present: readonly number[] },
): Promise<void> {
  const [, , leaver, other] = present as [number, number, number, number];
  for (const id of ['inviteUser', 'sendPasswordReset'] as const)
    await walk.write(id, { params: { userId: administrator } });
  for (const id of ['blockUser', 'unblockUser', 'signOutUser', 'removeUserTotp'] as const)
    await walk.write(id, { params: { userId: other } });
  await walk.write('changeUsers', { body: { userIds: [other, 987_654_321], blocked: true } });
  for (const id of ['deleteUser', 'eraseUser'] as const) await walk.write(id, { params: { userId: leaver } });
  await walk.write('leaveUser', { params: { userId: leaver }, body: { account: 'block' } });
}
