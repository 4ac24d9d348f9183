/** Tests of the commands for people against a portal with its demo content. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PorticoClient } from '@portico/sdk';
import { describe, expect, it } from 'vitest';
import type { Ran } from './many-commands.ts';

/** The portal, and commands that are signed in to it. */
interface Portal {
  readonly client: PorticoClient;
  /** The working directory of the commands. */
  readonly folder: string;
  run(...words: string[]): Promise<Ran>;
}

/** Declares the tests. @param portalOf called by each test */
export function describePeopleCommands(portalOf: () => Portal): void {
  /** The output of a command that succeeds. */
  const output = async (...words: string[]) => {
    const { code, out, err } = await portalOf().run(...words);
    expect(code, `portico ${words.join(' ')}: ${err}`).toBe(0);
    return out;
  };
  const json = async (...words: string[]) => JSON.parse(await output(...words, '--json'));
  const create = async (title: string, ...words: string[]) => {
    const given = ['--title', title, '--description', 'Under the seal.', '--field', 'Severity=High', ...words];
    return (await json('posts', 'create', 'it service desk', ...given)).id as number;
  };
  const person = async () => {
    const { client } = portalOf();
    for await (const user of client.users.iterateFind({ limit: 50 })) if (user.contactEmail) return user;
    throw new Error('the demo has no person with an address');
  };

  describe('commands for people', () => {
    it('create, list, view, edit and comment posts by the names that people know', async () => {
      const who = await person();
      const postId = await create('Fan rattles', '--field', `Reported for=${who.contactEmail}`, '--field', 'Site=Kobe');
      const post = String(postId);
      const listed = [
        'posts',
        'list',
        'IT Service Desk',
        '--where',
        'Severity=High',
        '--columns',
        'id,title,Site',
        '--csv',
      ];
      expect((await output(...listed)).split('\r\n')).toContain(`${post},Fan rattles,Kobe`);
      expect(await output('posts', 'edit', post, '--field', 'Severity=Low', '--dry-run')).toContain('would change');
      await output('posts', 'edit', post, '--field', 'Severity=Critical', '--title', 'Fan is loud');
      await output('posts', 'comment', post, 'On order.');
      const shown = await json('posts', 'view', post, '--comments');
      expect(shown).toMatchObject({ title: 'Fan is loud', state: 'New', community: 'IT Service Desk' });
      expect(shown.fields).toMatchObject({ Severity: 'Critical', Site: 'Kobe' });
      expect(JSON.stringify(shown.fields['Reported for'])).toContain(who.lastName);
      expect(shown.commentList.map(({ text }: { text: string }) => text)).toEqual(['On order.']);
      const wrong = await portalOf().run('posts', 'edit', post, '--field', 'Severity=Hihg');
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('High')]);
    });

    it('move posts to a state and to a community', async () => {
      const { client } = portalOf();
      const postId = await create('Fan stands still', '--field', 'Site=Lecco');
      const { workflowPermittedOperations = [] } = await client.posts.capabilities({ postId });
      const fields = workflowPermittedOperations.find(({ name }) => name === 'Take over')?.screen?.fieldMetadatas;
      const groupId = Number(fields?.find(({ label }) => label === 'Owner')?.metadata?.['user_picker_from_group']);
      const [owner] = (await client.groups.members({ groupId, pageSize: 1 })).items ?? [];
      await output('posts', 'move', String(postId), 'in progress', '--field', `Owner=${owner?.contactEmail}`);
      expect(await json('posts', 'view', String(postId))).toMatchObject({ state: 'In progress' });
      const ticket = String(await create('Door sticks', '--field', 'Site=Lecco'));
      const move = ['posts', 'move', ticket, 'Offen', '--community', 'Gebäude und Technik'];
      const unmapped = await portalOf().run(...move);
      expect([unmapped.code, unmapped.err]).toEqual([6, expect.stringContaining('--map "Field=Field"')]);
      await output(...move, '--map', 'Severity=');
      expect(await json('posts', 'view', ticket)).toMatchObject({
        community: 'Gebäude und Technik',
        state: 'Offen',
        fields: { Standort: 'Lecco' },
      });
    });

    it('search, and list tasks', async () => {
      const { client } = portalOf();
      const postId = await create('Zwölffingerpumpe klemmt');
      const me = await json('whoami');
      const expiration = { datetime: '2030-12-31T18:00:00', timezone: 'Europe/Rome' };
      await client.tasks.create({ postId, title: 'Order the gasket', assigneeUserId: me.id, expiration });
      expect(await json('tasks', '--community', 'IT Service Desk', '--all')).toContainEqual(
        expect.objectContaining({ title: 'Order the gasket', postId, post: 'Zwölffingerpumpe klemmt' }),
      );
      await expect
        .poll(() => json('search', 'zwölffingerpumpe', '--kind', 'post'))
        .toContainEqual(expect.objectContaining({ kind: 'post', id: postId, community: 'IT Service Desk' }));
    });

    it('import rows, find them again, and export them', async () => {
      const { folder } = portalOf();
      await writeFile(join(folder, 'rows.csv'), 'id,name,how bad\n1,Belt slips,High\n2,Belt squeaks,terrible\n');
      await writeFile(
        join(folder, 'rows.yaml'),
        'externalId: { column: id, prefix: belt- }\ntitle: name\nfields:\n  Severity: how bad\n',
      );
      const words = ['import', 'IT Service Desk', 'rows.csv', '--mapping', 'rows.yaml'];
      expect(await output(...words, '--dry-run')).toContain('Trial: no changes were saved.');
      const first = await output(...words);
      expect(first).toMatch(/line 3, column how bad, "terrible": /);
      expect(first).toContain('2 rows: 1 created, 0 edited, 0 unchanged, 1 not taken.');
      expect(await output(...words)).toContain('2 rows: 0 created, 0 edited, 1 unchanged, 1 not taken.');
      const file = ['export', 'IT Service Desk', '--where', 'Severity=High', '--format', 'ndjson'];
      await output(...file, '--output', 'out.ndjson');
      const exported = (await readFile(join(folder, 'out.ndjson'), 'utf8')).trim().split('\n');
      expect(exported.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ Title: 'Belt slips', Severity: 'High' }),
      );
    });
  });
}
