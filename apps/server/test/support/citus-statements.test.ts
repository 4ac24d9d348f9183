/** Reading of a log, judgement of a plan, and requirements of the list of exceptions. */
import { expect, test } from 'vitest';
import { compareWithExceptions, leavesNode, readStatements, UNRECORDED } from './citus-statements.ts';

async function* log(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const prefix = (process: number, application = '[unknown]', state = '00000') =>
  `~${process}~portico_test_ab_cd~${state}~${application}~ `;

test('statements are read with their parameters, once each, without those of nodes and of unrecorded connections', async () => {
  const statements = await readStatements(
    log(`LOG:  database system is ready
${prefix(1)}LOG:  statement: BEGIN
${prefix(1)}LOG:  statement: SET LOCAL app.tenant_id = '7'
${prefix(2)}LOG:  execute <unnamed>: SELECT 1
${prefix(1)}LOG:  execute <unnamed>: SELECT name
\t  FROM posts WHERE tenant_id = $1 AND name = $2 AND area = $3
${prefix(1)}DETAIL:  parameters: $1 = '7', $2 = 'it''s
\tlong, $2 = ''x''', $3 = NULL
${prefix(1)}LOG:  execute <unnamed>: SELECT 1
${prefix(3, UNRECORDED)}LOG:  execute <unnamed>: SELECT 2
${prefix(3, 'citus_internal gpid=1')}LOG:  execute <unnamed>: SELECT 3
${prefix(1, '[unknown]', '0A000')}ERROR:  complex joins
${prefix(1, '[unknown]', '0A000')}STATEMENT:  SELECT 4
\tFROM posts
${prefix(1, '[unknown]', '23505')}ERROR:  duplicate key
${prefix(1, '[unknown]', '23505')}STATEMENT:  SELECT 5`),
    'portico_test_ab',
  );
  expect(statements).toEqual([
    { text: 'SELECT 1', values: [], tenantId: 0 },
    {
      text: 'SELECT name\n  FROM posts WHERE tenant_id = $1 AND name = $2 AND area = $3',
      values: ['7', "it's\nlong, $2 = 'x'", null],
      tenantId: 7,
    },
    { text: 'SELECT 4\nFROM posts', values: [], tenantId: 7, refused: 'complex joins' },
  ]);
});

const part = (tasks: number, node: string, subplans?: unknown[]) => ({
  Plan: {
    'Node Type': 'Custom Scan',
    'Custom Plan Provider': 'Citus Adaptive',
    'Distributed Query': {
      Job: { 'Task Count': tasks, Tasks: [{ 'Remote Plan': [[{ Plan: { 'Node Type': node } }]] }] },
      ...(subplans && { Subplans: subplans.map((plan) => ({ PlannedStmt: [plan] })) }),
    },
  },
});

test('a plan of one task stays on its node, also with what it writes first', () => {
  expect(leavesNode([{ Plan: { 'Node Type': 'Result' } }])).toBeUndefined();
  expect(leavesNode([part(1, 'Index Scan')])).toBeUndefined();
  expect(leavesNode([part(1, 'Index Scan', [part(1, 'ModifyTable')])])).toBeUndefined();
});

test('a plan of several tasks, of rows read first or of a drawn INSERT leaves it', () => {
  expect(leavesNode([part(4, 'Index Scan')])).toBe('4 tasks');
  expect(leavesNode([part(1, 'Index Scan', [part(4, 'ModifyTable')])])).toBe('4 tasks');
  expect(leavesNode([part(1, 'Index Scan', [part(1, 'Index Scan')])])).toContain('read to the coordinator');
  const insert = {
    'Custom Plan Provider': 'Citus INSERT ... SELECT',
    'INSERT/SELECT method': 'pull to coordinator',
  };
  expect(leavesNode([{ Plan: insert }])).toBe('INSERT … SELECT by pull to coordinator');
});

test('a statement that leaves its node must be listed, and a listed one must leave it', () => {
  const judged = [
    { text: 'SELECT  a\n FROM x', leaves: '4 tasks' },
    { text: 'SELECT b FROM x', leaves: undefined },
  ];
  const entry = (statement: string) => ({ statement, reason: 'said there' });
  expect(compareWithExceptions(judged, [entry('SELECT a FROM x')], true)).toEqual([]);
  expect(compareWithExceptions(judged, [], true)).toEqual(['4 tasks: SELECT a FROM x']);
  const unneeded = [entry('SELECT a'), entry('SELECT b'), entry('SELECT c')];
  expect(compareWithExceptions(judged, unneeded, false)).toEqual([
    'stays on its node, so take it off the list: SELECT b',
  ]);
  expect(compareWithExceptions(judged, unneeded, true)).toHaveLength(2);
});
