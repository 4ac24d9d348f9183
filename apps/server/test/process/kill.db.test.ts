/**
 * `kill -9` of the server, of PostgreSQL, of both: the next start works, and acknowledged writes
 * are there.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { ask, demoKey, isAlive, postgresPid, type Running, Surroundings, signIn, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

/**
 * Writes comments one after the other until told to end. @returns the ids of the acknowledged
 * comments
 */
function keepWriting(origin: string, token: string, post: number) {
  const acknowledged: number[] = [];
  let going = true;
  const done = (async () => {
    while (going) {
      try {
        const path = `communication/posts/manage/create-comment/${post}`;
        const { comment } = await ask(origin, token, 'POST', path, { comment: 'Kept', commentFormat: 2 });
        acknowledged.push(comment.id as number);
      } catch {
        // The server or its database is being killed: only acknowledged writes count.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  return {
    acknowledged,
    end: async () => {
      going = false;
      await done;
    },
  };
}

async function commentIds(origin: string, token: string, post: number): Promise<number[]> {
  const ids: number[] = [];
  let pageToken: string | undefined;
  do {
    const page = await ask(origin, token, 'POST', `communication/posts/data/comments-list/${post}`, {
      pageSize: 500,
      ...(pageToken && { pageToken }),
    });
    ids.push(...(page['items'] as { id: number }[]).map(({ id }) => id));
    pageToken = page['nextPageToken'] as string | undefined;
  } while (pageToken);
  return ids;
}

describe('kill -9', { timeout: 400_000 }, () => {
  it('of the server, of PostgreSQL, and of both loses nothing and leaves nothing to clean', async () => {
    const dataDir = await surroundings.dataDirectory({ demo: true });
    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_DEMO: undefined };
    let running: Running = surroundings.start(env);
    let origin = await running.ready();
    const token = await signIn(origin, demoKey(dataDir));
    const { communities } = await ask(origin, token, 'GET', 'communication/settings/communities');
    const page = await ask(origin, token, 'POST', `communication/posts/data/list/community/${communities[0].id}`, {
      pageSize: 1,
    });
    const post = page['items'][0].id as number;
    const acknowledged: number[] = [];
    const during = async (work: () => void | Promise<void>) => {
      const before = acknowledged.length;
      const writing = keepWriting(origin, token, post);
      await until('comments were written', () => writing.acknowledged.length >= 5);
      await work();
      await writing.end();
      acknowledged.push(...writing.acknowledged);
      expect(acknowledged.length).toBeGreaterThan(before);
    };
    const startAgain = async () => {
      running = surroundings.start(env);
      origin = await running.ready();
      expect(running.stderr).toBe('');
      const found = await commentIds(origin, token, post);
      expect(found).toEqual(expect.arrayContaining(acknowledged));
    };

    // The server: its database goes on, and the next start takes it over.
    await during(async () => {
      expect((await running.end('SIGKILL')).signal).toBe('SIGKILL');
    });
    expect(postgresPid(dataDir)).toBeDefined();
    await startAgain();

    // Both at once.
    const postgres = postgresPid(dataDir) as number;
    await during(async () => {
      running.child.kill('SIGKILL');
      process.kill(postgres, 'SIGKILL');
      await running.exited;
    });
    await until('PostgreSQL has ended', () => !isAlive(postgres));
    await startAgain();

    // PostgreSQL: brought back by the server, which answers again without a restart.
    const lost = postgresPid(dataDir) as number;
    await during(async () => {
      process.kill(lost, 'SIGKILL');
      await until('PostgreSQL is back', () => ![undefined, lost].includes(postgresPid(dataDir)));
      await until('the server is ready again', async () => (await fetch(`${origin}/readyz`)).status === 200);
    });
    expect(await commentIds(origin, token, post)).toEqual(expect.arrayContaining(acknowledged));
    expect((await running.end('SIGTERM')).code).toBe(0);
    expect(postgresPid(dataDir)).toBeUndefined();
  });
});
