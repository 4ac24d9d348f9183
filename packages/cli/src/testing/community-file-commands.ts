/** Tests of the commands for communities as files against a portal with its demo content. */
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
  /** Runs a command that reads standard input. */
  readInput(input: string, ...words: string[]): Promise<Ran>;
}

const STOCK = `version: 1
workspace: { key: warehouse, name: Warehouse }
community: { key: stock, name: Stock }
groupRoles: [{ group: Warehouse staff, role: READER }]
`;

/** Declares the tests. @param portalOf called by each test */
export function describeCommunityFileCommands(portalOf: () => Portal): void {
  const desk = async () => {
    const { communities = [] } = await portalOf().client.communities.list({ with: 'write' });
    return communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
  };
  describe('communities as files', () => {
    it('says in its own words that a file of a community is nested too deeply', async () => {
      const { folder, run } = portalOf();
      const file = join(folder, 'deep.yaml');
      await writeFile(file, `community: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`);
      const { code, err } = await run('api', 'communities', 'plan', file);
      expect([code, err]).toEqual([2, expect.stringContaining(`${file} is nested deeper than the 64 levels`)]);
    });

    it('plans files and standard input, and tells by the exit code whether they change something', async () => {
      const { folder, run, readInput } = portalOf();
      const exported = await run('api', 'communities', 'export', String(await desk()), '--file', 'as-it-is.yaml');
      expect(exported.code, exported.err).toBe(0);
      const text = await readFile(join(folder, 'as-it-is.yaml'), 'utf8');
      await writeFile(join(folder, 'renamed.yaml'), text.replace(/name: IT Service Desk/, 'name: IT Help'));
      const plan = ['api', 'communities', 'plan', '--exit-code'];
      expect(await run(...plan, 'as-it-is.yaml')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/no changes/i),
      });
      const both = await run(...plan, 'as-it-is.yaml', 'renamed.yaml');
      expect([both.code, both.out.match(/^\S+\.yaml$/gm)]).toEqual([20, ['as-it-is.yaml', 'renamed.yaml']]);
      expect((await run(...plan.slice(0, 3), 'renamed.yaml')).code).toBe(0);
      expect((await readInput(text, ...plan, '-')).code).toBe(0);
      const read = await readInput(text.replace(/name: IT Service Desk/, 'name: IT Help'), ...plan, '-');
      expect([read.code, read.out]).toEqual([20, expect.stringContaining('IT Help')]);
      expect((await run(...plan, 'as-it-is.yaml', 'renamed.yaml', '--out', 'plan.json')).code).toBe(2);
    });

    it('names a new community in its plan, which programs apply with --yes', async () => {
      const { folder, run } = portalOf();
      const { id } = JSON.parse((await run('whoami', '--json')).out);
      const named = ['--name', 'Warehouse staff', '--member-ids', String(id), '--output', 'json'];
      const { groupId } = JSON.parse((await run('api', 'groups', 'create', ...named)).out);
      const [file, plan] = [join(folder, 'stock.yaml'), join(folder, 'stock.plan.json')];
      await writeFile(file, STOCK);
      const planned = await run('api', 'communities', 'plan', file, '--out', plan);
      expect(planned.out).toMatch(/^ {2}gain seeCommunity in Stock: \d/m);
      expect(planned.out).not.toMatch(/ in :/);
      expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({ file: { community: { name: 'Stock' } } });

      const apply = ['api', 'communities', 'apply'];
      const unasked = await run(...apply, file);
      expect([unasked.code, unasked.err]).toEqual([2, expect.stringMatching(/stock\.yaml was not applied: .*--yes/)]);
      const unread = await run(...apply, plan);
      expect([unread.code, unread.out]).toEqual([2, planned.out]);
      expect(unread.err).toContain(`${plan} was not applied: there is no terminal to confirm on.`);
      expect(unread.err).toContain('add --yes');
      expect(await run(...apply, plan, '--yes')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Applied to community \d+\.$/m),
      });
      expect((await run('api', 'communities', 'plan', file)).out).toMatch(/^No changes/);
      expect((await run('api', 'groups', 'delete', String(groupId), '--yes')).code).toBe(0);
    });

    it('creates a template by the labels of fields', async () => {
      const { run, client } = portalOf();
      const community = await desk();
      const named = ['--name', 'Noise', '--description', 'Where?', '--output', 'json'];
      const create = (field: string) =>
        run('api', 'posts', 'create-template', String(community), ...named, '--field', field);
      const { code, out, err } = await create('Severity=High');
      expect(code, err).toBe(0);
      const { id, customData } = JSON.parse(out);
      const severity = (await client.definition(community)).fieldDefinitions?.find(({ label }) => label === 'Severity');
      const high = severity?.enumValues?.find(({ label }) => label === 'High')?.id;
      expect(customData).toEqual({ [String(severity?.id)]: high });
      const wrong = await create('Severity=Hihg');
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('High')]);
      await client.posts.deleteTemplate({ templateId: id });
    });
  });
}
