/**
 * The search finds words of posts, comments, tasks, files, people and communities for users who see
 * them, as soon as the index has them.
 */
import { FieldType, type SearchRequest, type SearchResponse } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster } from '../../../test/support/index.ts';
import { longForm } from '../../../test/support/long-form.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { putCatalogEntries } from '../communities/catalogs/put-catalog-entries.ts';
import { createCatalog } from '../communities/catalogs/write-catalog.ts';
import { createCatalogEntry, editCatalogEntry } from '../communities/catalogs/write-catalog-entry.ts';
import { addField } from '../communities/define-fields.ts';
import { workOnChange } from '../definitions/index.ts';
import { indexNext } from './index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  // Changes get their numbers once older transactions of the cluster have ended.
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
  world = await createTestWorld(portal, {
    community: { commentsHiddenFromReaders: true, description: 'Machines and their spare parts' },
    workflow: () => ({
      title: 'Requests',
      states: [{ name: 'New', initial: true }],
    }),
    fields: [
      { label: 'Serial', type: FieldType.STRING, searchable: true },
      { label: 'Secret', type: FieldType.STRING, searchable: true, visibleRoles: [1] },
      { label: 'Urgency', type: FieldType.ENUM, enumValues: [{ label: 'Marigold' }, { label: 'Tulip' }] },
      { label: 'Hidden choice', type: FieldType.ENUM, enumValues: [{ label: 'Chrysanthemum' }], visibleRoles: [1] },
    ],
  });
});
afterAll(() => portal?.close());

async function index(of = world): Promise<void> {
  const scope = await of.scope(of.tenant.systemUserId);
  while (await indexNext(scope));
}

const search = (user: number, text: string, more: SearchRequest = {}, of = world): Promise<SearchResponse> =>
  of.ok(user, 'POST', 'search/data/search', { text, ...more });

const found = async (user: number, text: string, more: SearchRequest = {}) =>
  ((await search(user, text, more)).items ?? []).map(({ kind, id }) => `${kind} ${id}`);

const titled = (title: string, description = '') => world.post(world.people.author, { title, description });

const comment = (postId: number, text: string) =>
  world.ok(world.people.author, 'POST', `posts/manage/create-comment/${postId}`, { comment: text, commentFormat: 2 });

describe('words', () => {
  test('match inflections, prefixes, parts, accents, pairs of characters and one wrong letter', async () => {
    const { author } = world.people;
    const pallet = await titled('Two pallets of paint');
    const house = await titled('Die Häuser am Markt');
    const offer = await titled('Le offerte dei fornitori');
    const cjk = await titled('会議', '東京都の会議室を予約する');
    const projector = await titled('The projector fails', 'Blank screen since noon');
    const bill = await titled(
      'Überfällige Rechnungen',
      'Les factures des chevaux. Las reuniones canceladas. I contratti firmati.',
    );
    await index();
    for (const [text, id] of [
      ['pallet', pallet],
      ['PAINTS', pallet],
      ['haus', house],
      ['hauser', house],
      ['offerta', offer],
      ['fornitore', offer],
      // A space ends the word, which is no prefix then.
      ['rechnung ', bill],
      ['cheval ', bill],
      ['facture ', bill],
      ['reunion ', bill],
      ['reunión ', bill],
      ['cancelada ', bill],
      ['contratto ', bill],
      ['firmato ', bill],
      ['京都', cjk],
      ['会議室', cjk],
      ['jector', projector],
      ['projetor', projector],
      ['prjoector', projector],
      ['proj', projector],
      ['"blank screen"', projector],
      ['the projector', projector],
      ['zzz or projector', projector],
      ['projector unheardof', projector],
    ] as const) {
      expect(await found(author, text), text).toContain(`post ${id}`);
    }
    expect(await found(author, '"screen blank"')).toEqual([]);
    expect(await found(author, 'projector -blank')).toEqual([]);
    const misspelt = await search(author, 'projectot');
    expect(misspelt.corrected).toBe('projector');
    expect(misspelt.items?.[0]).toMatchObject({ id: projector, titleMarks: [{ start: 4, end: 13 }] });
    expect((await search(author, 'proj')).suggestions).toEqual(['projector']);
  });

  test('are found in comments, tasks, files, people and communities, which say where', async () => {
    const { author, reader } = world.people;
    const postId = await titled('Delivery');
    await comment(postId, 'The xylophone was signed for <b>yesterday</b>');
    const { taskId } = await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, {
      title: 'Count the rollers',
      expiration: { datetime: '2027-01-01T00:00:00', timezone: 'UTC' },
      assigneeUserId: author,
    });
    const contentRef = await world.upload(author);
    await world.ok(author, 'POST', `posts/manage/create-post/${world.communityId}`, {
      title: 'Papers',
      description: 'Text',
      descriptionFormat: 2,
      announcement: false,
      attachments: [{ name: 'manual of the machine.txt', contentRef }],
    });
    await index();
    const [byComment] = (await search(author, 'xylophones')).items ?? [];
    expect(byComment).toMatchObject({ kind: 'comment', postId, title: 'Delivery' });
    const { start, end } = byComment!.excerptMarks![0]!;
    expect(byComment!.excerpt!.slice(start, end)).toBe('xylophone');
    expect(byComment!.excerpt).toContain('<b>yesterday</b>');
    // Words of the title count with those of the comment.
    expect((await found(author, 'delivery xylophone'))[0]).toBe(`comment ${byComment!.id}`);
    expect(await found(reader, 'xylophone')).toEqual([]);
    expect(await found(reader, 'roller')).toEqual([`task ${taskId}`]);
    expect((await search(author, 'manual')).items?.[0]).toMatchObject({ kind: 'file', postTitle: 'Papers' });
    expect((await search(author, 'Rita')).items?.[0]).toMatchObject({ kind: 'person', id: reader });
    expect(await found(author, 'machine')).toContain(`community ${world.communityId}`);
    expect(await found(world.people.outsider, 'rollers news machine')).toEqual([]);
  });
});

describe('results', () => {
  test('have titles before texts before comments, newer before older ones, and say whether there are more', async () => {
    const { author } = world.people;
    const commented = await titled('Tower');
    await comment(commented, 'A kestrel nests there');
    const [{ id: commentId }] = (await world.rows('SELECT id FROM comments WHERE tenant_id = $1 AND post_id = $2', [
      commented,
    ])) as [{ id: number }];
    const inText = await titled('Birds', 'One kestrel');
    const older = await titled('Kestrel seen');
    const newer = await titled('Kestrel seen');
    await index();
    await world.rows(
      `UPDATE search_entries SET at = at - interval '1 year' WHERE tenant_id = $1 AND object_id = $2 AND kind = 1`,
      [older],
    );
    const order = [`post ${newer}`, `post ${older}`, `post ${inText}`, `comment ${commentId}`];
    expect(await found(author, 'kestrel')).toEqual(order);
    const pages = await Promise.all([0, 2].map((skip) => search(author, 'kestrel', { pageSize: 2, skip })));
    expect(pages.map(({ more }) => more)).toEqual([true, false]);
    expect(pages.flatMap(({ items = [] }) => items.map(({ kind, id }) => `${kind} ${id}`))).toEqual(order);
    expect(pages[0]!.counts).toMatchObject({ total: 4, more: false });
  });

  test('have chosen values by their labels, also by new ones, where everybody sees the field', async () => {
    const { author, manager, admin } = world.people;
    const [field, hidden] = [world.fieldIds.get('Urgency')!, world.fieldIds.get('Hidden choice')!];
    const address = `/portal/api/admin/manage/communities/${world.communityId}/fields/${field}`;
    const valuesOf = (id: number) =>
      world.rows('SELECT id FROM field_enum_values WHERE tenant_id = $1 AND field_id = $2 ORDER BY position', [id]);
    const [values, hiddenValues] = [await valuesOf(field), await valuesOf(hidden)];
    const customData = { [field]: values[0]!.id, [hidden]: hiddenValues[0]!.id };
    const postId = await world.post(manager, { title: 'Order', customData });
    await index();
    const [hit] = (await search(author, 'marigolds')).items ?? [];
    expect(hit).toMatchObject({ id: postId, fieldLabel: 'Urgency', excerpt: 'Marigold' });
    expect(await found(manager, 'chrysanthemum')).toEqual([]);
    const labels = ['Dandelion', 'Tulip'];
    const form = await world.tenant.request(admin, 'GET', address);
    const edited = await world.tenant.request(admin, 'PUT', address, {
      label: 'Urgency',
      occToken: form.body.occToken,
      enumValues: values.map(({ id }, at) => ({ id, label: labels[at] })),
    });
    expect(edited.status, edited.text).toBe(200);
    while (await workOnChange(await world.scope(world.tenant.systemUserId)));
    await index();
    expect(await found(author, 'dandelion')).toEqual([`post ${postId}`]);
    expect(await found(author, 'marigold')).toEqual([]);
  });
});

describe('labels of catalog entries', () => {
  test('are found in all languages, also new ones, and in an index that lacks them', async () => {
    const { admin, author, manager } = world.people;
    const administer = await world.scope(admin);
    const { catalog } = await createCatalog(administer, { name: { en: 'Suppliers' } });
    const catalogId = catalog.id;
    const { entry, occToken } = await createCatalogEntry(administer, catalogId, {
      label: { en: 'Wisteria Ltd', it: 'Glicine srl' },
    });
    const field = await addField(
      await world.scope(admin),
      { communityId: world.communityId },
      { label: 'Supplier', type: FieldType.ENUM, catalogId },
    );
    const postId = await world.post(manager, { title: 'Contract', customData: { [field.id]: entry.id } });
    await index();
    const [hit] = (await search(author, 'wisterias')).items ?? [];
    expect(hit).toMatchObject({ id: postId, fieldLabel: 'Supplier', excerpt: 'Wisteria Ltd · Glicine srl' });
    const first = { label: { en: 'Rosemary Ltd' }, externalId: 'W' };
    await editCatalogEntry(await world.scope(admin), catalogId, entry.id, occToken, first);
    await index();
    expect(await found(author, 'rosemary')).toEqual([`post ${postId}`]);
    expect(await found(author, 'glicine')).toEqual([]);
    const second = { label: { en: 'Juniper Ltd', it: 'Ginepro' }, externalId: 'W' };
    await putCatalogEntries(await world.scope(admin), catalogId, [second]);
    await index();
    expect(await found(author, 'ginepro')).toEqual([`post ${postId}`]);
    // As an earlier version of the service left it.
    await world.rows(`UPDATE search_entries SET stamp = '', words = '' WHERE tenant_id = $1 AND object_id = $2`, [
      postId,
    ]);
    expect(await found(author, 'juniper')).toEqual([]);
    await world.rows('UPDATE search_state SET labels_version = 0 WHERE tenant_id = $1');
    await index();
    expect(await found(author, 'juniper')).toEqual([`post ${postId}`]);
  });
});

describe('restrictions', () => {
  test('of community, person, state, time, content and field narrow the results', async () => {
    const { author, contributor, manager } = world.people;
    const [serial, secret] = [world.fieldIds.get('Serial')!, world.fieldIds.get('Secret')!];
    const postId = await world.post(manager, {
      title: 'Quarterly gizmo',
      customData: { [serial]: 'AX-4711', [secret]: 'Zanzibar' },
    });
    await comment(postId, 'Seen');
    await index();
    const year = new Date().getUTCFullYear();
    for (const [text, hit] of [
      ['gizmo in:news', true],
      ['gizmo in:olds', true],
      ['gizmo by:maria', true],
      ['gizmo by:ada', false],
      ['gizmo state:new', true],
      [`gizmo before:${year}`, false],
      [`gizmo after:${year}`, true],
      ['gizmo has:comment', true],
      ['gizmo has:task', false],
      ['gizmo serial:4711', true],
      ['gizmo serial:4712', false],
      ['serial:ax-4711', true],
    ] as const) {
      expect((await found(author, text)).includes(`post ${postId}`), text).toBe(hit);
    }
    expect((await search(author, 'gizmo in:olds')).ignored).toEqual(['in:olds']);
    // More restrictions than a search takes.
    expect((await search(author, `gizmo ${'by:maria '.repeat(16)}by:ada`)).ignored).toEqual(['by:ada']);
    expect(await found(author, 'gizmo', { stateNames: ['NEW', ...Array(900).fill('other')] })).toContain(
      `post ${postId}`,
    );
    // A field that only managers see is in no index; they search it by its name.
    expect(await found(manager, 'zanzibar')).toEqual([]);
    expect(await found(manager, 'secret:zanzibar')).toContain(`post ${postId}`);
    expect(await found(contributor, 'secret:zanzibar')).toEqual([]);
    const { counts } = await search(author, 'gizmo');
    expect(counts).toMatchObject({
      kinds: [{ value: 'post', count: 1 }],
      communities: [{ value: String(world.communityId), name: 'News', count: 1 }],
      states: [{ value: 'New', count: 1 }],
      years: [{ value: String(year), count: 1 }],
      total: 1,
      more: false,
    });
  });

  test('of wrong types and lengths are refused', async () => {
    const { author } = world.people;
    for (const body of [
      { text: 'x'.repeat(501) },
      { pageSize: 0 },
      { pageSize: 101 },
      { kinds: ['boat'] },
      { skip: -1 },
    ]) {
      expect((await world.send(author, 'POST', 'search/data/search', body)).status, JSON.stringify(body)).toBe(400);
    }
    for (const text of ['', '-', '"', "' | & ! :* \\ <->", 'a'.repeat(500), ':', 'in:', '💥 -💥', 'the']) {
      expect((await world.send(author, 'POST', 'search/data/search', { text })).status, text).toBe(200);
    }
  });
});

describe('the index', () => {
  test('follows edits and deletions, and keeps no word of them', async () => {
    const { author } = world.people;
    const postId = await titled('Wombat crossing');
    await index();
    expect(await found(author, 'wombat')).toEqual([`post ${postId}`]);
    await world.ok(author, 'DELETE', `posts/manage/delete-post/${postId}`);
    // Before the job: the result is gone, since the post is not visible any more.
    expect(await found(author, 'wombat')).toEqual([]);
    await index();
    expect(await world.rows(`SELECT word FROM search_words WHERE tenant_id = $1 AND word = 'wombat'`)).toEqual([]);
    expect(await world.rows('SELECT kind FROM search_entries WHERE tenant_id = $1 AND post_id = $2', [postId])).toEqual(
      [],
    );
  });

  test('is built anew after a restore, and answers meanwhile', async () => {
    const { author } = world.people;
    const lost = await titled('Ocelot lost');
    const kept = await titled('Ocelot kept');
    await index();
    await world.rows('DELETE FROM search_entries WHERE tenant_id = $1 AND post_id = $2', [lost]);
    await world.rows('UPDATE stream_state SET generation = generation + 1 WHERE tenant_id = $1');
    const { indexing, items } = await search(author, 'ocelot');
    expect([indexing, items?.map(({ id }) => id)]).toEqual([false, [kept]]);
    await index();
    expect(new Set(await found(author, 'ocelot'))).toEqual(new Set([`post ${lost}`, `post ${kept}`]));
  });

  test('is built in parts while the search of lists answers', async () => {
    const other = await createTestWorld(portal);
    const { author } = other.people;
    const ids = [];
    for (const title of ['First otter', 'Second otter']) ids.push(await other.post(author, { title }));
    const before = await search(author, 'otter', {}, other);
    expect([before.indexing, new Set(before.items?.map(({ id }) => id))]).toEqual([true, new Set(ids)]);
    await index(other);
    const after = await search(author, 'otters', {}, other);
    expect([after.indexing, new Set(after.items?.map(({ id }) => id))]).toEqual([false, new Set(ids)]);
  });
});

/** Words of random texts, with the word that their inflections stand for. */
const WORDS = {
  contract: 'contract',
  contracts: 'contract',
  signing: 'sign',
  signed: 'sign',
  zebra: 'zebra',
  東京: '東京',
};
const word = fc.constantFrom(...(Object.keys(WORDS) as (keyof typeof WORDS)[]));
const text = fc.array(word, { minLength: 1, maxLength: 4 });
const query = fc.record({
  all: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
  either: fc.option(word, { nil: undefined }),
  phrase: fc.option(fc.tuple(word, word), { nil: undefined }),
  not: fc.option(word, { nil: undefined, freq: 2 }),
});

test('finds what a plain statement of the rule finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 6, maxLength: 6 }),
      fc.array(query, { minLength: 8, maxLength: 8 }),
      async (texts, queries) => {
        const one = await createTestWorld(portal);
        const { author } = one.people;
        const posts = new Map<number, readonly (keyof typeof WORDS)[]>();
        for (const words of texts)
          posts.set(await one.post(author, { title: words.join(' '), description: '' }), words);
        await index(one);
        for (const { all, either, phrase, not } of queries) {
          const parts = [
            ...(phrase ? [`"${phrase.join(' ')}"`] : []),
            ...(either ? [`${either} or zebra`] : []),
            ...(not ? [`-${not}`] : []),
            ...all,
          ];
          const expected = [...posts].filter(([, words]) => {
            const has = (wanted: keyof typeof WORDS) => words.some((other) => WORDS[other] === WORDS[wanted]);
            const follows = phrase && words.some((other, at) => other === phrase[0] && words[at + 1] === phrase[1]);
            return (
              all.every(has) && (!either || has(either) || has('zebra')) && (!phrase || follows) && !(not && has(not))
            );
          });
          // A space ends the last word, which is no prefix then.
          const { items = [] } = await search(author, `${parts.join(' ')} `, { kinds: ['post'] }, one);
          const first = items.slice(0, expected.length).map(({ id }) => id as number);
          expect(
            first.sort((a, b) => a - b),
            parts.join(' '),
          ).toEqual(expected.map(([id]) => id));
        }
      },
    ),
    { numRuns: longForm ? 60 : 2, endOnFailure: true },
  );
});
