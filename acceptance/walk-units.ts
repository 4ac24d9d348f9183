/** The writes of areas and business units over the demo tenant. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

/** Areas and business units; deleting refuses those with people. Nobody was sent a mail yet. */
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
}
