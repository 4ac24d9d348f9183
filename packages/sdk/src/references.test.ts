/** Communities, people and transitions by name. */
import { FieldType } from '@portico/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { CommunityClient, PorticoClient, UnknownNameError } from './node.ts';
import { type SeenRequest, startWireServer, type WireServer } from './testing/wire-server.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ADA = { id: 17, firstName: 'Ada', lastName: 'Rossi', contactEmail: 'ada@acme.example' };
const people = [
  ADA,
  { id: 18, firstName: 'Bo', lastName: 'Lund', contactEmail: 'bo@acme.example' },
  { id: 19, firstName: 'Bo', lastName: 'Lund', contactEmail: 'bo.lund@acme.example' },
];
const kind = { id: 1, label: 'Kind', type: FieldType.ENUM, enumValues: [{ id: 71, label: 'Small' }] };
const owner = {
  id: 2,
  label: 'Owner',
  type: FieldType.GENERIC_ENTITY_LIST,
  metadata: { generic_entity_list_config_id: 'core.user' },
};
const definition = {
  communityId: 5,
  fieldDefinitions: [kind, owner],
  workflowDefinition: { states: [{ id: 50, name: 'Open' }], transitions: [{ id: 60, name: 'Close' }] },
};

/** A portal with one community, Orders, and three people. */
async function portal() {
  const server = await startWireServer(({ path, body }: SeenRequest) => {
    if (path.endsWith('communities/view-post')) return { body: { communities: [{ id: 5, name: 'Orders' }] } };
    if (path.endsWith('current-user-data')) return { body: { userData: ADA } };
    if (path.includes('post-definition')) return { body: definition };
    if (path.includes('post-data-for-edit')) return { body: { communityId: 5, occToken: 1 } };
    if (path.includes('people')) {
      const words = String(body.fullTextFilter).toLowerCase();
      const found = people.filter((person) =>
        JSON.stringify(person)
          .toLowerCase()
          .includes(words.split(' ')[0] ?? ''),
      );
      return { body: { items: found } };
    }
    return { body: { items: [{ id: 9, communityId: 5, customData: { 1: 71 } }] } };
  });
  servers.push(server);
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { accessToken: 'x' } });
  const last = () => server.requests.at(-1) as SeenRequest;
  return { client, server, last };
}

describe('communities and people by name', () => {
  it('finds a community by its name, once', async () => {
    const { client, server, last } = await portal();
    await client.posts.create({ communityId: 'orders', title: 'A' });
    await client.posts.list({ communityId: 'Orders', where: { Kind: 'Small' } });
    expect(last().path).toMatch(/\/community\/5$/);
    expect(last().body.postFieldFilters).toEqual([{ columnId: 1, typeId: 4, parameters: [71] }]);
    expect(server.requests.filter(({ path }) => path.endsWith('communities/view-post'))).toHaveLength(1);
    expect((await client.definition('Orders')).communityId).toBe(5);
  });

  it('refuses an unknown one with near names, and sends nothing', async () => {
    const { client, server } = await portal();
    const refused = await client.posts.create({ communityId: 'Order', title: 'A' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnknownNameError);
    expect((refused as UnknownNameError).suggestions).toEqual(['Orders']);
    expect(server.requests.filter(({ path }) => path.includes('create-post'))).toEqual([]);
  });

  it('finds people by name, address and me, in members, lists and fields', async () => {
    const { client, last } = await portal();
    await client.tasks.create({
      postId: 9,
      title: 'T',
      assigneeUserId: 'Ada Rossi',
      expiration: { datetime: '2027-01-01T09:00:00Z' },
    });
    expect(last().body.assigneeUserId).toBe(17);
    await client.posts.create({
      communityId: 5,
      watcherUserIds: ['bo.lund@acme.example', 18, 'me'],
      customData: { Owner: ['ROSSI ADA', 18] },
    });
    expect(last().body).toMatchObject({ watcherUserIds: [19, 18, 17], customData: { 2: [17, 18] } });
    await client.posts.list({ communityId: 5, where: { Owner: { in: ['ada@acme.example'] } } });
    expect(last().body.postFieldFilters).toEqual([{ columnId: 2, typeId: 4, parameters: [17] }]);
  });

  it('refuses a name of several people with their addresses, and one of nobody', async () => {
    const { client } = await portal();
    await expect(client.users.access({ userId: 'Bo Lund' })).rejects.toMatchObject({
      suggestions: ['bo@acme.example', 'bo.lund@acme.example'],
    });
    await expect(client.users.access({ userId: 'Ada' })).rejects.toThrow('did you mean "Ada Rossi"?');
  });

  it('reads nothing for ids, also in texts', async () => {
    const { client, server, last } = await portal();
    await client.posts.list({ communityId: '5' });
    expect(last().path).toMatch(/\/community\/5$/);
    expect(server.requests).toHaveLength(1);
  });

  it('finds a transition by its name', async () => {
    const { client, last } = await portal();
    await client.workflow.execute({ postId: 9, workflowOperationId: 'close' });
    expect(last().path).toMatch(/\/60\b/);
  });
});

interface Orders {
  values: { Kind?: 'Small' };
  input: { Kind?: 'Small' | null; Owner?: (number | string)[] };
  screenInput: Record<string, never>;
  state: 'Open';
  transition: 'Close';
}

describe('CommunityClient', () => {
  it('writes and reads labels', async () => {
    const { client, last } = await portal();
    const orders = new CommunityClient<Orders>(client, 'Orders');
    await orders.create({ title: 'A', customData: { Kind: 'Small', Owner: ['me'] } });
    expect(last().body.customData).toEqual({ 1: [71], 2: [17] });
    const posts: unknown[] = [];
    for await (const { id, customData } of orders.list({ where: { Kind: 'Small' }, state: 'Open' }))
      posts.push([id, customData.Kind]);
    expect(posts).toEqual([[9, 'Small']]);
    for await (const { customData } of orders.iterate({ limit: 1 })) expect(customData).toEqual({ Kind: 'Small' });
    await orders.update(9, { customData: { Kind: null } });
    expect(last().body).toEqual({ customData: { 1: null }, occToken: 1 });
    await orders.execute(9, 'Close');
    expect(last().path).toMatch(/\/60\b/);
  });
});
