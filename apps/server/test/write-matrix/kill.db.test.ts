/**
 * `kill -9` of the server and of its embedded database while writes pour in: after the restart each acknowledged write is
 * there in whole, with its history and change row; each other one in whole or not at all.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addField } from '../../src/modules/communities/define-fields.ts';
import {
  createCommunity,
  createWorkflow,
  createWorkspace,
  setCommunityRoles,
} from '../../src/modules/communities/index.ts';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import { type OperatorSession, withOperator } from '../../src/process/operator.ts';
import type { Services } from '../../src/process/services.ts';
import { postgresPid } from '../process/process.fixture.ts';
import { fillDataDirectory } from '../support/data-directory.ts';
import { longForm } from '../support/long-form.ts';
import { cleanEnvironment, Running, START } from '../support/running.ts';

const API = '/portal/api/external/v2/communication';
const WRITERS = 16;

let dataDir: string;
let env: Record<string, string>;
let server: { running: Running; origin: string };
let place: {
  tenant: string;
  communityId: number;
  fieldIds: number[];
  transitionId: number;
  userId: number;
  token: string;
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portico-storm-'));
  await fillDataDirectory(dataDir, false);
  env = {
    PORT: '0',
    HOST: '127.0.0.1',
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: 'false',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_DRAIN_MS: '0',
  };
  server = await start();
  place = await withOperator(prepare, cleanEnvironment(env));
});
afterAll(async () => {
  await server?.running.end();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function prepare(session: OperatorSession, services: Services): Promise<typeof place> {
  const { adminUserId: userId } = await session.createTenant({
    name: 'storm',
    hosts: ['127.0.0.1'],
    adminEmail: 'ada@storm.test',
  });
  const scope = async () => ({ ...(await session.systemScope('storm')) });
  const workflow = await createWorkflow(await scope(), {
    title: 'Round',
    states: [{ name: 'On', initial: true }],
    transitions: [{ name: 'Turn', from: 'On', to: 'On', run: { roles: [1] } }],
  });
  const workspaceId = await createWorkspace(await scope(), { name: 'Storm' });
  const communityId = await createCommunity(await scope(), { workspaceId, name: 'Storm', workflowId: workflow.id });
  await setCommunityRoles(await scope(), communityId, [{ principal: userId, role: 1 }]);
  const fieldIds: number[] = [];
  for (const label of ['One', 'Two', 'Three']) {
    fieldIds.push(
      (await addField(await scope(), { communityId }, { label, type: FieldType.STRING, sortable: true })).id,
    );
  }
  const { tenant } = await session.systemScope('storm');
  const token = await services.tokens.issue(await tenantScope(services, tenant, 'http://127.0.0.1'), {
    userId,
    keyId: null,
    sessionVersion: 1,
  });
  return { tenant: 'storm', communityId, fieldIds, transitionId: workflow.transitionIds[0]!, userId, token };
}

async function start(): Promise<typeof server> {
  const running = new Running(process.execPath, [START], env);
  return { running, origin: await running.ready() };
}

/** A write of the storm and its result. */
interface Sent {
  key: string;
  method: string;
  path: string;
  body: Record<string, unknown>;
  /** The answer's body, if it came. */
  answer?: Record<string, unknown>;
}

async function send(origin: string, sent: Sent): Promise<number> {
  const response = await fetch(`${origin}${API}/${sent.path}`, {
    method: sent.method,
    headers: {
      Authorization: `Bearer ${place.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': sent.key,
    },
    body: JSON.stringify(sent.body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status === 200) sent.answer = answer;
  else throw new Error(`${sent.path}: ${response.status} ${JSON.stringify(answer)}`);
  return response.status;
}

const fields = (marker: string) => Object.fromEntries(place.fieldIds.map((id) => [String(id), marker]));
const content = (marker: string) => ({
  title: marker,
  description: marker,
  descriptionFormat: 2,
  customData: fields(marker),
});

/** Writes until the connection breaks: a post, then edits, comments, tasks and steps of the workflow on it. */
async function write(origin: string, name: string, log: Sent[], stop: AbortSignal): Promise<void> {
  const next = async (sent: Sent) => {
    log.push(sent);
    await send(origin, sent);
    return sent.answer!;
  };
  try {
    for (let post = 0; !stop.aborted; post++) {
      const marker = `${name}-${post}`;
      const made = await next({
        key: marker,
        method: 'POST',
        path: `posts/manage/create-post/${place.communityId}`,
        body: { announcement: false, clientUid: marker, ...content(marker), watcherUserIds: [place.userId] },
      });
      let token = made['nextOccToken'];
      for (let turn = 0; turn < 4 && !stop.aborted; turn++) {
        const key = `${marker}-${turn}`;
        const id = made['postId'];
        const edited = await next({
          key: `${key}-edit`,
          method: 'PUT',
          path: `posts/manage/edit-post/${id}/${token}`,
          body: content(key),
        });
        token = edited['nextOccToken'];
        await next({
          key: `${key}-comment`,
          method: 'POST',
          path: `posts/manage/create-comment/${id}`,
          body: { comment: key, commentFormat: 2, clientUid: key },
        });
        await next({
          key: `${key}-task`,
          method: 'POST',
          path: `tasks/manage/create-task/${id}`,
          body: {
            title: key,
            clientUid: key,
            assigneeUserId: place.userId,
            expiration: { datetime: '2031-01-01T10:00:00', timezone: 'Europe/Rome' },
            subTasks: [1, 2].map((state) => ({ description: key, state })),
          },
        });
        await next({
          key: `${key}-step`,
          method: 'POST',
          path: `posts/manage/execute-post-workflow-operation/${id}/${place.transitionId}`,
          body: {},
        });
      }
    }
  } catch (error) {
    // The server was killed under the request; anything before that is a fault of its own.
    if (!stop.aborted) throw error;
  }
}

/** Checks every sentence about wholeness against the rows. @returns the violations */
async function broken(session: OperatorSession): Promise<unknown[]> {
  const { db } = await session.systemScope('storm');
  return db.query(
    `SELECT p.id, p.client_uid, p.title, p.version, p.screen_version, p.comments_count, p.tasks_count
       FROM posts p
      WHERE p.tenant_id = $1 AND NOT (
        (SELECT count(*) FROM post_values v WHERE v.tenant_id = $1 AND v.post_id = p.id AND v.txt = lower(p.title)) = $2
        AND (SELECT count(*) FROM jsonb_each_text(p.custom_data) d WHERE d.value = p.title) = $2
        AND p.description_text LIKE p.title || '%'
        AND (SELECT count(*) FROM post_search s WHERE s.tenant_id = $1 AND s.post_id = p.id AND s.title LIKE '%' || lower(p.title) || '%') = 1
        AND (SELECT count(*) FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = p.id) = 1
        AND (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 1) = 1
        AND (SELECT count(*) FROM changes c WHERE c.tenant_id = $1 AND c.post_id = p.id AND c.kind = 1) = 1
        AND (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 2) = p.version - 1
        AND (SELECT count(*) FROM changes c WHERE c.tenant_id = $1 AND c.post_id = p.id AND c.kind = 2) = p.version - 1
        AND (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 6) = p.screen_version - 1
        AND (SELECT count(*) FROM comments o WHERE o.tenant_id = $1 AND o.post_id = p.id) = p.comments_count
        AND (SELECT count(*) FROM history_events h JOIN comments o ON o.tenant_id = $1 AND o.id = h.comment_id
              WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 3) = p.comments_count
        AND (SELECT count(*) FROM tasks t WHERE t.tenant_id = $1 AND t.post_id = p.id) = p.tasks_count
        AND (SELECT count(*) FROM sub_tasks s JOIN tasks t ON t.tenant_id = $1 AND t.id = s.task_id
              WHERE s.tenant_id = $1 AND t.post_id = p.id) = 2 * p.tasks_count
        AND (SELECT count(*) FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = p.id AND h.type_id = 21) = p.tasks_count
        AND (SELECT count(*) FROM changes c WHERE c.tenant_id = $1 AND c.post_id = p.id AND c.kind = 3)
            = p.comments_count + p.tasks_count + p.screen_version - 1)`,
    [db.tenantId, place.fieldIds.length],
  );
}

/** Acknowledged writes that are not there. */
async function missing(session: OperatorSession, log: readonly Sent[]): Promise<string[]> {
  const { db } = await session.systemScope('storm');
  const found = async (sql: string) =>
    new Map((await db.query<{ id: number; value: number }>(sql, [db.tenantId])).map(({ id, value }) => [id, value]));
  const posts = await found('SELECT id, version AS value FROM posts WHERE tenant_id = $1');
  const comments = await found('SELECT id, post_id AS value FROM comments WHERE tenant_id = $1');
  const tasks = await found('SELECT id, post_id AS value FROM tasks WHERE tenant_id = $1');
  const keys = new Set(
    (
      await db.query<{ key: string }>(
        'SELECT key FROM idempotency_keys WHERE tenant_id = $1 AND response IS NOT NULL',
        [db.tenantId],
      )
    ).map(({ key }) => key),
  );
  return log
    .filter(({ key, answer }) => {
      if (!answer) return false;
      if (!keys.has(key)) return true;
      if (answer['postId'] !== undefined) return !posts.has(answer['postId'] as number);
      if (answer['taskId'] !== undefined) return !tasks.has(answer['taskId'] as number);
      const comment = answer['comment'] as { id: number } | undefined;
      if (comment) return !comments.has(comment.id);
      const edited = answer['postData'] as { id: number } | undefined;
      return edited !== undefined && (posts.get(edited.id) ?? 0) < (answer['nextOccToken'] as number);
    })
    .map(({ key }) => key);
}

describe('a storm of writes', () => {
  test.each(['the server', 'the server and its database'])(
    'outlives kill -9 of %s',
    async (victim) => {
      for (let round = 0; round < (longForm ? 5 : 1); round++) {
        const { running, origin } = server;
        const log: Sent[] = [];
        const stop = new AbortController();
        const storm = Promise.all(
          Array.from({ length: WRITERS }, (_, index) =>
            write(origin, `s${victim.length}r${round}w${index}`, log, stop.signal),
          ),
        );
        // In the thick of it, however fast the machine is.
        const enough = (longForm ? 800 : 120) + Math.random() * 50;
        const begun = Date.now();
        while (log.length < enough && Date.now() - begun < 60_000) await Promise.race([storm, sleep(5)]);
        const database = postgresPid(dataDir) as number;
        stop.abort();
        running.child.kill('SIGKILL');
        if (victim !== 'the server') process.kill(database, 'SIGKILL');
        await running.exited;
        await storm;
        const acknowledged = log.filter(({ answer }) => answer);
        expect(acknowledged.length).toBeGreaterThan(50);

        server = await start();
        await withOperator(async (session) => {
          expect(await broken(session)).toEqual([]);
          expect(await missing(session, log)).toEqual([]);
        }, cleanEnvironment(env));
        // A write without a response is sent again with its key: it takes effect once, whether it
        // had been done or not.
        const open = log.filter(({ answer }) => !answer);
        expect(open.length).toBeGreaterThan(0);
        for (const sent of open) await send(server.origin, sent);
        for (const sent of acknowledged.slice(-20)) {
          const first = sent.answer;
          await send(server.origin, sent);
          expect(sent.answer).toEqual(first);
        }
        await withOperator(async (session) => {
          expect(await broken(session)).toEqual([]);
          expect(await missing(session, log)).toEqual([]);
          const { db } = await session.systemScope('storm');
          const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
            `SELECT count(*) AS count FROM idempotency_keys WHERE tenant_id = $1 AND key = ANY ($2::text[])`,
            [db.tenantId, log.map(({ key }) => key)],
          );
          expect(count).toBe(log.length);
        }, cleanEnvironment(env));
      }
    },
    900_000,
  );
});
