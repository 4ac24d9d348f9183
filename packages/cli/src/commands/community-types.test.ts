/** The types that `portico api communities types` prints compile, and refuse what the community has not. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FieldType, type GetPostDefinitionResponse } from '@portico/contract';
import { findNamed } from '@portico/sdk';
import { expect, test } from 'vitest';
import { printTypes } from './community-types.ts';

const value = (id: number, label: string) => ({ id, label, externalId: '', parentIds: [], deleted: false });
const definition: GetPostDefinitionResponse = {
  communityId: 12,
  fieldDefinitions: [
    { id: 1, label: 'Amount', type: FieldType.DECIMAL, required: true },
    { id: 2, label: 'Kind */ "of" order', type: FieldType.ENUM, enumValues: [value(71, 'Small'), value(72, 'Large')] },
    { id: 3, label: 'Number', type: FieldType.BIGINT, readonly: true },
    { id: 4, label: 'Tags', type: FieldType.ENUM_LIST, metadata: { catalog_id: '9' }, enumValues: [value(80, 'Red')] },
    { id: 5, label: 'People', type: FieldType.GENERIC_ENTITY_LIST },
    { id: 6, label: 'Due', type: FieldType.DATE },
  ],
  workflowDefinition: {
    id: 1,
    states: [{ id: 50, name: 'Open' }],
    transitions: [{ id: 60, name: 'Close' }],
    screenFieldMetadatas: [{ id: 7, label: 'Done', type: FieldType.FLAG }],
  },
};

const USE = `import { CommunityClient, PorticoClient } from 'SDK';
import { type Community, type CommunityPost, fields, type PostFields, type PostFieldsInput, type ScreenFieldsInput, states } from './posts.ts';
export const read: PostFields = { [fields.Amount]: 12.5, 2: 71, 3: '9007199254740993', 4: [{ id: 80 }], 5: [{ id: 17 }] };
export const sent: PostFieldsInput = { 1: 3, 2: null, 4: [80], 5: [17], 6: '2026-12-31' };
export const screen: ScreenFieldsInput = { 7: true };
export const post: CommunityPost<{ id?: number; customData?: Record<string, unknown> }> = { id: 1, customData: read };
export const open: 50 = states.Open;
// @ts-expect-error 73 is no value of the field
export const other: PostFields = { 2: 73 };
// @ts-expect-error there is no such field
export const more: PostFields = { 99: 1 };
// @ts-expect-error the field is read-only
export const written: PostFieldsInput = { 3: 1 };

export async function use(client: PorticoClient) {
  const orders = new CommunityClient<Community>(client, 'Orders');
  const customData = { Amount: 3, Tags: ['Red' as const], People: ['Ada Rossi', 17], Due: new Date() };
  await orders.create({ title: 'Toner', customData: { Amount: customData.Amount, Tags: customData.Tags } });
  await orders.update(1, { customData: { 'Kind */ "of" order': 'Small', People: customData.People, Due: customData.Due } });
  await orders.execute(1, 'Close', { Done: true });
  const found = orders.list({ where: { 'Kind */ "of" order': ['Small', 'Large'], Number: 5, Due: { from: '2026-01-01' } }, state: 'Open' });
  for await (const post of found) {
    const kind: 'Small' | 'Large' | undefined = post.customData['Kind */ "of" order'];
    const title: string | undefined = post.title;
    console.log(kind, title, post.customData.Amount?.toFixed(2));
  }
  // @ts-expect-error no value of the field
  await orders.create({ title: 'Toner', customData: { 'Kind */ "of" order': 'Medium' } });
  // @ts-expect-error no such field
  await orders.create({ title: 'Toner', customData: { Size: 1 } });
  // @ts-expect-error the field is read-only
  await orders.update(1, { customData: { Number: 1 } });
  // @ts-expect-error no such transition
  await orders.execute(1, 'Open');
  // @ts-expect-error no such state
  await orders.list({ state: 'Closed' });
  // @ts-expect-error no value of the field
  await orders.list({ where: { Tags: 'Blue' } });
}
`.replace('SDK', fileURLToPath(new URL('../../../sdk/src/node.ts', import.meta.url)));

test('compiles, and refuses fields and values that the community has not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-types-'));
  try {
    await writeFile(join(folder, 'posts.ts'), printTypes('Orders', definition, findNamed));
    await writeFile(join(folder, 'use.ts'), USE);
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--allowImportingTsExtensions',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2024,dom,dom.iterable,dom.asynciterable',
      '--typeRoots',
      join(import.meta.dirname, '../../../../node_modules/@types'),
      '--types',
      'node',
    ];
    const run = promisify(execFile)(process.execPath, [compiler, ...options, join(folder, 'use.ts')]);
    const output = await run.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    expect(output).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});
