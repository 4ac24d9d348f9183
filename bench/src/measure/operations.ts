/**
 * The operations that are measured at length: for each, the requests of clients to Portico and the
 * equivalent work of the limit.
 */
import pg from 'pg';
import type { Dataset, PersonKind } from '../dataset/dataset.ts';
import { type Client, type ListAnswer, tokenRequest } from './client.ts';
import type { RecordOrder } from './limit-server.ts';
import { ASKER, type ListShape, listShapes } from './list-shapes.ts';
import { encodeRequest, type HttpRequest } from './load.ts';

/** Duration and numbers of connections of an operation's measurement. */
type Depth = 'ladder' | 'eight' | 'five';

/** Numbers of connections. */
export const CONNECTIONS_OF: Readonly<Record<Depth, readonly number[]>> = {
  ladder: [1, 8, 32, 128],
  eight: [8],
  five: [5],
};

/** An operation. */
export interface Operation {
  readonly name: string;
  readonly depth: Depth;
  readonly kind: 'read' | 'write' | 'sign-in';
  prepare(): Promise<Prepared>;
}

/** The requests of a load. */
export interface Prepared {
  /** The next request of a connection to Portico. */
  next(connection: number, previous: string | undefined): Buffer;
  /** Whether `next` reads answers. */
  readonly bodies?: boolean;
  /** Whether each connection has its own request, instead of all in turn; on either side. */
  readonly fixed?: boolean;
  /** Orders for the limit to record: one per tenant. */
  readonly orders: readonly RecordOrder[];
  /** Runs before each load on Portico. */
  ready?(): Promise<void>;
  /** Runs at the very end: restores the data that the next run uses. */
  finish?(): Promise<void>;
}

/** The lists measured at length. */
export const HEADLINES: Readonly<Record<string, string>> = {
  list: 'by postLastModifyAndCommentTimestamp',
  'list, one filter': 'ENUM EQUAL common',
  'list, text': 'containsText rare',
};

/**
 * Returns a shape by its name.
 * @throws Error if there is none
 */
export function shapeNamed(dataset: Dataset, name: string): ListShape {
  const found = listShapes(dataset).find((shape) => shape.name === name);
  if (!found) throw new Error(`the data has no list "${name}"`);
  return found;
}

/** Sends the requests in turn, the same ones to both sides. */
function reading(
  name: string,
  depth: Depth,
  client: Client,
  requests: () => Promise<readonly HttpRequest[]> | readonly HttpRequest[],
  views?: { person: PersonKind; postIds: readonly number[] },
): Operation {
  return {
    name,
    depth,
    kind: 'read',
    prepare: async () => {
      const { tenant, people } = client.dataset;
      const sent = await requests();
      const buffers = sent.map(encodeRequest);
      let turn = 0;
      return {
        next: () => buffers[turn++ % buffers.length]!,
        orders: [
          {
            tenantId: tenant.id,
            requests: sent,
            warm: true,
            ...(views && {
              views: { userId: people[views.person].userId, postIds: views.postIds },
            }),
          },
        ],
      };
    },
  };
}

/** All operations, reads first: later writes cannot change their results. */
export function operationsOf(client: Client, ownerUrl: string): readonly Operation[] {
  const { dataset } = client;
  const { community } = dataset;
  const listed = (name: string, depth: Depth, shapeName: string, more: object = {}) =>
    reading(name, depth, client, () => [client.list(shapeNamed(dataset, shapeName), more)]);
  const detailIds = community.postIds.slice(0, 64);
  const reads = [
    reading('detail', 'ladder', client, () => detailIds.map((id) => client.detail(ASKER, id)), {
      person: ASKER,
      postIds: detailIds,
    }),
    ...Object.entries(HEADLINES).map(([name, shape]) => listed(name, 'ladder', shape)),
    listed('totals', 'ladder', 'ENUM EQUAL common', { calculateTotalItemsCount: true }),
    listed('list, common text', 'eight', 'containsText common'),
    listed('list, page of 500', 'eight', HEADLINES['list']!, { pageSize: 500 }),
    ...['toManage', 'mentioned', 'followedByMe'].map((name) => listed(name, 'eight', name)),
    ...(['old', 'recent'] as const).map((age) => streaming(client, age)),
    reading('comments', 'eight', client, () => [
      client.request(
        ASKER,
        'POST',
        `/communication/posts/data/comments-list/${community.specialPosts.manyComments.id}`,
        {
          pageSize: 20,
        },
      ),
    ]),
    reading('users', 'eight', client, () => [client.request('admin', 'POST', '/admin/data/users', { pageSize: 20 })]),
    ...(dataset.smallTenants.length > 0 ? [manyTenants(client)] : []),
  ];
  return [...reads, signingIn(client), ...writes(client, ownerUrl)];
}

/**
 * Starts a round of the stream, every connection as another person: a follower has one request at a
 * time.
 */
function streaming(client: Client, age: 'old' | 'recent'): Operation {
  const { stream, tenant } = client.dataset;
  const followers: readonly PersonKind[] = ['serviceAccount', 'admin', 'manager', 'contributor', 'reader'];
  return {
    name: `stream, ${age} token`,
    depth: 'five',
    kind: 'read',
    prepare: async () => {
      const requests = followers.map((person) => {
        const token = encodeURIComponent(stream.tokens[person][age]);
        return client.request(person, 'POST', `/communication/posts/data/global-stream?syncToken=${token}`);
      });
      const buffers = requests.map(encodeRequest);
      return {
        next: (connection) => buffers[connection % buffers.length]!,
        fixed: true,
        orders: [{ tenantId: tenant.id, requests, warm: true }],
      };
    },
  };
}

function manyTenants(client: Client): Operation {
  const { smallTenants } = client.dataset;
  return {
    name: `lists of ${smallTenants.length} tenants`,
    depth: 'eight',
    kind: 'read',
    prepare: async () => {
      const requests = smallTenants.map((tenant) => client.smallList(tenant));
      const buffers = requests.map(encodeRequest);
      let turn = 0;
      return {
        next: () => buffers[turn++ % buffers.length]!,
        orders: smallTenants.map(({ id }, index) => ({ tenantId: id, requests: [requests[index]!], warm: true })),
      };
    },
  };
}

/** Assertions made before the load: signing them is the client's work. */
const ASSERTIONS = 1_500;

function signingIn(client: Client): Operation {
  const { tenant, people } = client.dataset;
  const make = () => tokenRequest(tenant.host, people.serviceAccount.key);
  return {
    name: 'token exchange',
    depth: 'eight',
    kind: 'sign-in',
    prepare: async () => {
      let stock: Buffer[] = [];
      const request = make();
      const { jwtAssertion } = JSON.parse(request.body!) as { jwtAssertion: string };
      const claims = JSON.parse(Buffer.from(jwtAssertion.split('.')[1]!, 'base64url').toString()) as { jti: string };
      return {
        ready: async () => {
          stock = Array.from({ length: ASSERTIONS }, () => encodeRequest(make()));
        },
        next: () => stock.pop() ?? encodeRequest(make()),
        orders: [{ tenantId: tenant.id, requests: [request], warm: false, random: [claims.jti] }],
      };
    },
  };
}

/** Posts that Portico writes to, and others for the limit: neither waits for the other's locks. */
const WRITTEN = 128;
/** Posts that the limit uses in turn. */
const RECORDED = 32;

/** Title of posts created by the bench, by which they are removed again. */
const BENCH_TITLE = 'Written by the bench';

/** Body of a new post with values in ten fields. */
function newPost(dataset: Dataset): object {
  const filled = dataset.community.fields.filter((field) => field.sample !== undefined).slice(0, 10);
  return {
    announcement: false,
    title: BENCH_TITLE,
    description: 'Forty bolts came in this morning and were put on the left shelf.',
    descriptionFormat: 2,
    deltaAreaFormat: 1,
    customData: Object.fromEntries(filled.map(({ id, sample }) => [id, sample])),
  };
}

function writes(client: Client, ownerUrl: string): readonly Operation[] {
  const { community, tenant } = client.dataset;
  const writer: PersonKind = 'manager';
  const order = (requests: readonly HttpRequest[]): RecordOrder => ({
    tenantId: tenant.id,
    requests,
    warm: false,
    writesIn: community.id,
  });
  const third = Math.floor(community.postIds.length / 3);
  const ours = community.postIds.slice(0, Math.min(WRITTEN, third));
  const theirs = community.postIds.slice(third, third + Math.min(RECORDED, third));
  const under = (path: string) => `/communication/posts/manage/${path}`;
  const create = client.request(writer, 'POST', under(`create-post/${community.id}`), newPost(client.dataset));
  const edited = (postId: number, token: number, turn: number) =>
    client.request(writer, 'PUT', under(`edit-post/${postId}/${token}`), {
      title: `A title that was edited ${turn}`,
      description: 'The second part came in on Thursday and was put on the left shelf.',
      descriptionFormat: 2,
    });
  const tokenOf = async (postId: number) =>
    (await client.ask<{ occToken: number }>(client.request(writer, 'GET', under(`post-data-for-edit/${postId}`))))
      .occToken;
  const comment = (postId: number) =>
    client.request(writer, 'POST', under(`create-comment/${postId}`), {
      comment: 'The second part came in on Thursday.',
      commentFormat: 2,
    });
  return [
    {
      name: 'create',
      depth: 'ladder',
      kind: 'write',
      prepare: async () => {
        const request = encodeRequest(create);
        return { next: () => request, orders: [order([create])] };
      },
    },
    {
      name: 'edit',
      depth: 'eight',
      kind: 'write',
      prepare: async () => {
        const tokens = new Map<number, number>();
        let turn = 0;
        const recorded = await Promise.all(theirs.map(async (id) => edited(id, await tokenOf(id), 0)));
        return {
          bodies: true,
          ready: async () => {
            for (const [index, id] of ours.entries()) tokens.set(index, await tokenOf(id));
          },
          next: (connection, previous) => {
            const next = previous && (JSON.parse(previous) as { nextOccToken?: number }).nextOccToken;
            if (next) tokens.set(connection, next);
            return encodeRequest(edited(ours[connection % ours.length]!, tokens.get(connection)!, ++turn));
          },
          orders: [order(recorded)],
        };
      },
    },
    {
      name: 'comment',
      depth: 'eight',
      kind: 'write',
      prepare: async () => {
        const buffers = ours.map((id) => encodeRequest(comment(id)));
        let turn = 0;
        return { next: () => buffers[turn++ % buffers.length]!, orders: [order(theirs.map(comment))] };
      },
    },
    executing(client, ownerUrl, writer, order),
  ];
}

/**
 * Runs transitions. A workflow need not return to its beginning, so posts are reset to the initial
 * state by hand before each load; then each is moved one step, and after all of them, another.
 */
function executing(
  client: Client,
  ownerUrl: string,
  person: PersonKind,
  order: (requests: readonly HttpRequest[]) => RecordOrder,
): Operation {
  const { community, tenant } = client.dataset;
  const run = (postId: number, operationId: number) =>
    client.request(
      person,
      'POST',
      `/communication/posts/manage/execute-post-workflow-operation/${postId}/${operationId}`,
      {},
    );
  return {
    name: 'execute workflow',
    depth: 'eight',
    kind: 'write',
    prepare: async () => {
      const first = community.states.find(({ initial }) => initial);
      const way = first ? longestWay(community.operations, first.id) : [];
      if (!first || way.length === 0) throw new Error('the workflow leads nowhere');
      const third = Math.floor(community.postIds.length / 3);
      const ours = community.postIds.slice(0, 2 * third);
      const theirs = community.postIds.slice(-Math.min(RECORDED, third));
      const putBack = () =>
        asOwner(ownerUrl, tenant.id, (owner) =>
          owner.query(
            'UPDATE posts SET state_id = $3 WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND state_id <> $3',
            [tenant.id, [...ours, ...theirs], first.id],
          ),
        );
      await putBack();
      let turn = 0;
      return {
        ready: async () => {
          await putBack();
          turn = 0;
        },
        next: () => {
          const step = Math.floor(turn / ours.length);
          return encodeRequest(run(ours[turn++ % ours.length]!, way[step % way.length]!));
        },
        orders: [order(theirs.map((id) => run(id, way[0]!)))],
        finish: putBack,
      };
    },
  };
}

async function asOwner(
  ownerUrl: string,
  tenantId: number,
  work: (owner: pg.Client) => Promise<unknown>,
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
    await work(owner);
  } finally {
    await owner.end();
  }
}

/**
 * Ids of operations that lead from a state, one after another, as far as possible without a
 * repeated state.
 */
export function longestWay(
  operations: Dataset['community']['operations'],
  start: number,
  been: readonly number[] = [],
): readonly number[] {
  let longest: readonly number[] = [];
  for (const { id, fromStateId, toStateId } of operations) {
    if (fromStateId !== start || toStateId === start || been.includes(toStateId)) continue;
    const way = [id, ...longestWay(operations, toStateId, [...been, start])];
    if (way.length > longest.length) longest = way;
  }
  return longest;
}

/**
 * Removes the posts that the bench wrote, first as their author, then for good: rows of removed
 * posts would stand at the ends of indexes, where the scans of the next run begin.
 * @returns the number of posts
 */
export async function removeWritten(client: Client, ownerUrl: string): Promise<number> {
  const shape = { ...shapeNamed(client.dataset, HEADLINES['list']!), person: 'manager' as const };
  let removed = 0;
  for (;;) {
    const page = await client.ask<ListAnswer>(
      client.heads(
        { ...shape, filters: [] },
        { pageSize: 500, title: BENCH_TITLE, createdByUserIds: [client.dataset.people.manager.userId] },
      ),
    );
    if (page.items.length === 0) break;
    const left = page.items.map(({ id }) => id);
    const work = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        await client.ask(client.request('manager', 'DELETE', `/communication/posts/manage/delete-post/${id}`));
        removed += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
  }
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    // With a generic plan, the cascades of one tenant among many look for a post's rows in indexes
    // of others.
    await owner.query('SET plan_cache_mode = force_custom_plan');
    await owner.query('DELETE FROM posts WHERE tenant_id = $1 AND title = $2 AND deleted_at IS NOT NULL', [
      client.dataset.tenant.id,
      BENCH_TITLE,
    ]);
  } finally {
    await owner.end();
  }
  return removed;
}
