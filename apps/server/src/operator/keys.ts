/**
 * Keys of a tenant as an operator sees and replaces them: the keys that sign access tokens, page
 * and sync tokens, links.
 */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { Sealer } from '@portico/platform/sealing';
import {
  listSigningKeys,
  MAX_SIGNING_KEYS,
  MAX_TOKEN_SECONDS,
  rotateSigningKey,
  withdrawSigningKey,
} from '../modules/people/index.ts';
import { STREAM_RETENTION_MS } from '../modules/records/index.ts';
import {
  listSecrets,
  MAX_SECRETS,
  rotateSecret,
  type SecretKind,
  secretKinds,
  withdrawSecret,
} from '../modules/tenants/index.ts';
import { OperatorError } from './operator-error.ts';

/** Kinds of keys: for access tokens, for links to files, for page and sync tokens. */
export const keyKinds = ['signing', 'link', 'page'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Longest validity, in milliseconds, of a signature made before the key was replaced. */
const LIVES_MS: Readonly<Record<KeyKind, number>> = {
  signing: MAX_TOKEN_SECONDS * 1000,
  // The longest PORTICO_LINK_SECONDS.
  link: 7 * 86_400_000,
  page: STREAM_RETENTION_MS,
};

export interface KeyState {
  id: string;
  kind: KeyKind;
  /** `signs`; `verifies` its earlier signatures; `waits` for the moment from which it signs. */
  state: 'signs' | 'verifies' | 'waits';
  /** Epoch milliseconds, as all times here. */
  createdAt: number;
  replacedAt: number | null;
  /** When everything that it signed has expired, so that withdrawing it has no effect on users. */
  unusedFrom: number | null;
}

/** The keys of a tenant, by kind. */
export async function listKeys(db: TenantDb): Promise<KeyState[]> {
  const keys: Omit<KeyState, 'unusedFrom'>[] = (await listSigningKeys(db)).map(({ kid, createdAt, retiredAt }) => ({
    id: kid,
    kind: 'signing',
    state: retiredAt === null ? 'signs' : 'verifies',
    createdAt,
    replacedAt: retiredAt,
  }));
  for (const { id, kind, signs, createdAt, replacedAt } of await listSecrets(db)) {
    const otherwise = replacedAt === null ? 'waits' : 'verifies';
    keys.push({ id, kind, state: signs ? 'signs' : otherwise, createdAt, replacedAt });
  }
  return keys.map((key) => ({
    ...key,
    unusedFrom: key.replacedAt === null ? null : key.replacedAt + LIVES_MS[key.kind],
  }));
}

/**
 * Replaces a key; the ones before verify until they are withdrawn.
 * @param options.withdrawOthers ends them at once
 * @returns the new key's id
 * @throws OperatorError when as many as may be are there already
 */
export async function rotateKey(
  db: TenantDb,
  sealer: Sealer,
  kind: KeyKind,
  now: number,
  options: { withdrawOthers?: boolean; signsAfterSeconds?: number } = {},
): Promise<string> {
  const id = isSecretKind(kind)
    ? await rotateSecret(db, sealer, kind, options)
    : await rotateSigningKey(db, sealer, now, options);
  if (id !== undefined) return id;
  const most = isSecretKind(kind) ? MAX_SECRETS : MAX_SIGNING_KEYS;
  throw new OperatorError(`There are already ${most} ${kind} keys, the maximum: withdraw old ones first.`);
}

/**
 * Removes a replaced key: its signatures become invalid.
 * @throws OperatorError when it is in use, or no key has this id
 */
export async function withdrawKey(db: TenantDb, id: string): Promise<void> {
  if ((await withdrawSigningKey(db, id)) || (await withdrawSecret(db, id))) return;
  const key = (await listKeys(db)).find((candidate) => candidate.id === id);
  if (!key) throw new OperatorError(`The tenant has no key ${id}; run "portico admin keys list" to see its keys.`);
  throw new OperatorError(
    `The ${key.kind} key ${id} is in use: replace it with "portico admin keys rotate", and withdraw it when the new key is in use.`,
  );
}

const isSecretKind = (kind: KeyKind): kind is SecretKind => (secretKinds as readonly string[]).includes(kind);
