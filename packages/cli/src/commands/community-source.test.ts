/** Files of communities as commands read them: merge keys, plans, places of errors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { planText } from './community-plan-text.ts';
import { locating, readCommunitySource } from './community-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-community-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string) => {
  const path = join(folder, 'community.yaml');
  writeFileSync(path, text);
  return path;
};

const TEXT = `version: 1
x: &common { type: STRING, required: true }
fields:
  - { key: a, <<: *common }
  - key: b
    type: FLAG
    default: maybe
`;

test('merge keys are taken over, and errors have line and column of the place that they name', async () => {
  const source = await readCommunitySource(written(TEXT));
  expect(source.content.file.fields?.[0]).toEqual({ key: 'a', type: 'STRING', required: true });
  const refused = async () => {
    throw Object.assign(new Error('refused'), {
      errors: [
        { field: 'file.fields[1].default' },
        { field: 'file.fields[1].rules[0].parameter' },
        { field: 'planToken' },
      ],
    });
  };
  const { errors } = await locating(source, refused).catch((error) => error);
  expect(errors.map(({ field }: { field: string }) => field.replace(source.name, 'FILE'))).toEqual([
    'FILE:7:14 fields[1].default',
    'FILE:5:5 fields[1].rules[0].parameter',
    'planToken',
  ]);
});

test('a plan is told with its losses, new faults and rights', () => {
  const text = planText({
    changes: [{ action: 'create', kind: 'group', key: 'Implementors', nearest: 'Implementers' }],
    changesCount: 1,
    losses: [{ kind: 'state', state: 'new', text: 'Posts in "New": 2. Send onExisting: keep, map.' }],
    findings: [{ kind: 'DEAD_END', text: 'The state “Work” has no way out.', new: true }],
    accessChanges: [{ permission: 'comment', communityName: 'Desk', losing: [{ id: 1, name: 'Ada' }], losingCount: 3 }],
  });
  expect(text.split('\n')).toEqual([
    '  + group Implementors (new; did you mean Implementers?)',
    'Data of posts without a place:',
    '  ? Posts in "New": 2. Send onExisting: keep, map.',
    'New faults:',
    '  ! DEAD_END: The state “Work” has no way out.',
    'Rights:',
    '  lose comment in Desk: 3 (Ada, …)',
    'Plan: 1 to create, 0 to change, 0 to remove.',
    '',
  ]);
});
