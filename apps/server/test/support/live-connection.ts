/** A connection to the live changes of a tenant, with the events sent on it. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { TestPortal, TestTenant } from './index.ts';

const PATH = '/portal/api/communication/live';

interface LiveEvent {
  event: string;
  id: string | undefined;
  data: { postId?: number; communityId?: number; status?: string };
}

export interface LiveConnection {
  status: number;
  body: string;
  events: LiveEvent[];
  ended: Promise<void>;
  close(): void;
}

/**
 * Connects; the first event of an accepted connection is `ready`, `reset` or a missed change.
 * @param userId null: nobody
 */
export async function connectLive(
  portal: TestPortal,
  tenant: TestTenant,
  userId: number | null,
  { query = '', lastEventId }: { query?: string; lastEventId?: string | undefined } = {},
): Promise<LiveConnection> {
  const authorization = userId === null ? {} : { Authorization: `Bearer ${await tenant.token(userId)}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${portal.origin}${PATH}${query}`, {
      headers: {
        Host: tenant.host,
        ...authorization,
        ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
      },
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
  const events: LiveEvent[] = [];
  const connection: LiveConnection = {
    status: answer.statusCode ?? 0,
    body: '',
    events,
    ended: new Promise((resolve) => answer.on('close', () => resolve())),
    close: () => answer.destroy(),
  };
  let pending = '';
  answer.setEncoding('utf8').on('data', (text: string) => {
    connection.body += text;
    pending += text;
    for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
      const fields = new Map(
        pending
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      );
      pending = pending.slice(end + 2);
      const data = fields.get('data');
      if (data) events.push({ event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(data) });
    }
  });
  answer.on('error', () => undefined);
  if (connection.status === 200)
    await expect.poll(() => events.some(({ event }) => ['ready', 'reset'].includes(event))).toBe(true);
  return connection;
}
