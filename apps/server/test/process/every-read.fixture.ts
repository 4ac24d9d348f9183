/** Answers of every read of a tenant, to compare them with those of a copy. */
import { type OperationId, operationList } from '@portico/contract';
import type { Objects } from '../security/objects.fixture.ts';
import { ownRequest, wire } from '../security/requests.fixture.ts';
import type { TestAnswer, TestPortal } from '../support/index.ts';

/** A tenant as a portal serves it. */
interface ServedTenant {
  readonly app: TestPortal['app'];
  readonly host: string;
  /** Returns an access token of a person. */
  token(userId: number): Promise<string>;
}

/** An answer without signatures of links and positions of streams, which a restore makes anew. */
function comparable({ status, text }: Pick<TestAnswer, 'status' | 'text'>): unknown {
  return {
    status,
    text: text
      .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"R"')
      .replaceAll(/\/files\/[\w.~-]+/g, '/files/L')
      .replaceAll(/challenge\\":\\"[\w-]+/g, 'challenge')
      // The reads themselves are views, which are counted in batches.
      .replaceAll(/"view(s|edByUsers)Count":\d+/g, '"views":0')
      .replaceAll(/"next(Sync|Page)Token":"[^"]*"/g, '"nextToken":"T"'),
  };
}

/** Sends every read of the interface about an object as each of some people. @returns answers by operation and person */
export async function readAll(
  { app, host, token }: ServedTenant,
  objects: Objects,
  people: readonly number[],
): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const person of people) {
    const authorization = `Bearer ${await token(person)}`;
    for (const { id, kind } of operationList) {
      if (kind === 'write') continue;
      const { method, path, body } = wire(ownRequest(id as OperationId, objects));
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { host, authorization },
        ...(body !== undefined && { payload: body as object }),
      });
      answers.set(`${id} of ${person}`, comparable({ status: answer.statusCode, text: answer.body }));
    }
  }
  return answers;
}
