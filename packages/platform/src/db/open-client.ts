import pg from 'pg';

/** A connection that may break while nothing runs on it: its next statement then fails, and the process keeps running. */
export async function openClient(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
