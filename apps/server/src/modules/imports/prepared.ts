/** Shared state of the steps that prepare an import, and how they note what they make. */
import { joining, writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type MadeKind, noteMade } from './made.repository.ts';
import type { Survey } from './scan.ts';
import type { Mapping } from './source/mapping-types.ts';

/** Most labels and hashtags that one transaction creates. */
export const LABELS_AT_ONCE = 400;

/** Ids by the names in rows. A name without an id cannot be used; `unusable` holds the reason. */
export interface PortalIds {
  readonly communityId: number;
  /** By person key. */
  readonly people: Map<string, number>;
  /** By key of the group: its id, or the reason why it cannot be named. */
  readonly groups: Map<string, number | string>;
  /** By key of the field. */
  readonly fieldIds: Map<string, number>;
  /** By key of the field, then by key of the label. */
  readonly labels: Map<string, Map<string, number>>;
  readonly states: Map<string, number>;
  /** Reasons by kind (`person`, `state`, or the key of a field) and key, put together by {@link unusableKey}. */
  readonly unusable: Map<string, string>;
}

/** Import whose file was read once, and whose community exists. */
export interface Prepared {
  readonly scope: Scope;
  readonly mapping: Mapping;
  readonly survey: Survey;
  readonly portalIds: PortalIds;
  /** Id of an import over the API: an undo removes the objects that it creates. */
  readonly importId?: number | undefined;
}

export const unusableKey = (kind: string, key: string) => `${kind}\0${key}`;

/**
 * Creates parts of the definition, and records in the same transaction which of them are new: after
 * an interrupted import, its undo knows all of them.
 * @param make returns the ids of the parts, including existing ones
 */
export async function makeNoted(
  { scope, importId }: Prepared,
  kind: MadeKind,
  before: readonly { readonly id: number }[],
  make: (within: Scope) => Promise<number[]>,
): Promise<number[]> {
  const known = new Set(before.map(({ id }) => id));
  return writeTransaction(scope, 'definitions', async (write) => {
    const ids = await make(joining(write));
    const made = ids.filter((id) => !known.has(id));
    await noteMade(write.tx, importId, kind, made);
    return ids;
  });
}
