/**
 * The Python Enhancement Proposals, imported with the command and read through the client library, by the names of
 * fields and values: all of them at full length (`longForm`), else a third. Each expected answer is computed from the files
 * themselves; where they are absent, the tests are skipped.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Condition, PorticoClient } from '@portico/sdk';
import { longForm } from '@portico/server/testing/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from './client.ts';
import {
  compareText,
  filesOf,
  fold,
  hashtagsOf,
  MAPPING_FILE,
  type Pep,
  type PepChange,
  pepsArePresent,
  readChanges,
  readPeps,
  searchedText,
} from './peps/data.ts';
import { EmptyPortal } from './peps/portal.ts';
import { all } from './portico.ts';

const TIMEOUT = 400_000;
const IMPORT = ['--tenant', 'python', '--workspace', 'Python', '--community', 'PEPs', '--mapping', MAPPING_FILE];

describe.skipIf(!pepsArePresent)('the PEPs (../shared/data/peps)', { timeout: TIMEOUT }, () => {
  const peps = pepsArePresent ? readPeps() : [];
  const changes = pepsArePresent ? readChanges(peps) : [];
  let portal: EmptyPortal;
  let client: PorticoClient;
  let report: string;
  /** Paths of the imported files. */
  let files: ReturnType<typeof filesOf>;
  let communityId: number;
  let definition: Json;
  /** Posts by number of the PEP, from the first list. */
  let posts: Map<number, Json>;

  beforeAll(async () => {
    portal = await EmptyPortal.start();
    await portal.must(
      'admin',
      'tenant',
      'create',
      'python',
      '--host',
      'peps.example.org',
      '--admin-email',
      'admin@example.org',
    );
    files = filesOf(peps, portal.directory);
    report = await portal.must('admin', 'import', files.peps, ...IMPORT, '--changes', files.changes);
    const key = join(portal.directory, 'key.json');
    await portal.must(
      'admin',
      'service-account',
      'create',
      '--tenant',
      'python',
      '--name',
      'Reader',
      '--role',
      'contributor',
      '--out',
      key,
    );
    client = portal.client(key);
    const { communities = [] } = await client.communities.list();
    expect(communities).toHaveLength(1);
    communityId = communities[0]!.id as number;
    definition = await client.communities.definition({ communityId });
    posts = byNumber(await list());
  }, TIMEOUT);

  afterAll(async () => {
    await portal?.stop();
  });

  const field = (externalId: string): Json => {
    const found = (definition.fieldDefinitions as Json[]).find((one) => one.externalId === externalId);
    if (!found) throw new Error(`there is no field ${externalId}`);
    return found;
  };
  const value = (post: Json, externalId: string) => post.customData[String(field(externalId).id)];
  const numberOf = (post: Json): number => value(post, 'number');
  const byNumber = (items: readonly Json[]) => new Map(items.map((post) => [numberOf(post), post]));
  const post = (number: number): Json => posts.get(number)!;
  const fullName = (user: Json) => [user.firstName, user.lastName].filter(Boolean).join(' ');
  const numbers = (list: readonly Pep[]) => list.map((pep) => pep.number).sort((a, b) => a - b);

  /** All posts that match filters. */
  const list = (input: Json = {}) => all<Json>(client.posts.iterate({ communityId, pageSize: 500, ...input }));

  /**
   * The same as numbers of PEPs, in order. Only ids are requested: the content of posts is known.
   */
  const listed = async (input: Json): Promise<number[]> => {
    const numberById = new Map([...posts].map(([number, { id }]) => [id as number, number]));
    return (await list({ loadPostDetails: false, ...input })).map((item) => numberById.get(item.id)!);
  };

  /** PEPs that match a filter, ascending; checks that the total is equal. */
  const found = async (input: Json): Promise<number[]> => {
    const page = await client.posts.list({ communityId, ...input, pageSize: 1, calculateTotalItemsCount: true });
    const items = await listed(input);
    expect(page.totalItemsCount).toBe(items.length);
    return items.sort((a, b) => a - b);
  };
  const byField = (externalId: string, condition: Condition) => found({ where: { [externalId]: condition } });

  /** Ids of people by name, as the posts themselves show them. */
  const people = () => {
    const ids = new Map<string, number>();
    for (const pep of peps) {
      for (const [index, user] of (value(post(pep.number), 'authors') as Json[]).entries()) {
        ids.set(pep.authors[index]!, user.id);
      }
    }
    return ids;
  };

  it('are all taken, each once, with what the report says', () => {
    expect(report).toContain(`${peps.length} rows: ${peps.length} created, 0 edited, 0 unchanged, 0 not taken.`);
    expect(report).toContain(`${changes.length.toLocaleString('en')} changes: ${changes.length} written to histories`);
    expect(posts.size).toBe(peps.length);
    expect([...posts.keys()].sort((a, b) => a - b)).toEqual(numbers(peps));
  });

  it('hold what their rows hold', () => {
    for (const pep of peps) {
      const shown = post(pep.number);
      expect(shown.title).toBe(pep.title);
      expect(shown.creationTimestamp).toBe(pep.created);
      expect(shown.currentWorkflowState.name).toBe(pep.status);
      expect(fold(fullName(shown.creatorUser))).toBe(fold(pep.authors[0]!));
      expect((value(shown, 'authors') as Json[]).map((user) => fold(fullName(user)))).toEqual(pep.authors.map(fold));
      expect(value(shown, 'type').map((entry: Json) => entry.label)).toEqual([pep.type]);
      expect((value(shown, 'topics') ?? []).map((entry: Json) => entry.label)).toEqual(pep.topics);
      expect(value(shown, 'created')).toBe(pep.created);
      expect(value(shown, 'pythonVersion') ?? null).toBe(pep.pythonVersion);
      expect(value(shown, 'discussion') ?? null).toBe(pep.discussion);
      expect(value(shown, 'lastPosted') ?? null).toBe(pep.postHistory.at(-1) ?? null);
    }
  });

  it('are found by client uid, with their text', async () => {
    for (const pep of [peps[0]!, peps[100]!, peps.at(-1)!]) {
      const answer = await client.posts.getByClientUid({ clientUid: `pep-${pep.number}` });
      expect(answer.descriptionPlainText).toContain(pep.body.trim().slice(0, 500));
    }
  });

  it('are counted by status', async () => {
    for (const state of definition.workflowDefinition.states as Json[]) {
      const expected = peps.filter((pep) => pep.status === state.name);
      expect(await found({ currentWorkflowStatusIds: [state.id] })).toEqual(numbers(expected));
      expect(await found({ state: state.name })).toEqual(numbers(expected));
    }
  });

  it('are filtered by type and topic, one or several', async () => {
    const types = [...new Set(peps.map((pep) => pep.type))];
    for (const wanted of [['Process'], ['Process', 'Informational'], types]) {
      const expected = peps.filter((pep) => wanted.includes(pep.type));
      expect(await byField('type', wanted)).toEqual(numbers(expected));
    }
    for (const topic of new Set(peps.flatMap((pep) => pep.topics))) {
      const expected = numbers(peps.filter((pep) => pep.topics.includes(topic)));
      expect(await byField('topics', { contains: topic })).toEqual(expected);
    }
    expect(await byField('topics', ['Typing', 'Release'])).toEqual(
      numbers(peps.filter((pep) => pep.topics.includes('Typing') || pep.topics.includes('Release'))),
    );
    expect(await byField('topics', null)).toEqual(numbers(peps.filter((pep) => pep.topics.length === 0)));
  });

  it('carry hashtags of their type and topics', async () => {
    const tags = await all<Json>(client.hashtags.iterate({ communityId, pageSize: 100 }));
    expect(tags.map((tag) => tag.name).sort()).toEqual([...new Set(peps.flatMap(hashtagsOf))].sort());
    for (const tag of tags) {
      // A text may name a hashtag by itself.
      const named = new RegExp(`[#＃]${tag.name}(?![\\p{L}\\p{N}_-])`, 'iu');
      const expected = peps.filter((pep) => hashtagsOf(pep).includes(tag.name) || named.test(pep.body));
      expect(await found({ hashtags: tag.name })).toEqual(numbers(expected));
    }
  });

  it('are filtered by author, among several too', async () => {
    const ids = people();
    const prolific = ['Guido van Rossum', 'Barry Warsaw', 'Łukasz Langa', 'Martin von Löwis', peps.at(-1)!.authors[0]!];
    for (const name of prolific) {
      const expected = numbers(peps.filter((pep) => pep.authors.includes(name)));
      expect(expected.length).toBeGreaterThan(0);
      expect(await byField('authors', { contains: ids.get(name)! })).toEqual(expected);
      const first = numbers(peps.filter((pep) => pep.authors[0] === name));
      expect(await found({ createdByUserIds: [ids.get(name)] })).toEqual(first);
    }
    const some = prolific.slice(0, 3);
    expect(
      await byField(
        'authors',
        some.map((name) => ids.get(name)!),
      ),
    ).toEqual(numbers(peps.filter((pep) => pep.authors.some((name) => some.includes(name)))));
    expect(await byField('sponsor', null)).toEqual(numbers(peps.filter((pep) => pep.sponsor === null)));
  });

  it('are found by part of the title, whatever its case and accents', async () => {
    for (const part of ['ASYNC', 'typing', 'Pÿthón 3.', '__', 'pep', '(', '100%', 'unicode ']) {
      const expected = numbers(peps.filter((pep) => fold(pep.title).includes(fold(part))));
      expect(await found({ title: part.trim() })).toEqual(expected);
    }
  });

  it('are filtered by dates, bounds included, and by other fields', async () => {
    const [from, to] = [Date.UTC(2014, 0, 1), peps[Math.floor(peps.length * 0.6)]!.created];
    const between = (a: number | null, b: number | null) =>
      numbers(peps.filter((pep) => (a === null || pep.created >= a) && (b === null || pep.created <= b)));
    for (const [a, b] of [
      [from, null],
      [null, to],
      [to, to],
      [Math.min(from, to), Math.max(from, to)],
    ] as const) {
      expect(await byField('created', { from: a, to: b })).toEqual(between(a, b));
      const times = {
        ...(a !== null && { creationTimestampFrom: a }),
        ...(b !== null && { creationTimestampTo: b }),
      };
      expect(await found(times)).toEqual(between(a, b));
    }
    expect(await byField('number', { from: 300, to: 420 })).toEqual(
      numbers(peps.filter((pep) => pep.number >= 300 && pep.number <= 420)),
    );
    expect(await byField('pythonVersion', { equals: '3.8' })).toEqual(
      numbers(peps.filter((pep) => pep.pythonVersion === '3.8')),
    );
    expect(await byField('resolution', 'PYTHON-DEV')).toEqual(
      numbers(peps.filter((pep) => pep.resolution?.toLowerCase().includes('python-dev'))),
    );
  });

  it('are found by words of their texts', async () => {
    const texts = new Map(peps.map((pep) => [pep.number, searchedText(pep)]));
    for (const words of ['metaclass', 'GIL', 'coroutine generator', 'łukasz', 'Löwis', 'Standards', 'zxqjv']) {
      const wanted = fold(words).split(' ');
      const expected = peps.filter((pep) => wanted.every((word) => texts.get(pep.number)!.includes(word)));
      expect(await found({ containsText: words })).toEqual(numbers(expected));
    }
  });

  it('are ordered by every sortable field, both ways, the same over pages', async () => {
    const last = lastChanges(changes);
    const modified = (pep: Pep) => Math.max(pep.created, last.get(pep.number)?.at ?? 0);
    type Key = string | number | null;
    const keys: Record<string, (pep: Pep) => readonly Key[]> = {
      postTitle: (pep) => [fold(pep.title)],
      postCreationTimestamp: (pep) => [pep.created],
      postLastModifyTimestamp: (pep) => [modified(pep)],
      postLastModifyAndCommentTimestamp: (pep) => [modified(pep)],
      postCustomId: (pep) => [Number(post(pep.number).customId)],
      postCreatorUser: (pep) => userKey(post(pep.number).creatorUser),
      postLastModifyUser: (pep) => userKey(post(pep.number).lastModifyUser),
      number: (pep) => [pep.number],
      type: (pep) => [fold(pep.type)],
      created: (pep) => [pep.created],
      lastPosted: (pep) => [pep.postHistory.at(-1) ?? null],
      pythonVersion: (pep) => [pep.pythonVersion && fold(pep.pythonVersion)],
      discussion: (pep) => [pep.discussion && fold(pep.discussion)],
      resolution: (pep) => [pep.resolution && fold(pep.resolution)],
    };
    const sortable = (definition.fieldDefinitions as Json[]).filter((one) => one.sortable);
    expect(Object.keys(keys)).toEqual(expect.arrayContaining(sortable.map((one) => one.externalId)));
    for (const [name, key] of Object.entries(keys)) {
      for (const orderDesc of [false, true]) {
        const order = await listed({ orderBy: name, orderDesc, pageSize: 150 });
        const expected = [...peps].sort((a, b) => {
          const [x, y] = [key(a), key(b)];
          if ((x[0] === null) !== (y[0] === null)) return x[0] === null ? 1 : -1;
          const difference = compareKeys(x, y) || post(a.number).id - post(b.number).id;
          return orderDesc ? -difference : difference;
        });
        expect({ orderBy: name, orderDesc, order }).toEqual({
          orderBy: name,
          orderDesc,
          order: expected.map((pep) => pep.number),
        });
      }
    }
  });

  it('have the history that the file of changes tells', async () => {
    const byPep = Map.groupBy(changes, (change) => change.number);
    const chosen = [...byPep.keys()].filter((number, index) => index % 12 === 0 || number === 1);
    for (const number of chosen) {
      const expected = byPep.get(number)!;
      const postId = post(number).id as number;
      const page = await client.posts.history({ postId, pageSize: 1, calculateTotalItemsCount: true });
      expect(page.totalItemsCount).toBe(expected.length);
      const events = await all<Json>(client.posts.iterateHistory({ postId, pageSize: 100, orderDesc: false }));
      expect(events.map((event) => event.typeId)).toEqual(expected.map((_, index) => (index === 0 ? 1 : 2)));
      const told = (time: number, author: string, note: string) => `${time} ${fold(author)} ${fold(note)}`;
      expect(
        events.map((event) => told(event.timestamp, fullName(event.authorUser), event.notes ?? '')).sort(),
      ).toEqual(expected.map((change) => told(change.at, change.author, change.summary)).sort());
    }
    // An author and a committer with the same name are one person.
    const ids = people();
    const events = await all<Json>(client.posts.iterateHistory({ postId: post(1).id, pageSize: 500 }));
    const barry = events.find((event) => fullName(event.authorUser) === 'Barry Warsaw');
    expect(barry?.authorUser.id).toBe(ids.get('Barry Warsaw'));
  });

  it('refer to each other, forwards too', () => {
    let forward = 0;
    const line = new Map(peps.map((pep, index) => [pep.number, index]));
    for (const pep of peps) {
      for (const name of ['requires', 'replaces', 'supersededBy'] as const) {
        const referred = (value(post(pep.number), name) ?? []) as Json[];
        expect(referred.map((one) => one.id)).toEqual(pep[name].map((number) => post(number).id));
        forward += pep[name].filter((number) => line.get(number)! > line.get(pep.number)!).length;
      }
    }
    expect(forward).toBe(longForm ? 38 : 2);
  });

  it('are found by what they refer to', async () => {
    const target = peps.find((pep) => peps.some((other) => other.replaces.includes(pep.number)))!;
    expect(await byField('replaces', { contains: post(target.number).id })).toEqual(
      numbers(peps.filter((pep) => pep.replaces.includes(target.number))),
    );
    expect(await byField('requires', null)).toEqual(numbers(peps.filter((pep) => pep.requires.length === 0)));
  });

  it('stay as they are when they are imported again, or tried', async () => {
    const before = await list();
    const again = await portal.must('admin', 'import', files.peps, ...IMPORT, '--changes', files.changes);
    expect(again).toContain(`${peps.length} rows: 0 created, 0 edited, ${peps.length} unchanged, 0 not taken.`);
    expect(again).toContain(`0 written to histories, ${changes.length} known already`);
    expect(again).not.toContain('Created:');
    const elsewhere = ['--tenant', 'python', '--workspace', 'Other', '--community', 'Tried', '--mapping', MAPPING_FILE];
    const changed = await changedFile(portal, peps);
    const tried = await portal.must('admin', 'import', changed, ...IMPORT, '--dry-run');
    expect(tried).toContain(`${peps.length} rows: 0 created, 1 edited, ${peps.length - 1} unchanged, 0 not taken.`);
    expect((await portal.run('admin', 'import', changed, ...elsewhere, '--dry-run')).stdout).toContain(
      'no changes were saved',
    );
    expect(await list()).toEqual(before);
    const { communities } = await client.communities.list();
    expect(communities).toHaveLength(1);
  });

  it('are edited where their row has changed', async () => {
    const file = await changedFile(portal, peps);
    const output = await portal.must('admin', 'import', file, ...IMPORT);
    expect(output).toContain(`${peps.length} rows: 0 created, 1 edited, ${peps.length - 1} unchanged, 0 not taken.`);
    const edited = await list({ title: 'A title of the test' });
    expect(edited.map(numberOf)).toEqual([8]);
    expect(edited[0]!.currentWorkflowState.name).toBe('Withdrawn');
    expect(edited[0]!.id).toBe(post(8).id);
    expect((value(edited[0]!, 'replaces') as Json[]).map((one) => one.id)).toEqual([post(7).id]);
    expect(await portal.must('admin', 'import', files.peps, ...IMPORT)).toContain('0 created, 1 edited');
  });

  it('report what they cannot take by row and column, and take the rest', async () => {
    const rows = peps
      .slice(0, 5)
      .map((pep) => ({ ...pep, body: 'A text of the test.', requires: [], replaces: [], supersededBy: [] }));
    const bad = [
      { ...rows[0], status: 'Lost' },
      { ...rows[1], created: 'yesterday' },
      { ...rows[2], supersededBy: [123456] },
      { ...rows[3], title: '' },
    ];
    const file = join(portal.directory, 'bad.ndjson');
    await writeFile(
      file,
      [...bad.map((row) => JSON.stringify(row)), '{"number": 9999', JSON.stringify(rows[4])].join('\n'),
    );
    const { code, stdout } = await portal.run('admin', 'import', file, ...IMPORT, '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/row at line 1, column status, "Lost": .*Draft, Accepted/);
    expect(stdout).toMatch(/row at line 2, column created, "yesterday": /);
    expect(stdout).toMatch(/row at line 3, column supersededBy, "pep-123456": .*taken without this value/);
    expect(stdout).toMatch(/row at line 4, column title/);
    expect(stdout).toMatch(/row at line 5.*not JSON/);
    expect(stdout).toContain('6 rows: 0 created, 2 edited, 0 unchanged, 4 not taken.');
    const nothing = await portal.run('admin', 'import', join(portal.directory, 'absent.csv'), ...IMPORT);
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain('absent.csv cannot be read');
  });
});

/** The last change of each PEP. */
function lastChanges(changes: readonly PepChange[]): Map<number, PepChange> {
  const last = new Map<number, PepChange>();
  for (const change of changes) {
    const known = last.get(change.number);
    if (!known || change.at >= known.at) last.set(change.number, change);
  }
  return last;
}

function userKey(user: Json): readonly string[] {
  return [fold(user.lastName ?? ''), fold(user.firstName ?? '')];
}

function compareKeys(a: readonly (string | number | null)[], b: readonly (string | number | null)[]): number {
  for (const [index, x] of a.entries()) {
    const y = b[index]!;
    const difference = typeof x === 'string' ? compareText(x, String(y)) : Number(x) - Number(y);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The PEPs with another title, state and reference of one of them. */
async function changedFile(portal: EmptyPortal, peps: readonly Pep[]): Promise<string> {
  const rows = peps.map((pep) =>
    pep.number === 8 ? { ...pep, title: 'A title of the test', status: 'Withdrawn', replaces: [7] } : pep,
  );
  const file = join(portal.directory, 'changed.ndjson.gz');
  await writeFile(file, gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')));
  return file;
}
