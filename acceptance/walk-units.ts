/** The writes of areas, business units and roles over the demo tenant. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/**
 * Areas and business units; the deletion of a unit with people is refused. No mail has been sent
 * yet.
 */
export async function walkUnits(walk: Walk): Promise<void> {
  for (const [kind, param] of [
    ['Area', 'areaId'],
    ['BusinessUnit', 'businessUnitId'],
  ] as const) {
    await walk.write(`create${kind}`, { body: { name: 'Acceptance' } });
    const [unit] = await walk.items(`list${kind}s`, { body: { pageSize: 1 } }, 1);
    const { usersCount, id, ...body } = unit as Json;
    await walk.write(`edit${kind}`, { params: { [param]: id }, body: { ...body, name: `${body.name} X` } });
    const deleted = await walk.call(`delete${kind}`, { params: { [param]: id }, query: { dryRun: true } });
    if (![200, 409].includes(deleted.status)) walk.surprises.push(`delete${kind}: ${deleted.status} ${deleted.text}`);
  }
  const made = await walk.read('createRole', {
    body: { name: 'Acceptance', description: 'Sees all posts.', permissions: ['readAllPosts'] },
  });
  const params = { roleId: made.id };
  const body = { name: 'Acceptance X', permissions: ['readAllPosts', 'comment'], occToken: made.nextOccToken };
  await walk.write('editRole', { params, body });
  await walk.read('listRoles', {});
  await walk.items('listMembersEverywhere', { body: { pageSize: 2 } });
  await walk.write('editMembersEverywhere', { body: { removeUserIds: [4711] } });
  await walk.read('deleteRole', { params });
}
