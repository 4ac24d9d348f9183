/** Queries as people write them: misspelt, inflected, with articles, of some words, of people by what they do. */
import { FieldType, type SearchRequest, type SearchResponse } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster } from '../../../test/support/index.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { createCatalog } from '../communities/catalogs/write-catalog.ts';
import { createCatalogEntry } from '../communities/catalogs/write-catalog-entry.ts';
import { addField } from '../communities/define-fields.ts';
import { indexNext } from './index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
  world = await createTestWorld(portal, {
    community: { name: 'IT Purchasing', commentsHiddenFromReaders: true },
    fields: [
      { label: 'Urgent', type: FieldType.FLAG, searchable: true },
      { label: 'Lead', type: FieldType.GENERIC_ENTITY_LIST, metadata: { generic_entity_list_config_id: 'core.user' } },
    ],
  });
});
afterAll(() => portal?.close());

async function index(): Promise<void> {
  const scope = await world.scope(world.tenant.systemUserId);
  while (await indexNext(scope));
}

const search = (user: number, text: string, more: SearchRequest = {}): Promise<SearchResponse> =>
  world.ok(user, 'POST', 'search/data/search', { text, ...more });

const found = async (user: number, text: string, more: SearchRequest = {}) =>
  ((await search(user, text, more)).items ?? []).map(({ kind, id }) => `${kind} ${id}`);

const titled = (title: string, description = '') => world.post(world.people.author, { title, description });

const comment = (postId: number, text: string) =>
  world.ok(world.people.author, 'POST', `posts/manage/create-comment/${postId}`, { comment: text, commentFormat: 2 });

const task = async (postId: number, title: string): Promise<number> => {
  const { author } = world.people;
  const expiration = { datetime: '2027-01-01T00:00:00', timezone: 'UTC' };
  const body = { title, expiration, assigneeUserId: author };
  return (await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, body)).taskId;
};

describe('words', () => {
  test('are corrected beside right ones, and as inflections', async () => {
    const { author } = world.people;
    const projector = await titled('The projector forgets its settings');
    const labels = await titled('Etichette termiche per il laboratorio');
    const doors = await titled('Brandschutztüren der Montagehalle');
    await index();
    for (const [text, id] of [
      ['projecter settings', projector],
      ['projecters setting ', projector],
      ['porjectors forgot', projector],
      ['projector fogrets', projector],
      ['etichetta termicha', labels],
      ['etichetta termiche labortorio', labels],
      ['Brandschuztür', doors],
      ['Brandschutztueren Montaghalle', doors],
    ] as const) {
      expect((await found(author, text))[0], text).toBe(`post ${id}`);
    }
    expect((await search(author, 'projecters ')).corrected).toBe('projector');
    // An inflection is none: the word is found as it is.
    expect((await search(author, 'projectors ')).corrected).toBeUndefined();
  });

  test('are corrected among thousands that begin alike', async () => {
    const { author } = world.people;
    await world.rows(
      `INSERT INTO search_words (tenant_id, word)
       SELECT DISTINCT $1::bigint, 'con' || translate(substr(md5(n::text), 1, 5), '0123456789', 'ghijklmnop')
         FROM generate_series(1, 6000) n ON CONFLICT DO NOTHING`,
    );
    const contract = await titled('Contract of the cleaner');
    await index();
    for (const text of ['contrcat', 'contrakt cleaner', 'contracds ']) {
      expect((await found(author, text))[0], text).toBe(`post ${contract}`);
    }
  });

  test('that the caller does not see correct nothing', async () => {
    const { author, reader, outsider } = world.people;
    const postId = await titled('Delivery of chairs');
    await comment(postId, 'The chrysalis was signed for');
    await index();
    const misspelt = await search(author, 'chrysallis');
    expect([misspelt.corrected, misspelt.items?.length]).toEqual(['chrysalis', 1]);
    for (const user of [reader, outsider]) {
      for (const text of ['chrysallis', 'chrysaliss chairz', 'chrysalises', 'chrysal', 'chrysallis chairs']) {
        const { corrected, suggestions, items = [] } = await search(user, text);
        expect(JSON.stringify([corrected, suggestions, items]), text).not.toMatch(/chrysalis\b/);
      }
    }
  });

  test('need not have their articles, of two letters or before an apostrophe', async () => {
    const { author } = world.people;
    const machine = await titled("Una macchina del caffè per l'ufficio gare");
    const heating = await titled('Heizung klemmt', 'Im dritten Stock');
    await index();
    for (const [text, id] of [
      ["il caffè dell'ufficio", machine],
      ["l'uffici ", machine],
      ['un ufficio per la macchina', machine],
      ['die Heizung ist am Klemmen', heating],
      ['heizung im stock', heating],
    ] as const) {
      expect((await found(author, text))[0], text).toBe(`post ${id}`);
    }
  });

  test('joined by a hyphen match as one word too', async () => {
    const { author } = world.people;
    const network = await titled('Wifi is slow');
    await index();
    expect(await found(author, 'wi-fi')).toEqual([`post ${network}`]);
    expect(await found(author, 'slow wi-fi -"slow wi-fi"')).toEqual([`post ${network}`]);
  });

  test('that equal the mark of a stem are no beginnings of all stems', async () => {
    const { author } = world.people;
    await titled('Contratti firmati ieri');
    await index();
    for (const text of ['it', 'en', 'de', 'fr', 'es']) {
      const { items = [] } = await search(author, text, { kinds: ['post', 'comment', 'task', 'file'] });
      for (const { title = '' } of items) expect(title.toLowerCase().split(' '), text).toContain(text);
    }
  });
});

describe('results', () => {
  test('with some of the words have rare words and most words first', async () => {
    const { author } = world.people;
    for (let n = 0; n < 12; n++) await titled(`Meeting about number ${n}`, 'of the week');
    const rare = await titled('Oleander');
    await world.rows(
      `UPDATE search_entries SET at = at - interval '3 years' WHERE tenant_id = $1 AND object_id = $2 AND kind = 1`,
      [rare],
    );
    const both = await titled('Oleander week');
    await index();
    const { someWords, items = [] } = await search(author, 'meeting oleander week unheardof');
    expect(someWords).toBe(true);
    expect(items.slice(0, 2).map(({ id }) => id)).toEqual([both, rare]);
  });

  test('show a post before its tasks of the same title, and other posts before the fourth of them', async () => {
    const { author } = world.people;
    const postId = await titled('Gas sensor');
    const tasks = [];
    for (let n = 0; n < 6; n++) tasks.push(await task(postId, 'Gas sensor'));
    const other = await titled('Gas sensor on order');
    await index();
    for (const [id, age] of [
      [postId, '1 year'],
      [other, '2 years'],
    ]) {
      await world.rows(
        `UPDATE search_entries SET at = at - $3::interval WHERE tenant_id = $1 AND object_id = $2 AND kind = 1`,
        [id, age],
      );
    }
    const order = await found(author, 'gas sensor');
    expect(order[0]).toBe(`post ${postId}`);
    expect(order.slice(1, 4).every((key) => key.startsWith('task'))).toBe(true);
    expect(order.indexOf(`post ${other}`)).toBeLessThan(7);
    expect(order).toHaveLength(8);
  });

  test('are people by their captions, also misspelt ones, for callers to whom lists show them', async () => {
    const { author, manager, outsider } = world.people;
    const { tenant, communityId } = world;
    const engineer = await tenant.createUser({ firstName: 'Nora', lastName: 'Lind', caption: 'Network engineers' });
    const stranger = await tenant.createUser({ firstName: 'Sten', lastName: 'Berg', caption: 'Network engineer' });
    await world.ok(manager, 'GET', `communities/data/tree`);
    await world.rows(
      `INSERT INTO community_roles (tenant_id, community_id, principal, role_id)
       SELECT tenant_id, community_id, $3, role_id FROM community_roles WHERE tenant_id = $1 AND community_id = $2 AND principal = $4`,
      [communityId, engineer, author],
    );
    await index();
    for (const text of ['network engineer', 'nora engineer', 'ENGINEERING network ', 'netwrok engineer']) {
      expect(await found(author, text, { kinds: ['person'] }), text).toEqual([`person ${engineer}`]);
    }
    const [hit] = (await search(author, 'network engineer')).items ?? [];
    expect(hit).toMatchObject({ title: 'Nora Lind', excerpt: 'Network engineers' });
    expect(hit!.excerptMarks).not.toEqual([]);
    expect(await found(outsider, 'network engineer')).not.toContain(`person ${engineer}`);
    expect(await found(author, 'network engineer')).not.toContain(`person ${stranger}`);
  });

  test('are communities by misspelt names and by beginnings before posts', async () => {
    const { author, outsider } = world.people;
    for (let n = 0; n < 6; n++) await titled('Something else', 'Do it in the item list of purchasing');
    await index();
    const own = `community ${world.communityId}`;
    for (const text of ['purchassing', 'IT', 'it purchasing']) expect(await found(author, text), text).toContain(own);
    expect((await found(author, 'IT'))[0]).toBe(own);
    expect(await found(outsider, 'purchassing')).not.toContain(own);
  });
});

describe('restrictions to values of fields', () => {
  test('name catalog entries, people and flags by their words', async () => {
    const { admin, author, manager } = world.people;
    const administer = await world.scope(admin);
    const { catalog } = await createCatalog(administer, { name: { en: 'Suppliers' } });
    const made = async (label: string) =>
      (await createCatalogEntry(await world.scope(admin), catalog.id, { label: { en: label, it: `${label} srl` } }))
        .entry.id;
    const oak = await made('Hollow Oak Furniture');
    const elm = await made('Élm');
    const field = await addField(
      await world.scope(admin),
      { communityId: world.communityId },
      { label: 'Supplier', type: FieldType.ENUM, catalogId: catalog.id },
    );
    const [urgent, lead] = [world.fieldIds.get('Urgent')!, world.fieldIds.get('Lead')!];
    const values = { [field.id]: oak, [urgent]: true, [lead]: [manager] };
    const first = await world.post(manager, { title: 'Zinnia one', customData: values });
    const second = await world.post(manager, { title: 'Zinnia two', customData: { [field.id]: elm, [urgent]: false } });
    await index();
    for (const [text, ...ids] of [
      ['zinnia supplier:"hollow oak furniture"', first],
      ['zinnia supplier:hollow', first],
      ['supplier:elm zinnia', second],
      ['zinnia supplier:oak'],
      ['zinnia supplier:"a\u{10FFFF}"'],
      ['zinnia lead:maria', first],
      ['zinnia lead:ada'],
      ['zinnia urgent:yes', first],
      ['zinnia urgent:sì', first],
      ['zinnia urgent:nein', second],
      ['zinnia urgent:perhaps'],
    ] as const) {
      expect(await found(author, text), text).toEqual(ids.map((id) => `post ${id}`));
    }
  });
});
