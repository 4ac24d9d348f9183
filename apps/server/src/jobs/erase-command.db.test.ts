/** `portico admin erase`, as a process. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY } from '../../test/support/encryption.ts';
import { createTestPortal, createTestWorld } from '../../test/support/test-world.ts';

const run = promisify(execFile);

it('answers the operator who asks what would go', async () => {
  const portal = await createTestPortal();
  const world = await createTestWorld(portal);
  const postId = await world.post(world.people.author);
  await world.ok(world.people.author, 'PUT', `posts/manage/mark-post-as-erasable/${postId}`);
  const { owner } = portal.database;
  const login = owner.password ? `${owner.user}:${owner.password}` : owner.user;
  const host = String(owner.host);
  const address = host.startsWith('/')
    ? `/${owner.database}?host=${host}&port=${owner.port}`
    : `${host}:${owner.port}/${owner.database}`;
  const portico = (...words: string[]) =>
    run(
      process.execPath,
      [
        fileURLToPath(new URL('../../../../packages/cli/src/main.ts', import.meta.url)),
        'admin',
        'erase',
        '--tenant',
        world.tenant.tenant.name,
        ...words,
      ],
      {
        env: {
          ...process.env,
          DATABASE_URL: `postgres://${login}@${address}`,
          PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
          PORTICO_DATABASE_ROLE: String(portal.database.service.user),
          PORTICO_DATA_DIR: portal.services.config.dataDir,
        },
      },
    );
  expect((await portico('--dry-run')).stdout).toBe('none\n');
  const told = (await portico('--dry-run', '--older-than', '0')).stdout;
  expect(told).toContain(`Would erase the posts ${postId}.`);
  expect(told).toMatch(/posts +1\n/);
  expect((await portico('--older-than', '0')).stdout).toContain(`Erased the posts ${postId}.`);
  expect(await world.rows('SELECT id FROM posts WHERE tenant_id = $1 AND id = $2', [postId])).toEqual([]);
  await expect(portico('--older-than', 'soon')).rejects.toMatchObject({ code: 2 });
});
