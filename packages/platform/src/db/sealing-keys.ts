/**
 * Stores the ids of the keys that encrypt secrets in the database, readable by the owner only, so
 * that a start can name a missing key.
 */
import type pg from 'pg';

const KEY = 'sealing_key:';
/** Ids come and go one at a time: a start reads them and adds its own. */
const LOCK = `hashtext('portico sealing keys')`;

/** Runs `work` while no other process of the installation does. @param owner connected, outside a transaction */
export async function withSealingLock<T>(owner: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await owner.query(`SELECT pg_advisory_lock(${LOCK})`);
  try {
    return await work();
  } finally {
    await owner.query(`SELECT pg_advisory_unlock(${LOCK})`);
  }
}

export async function listSealingKeyIds(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    'SELECT substr(name, $2) AS id FROM portico_owner_secrets WHERE starts_with(name, $1) ORDER BY name',
    [KEY, KEY.length + 1],
  );
  return rows.map(({ id }) => id);
}

export async function addSealingKeyId(owner: pg.ClientBase, id: string): Promise<void> {
  await owner.query(`INSERT INTO portico_owner_secrets VALUES ($1, '') ON CONFLICT (name) DO NOTHING`, [KEY + id]);
}

export async function removeSealingKeyIds(owner: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await owner.query('DELETE FROM portico_owner_secrets WHERE name = ANY ($1::text[])', [ids.map((id) => KEY + id)]);
}

/** Copies the ids of keys to a copy of the database. The password of the service is not copied. */
export async function copySealingKeyIds(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  for (const id of await listSealingKeyIds(from)) await addSealingKeyId(to, id);
}
