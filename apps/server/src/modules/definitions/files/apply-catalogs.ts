/**
 * Applies the catalogs in the file of a community. Omitted entries stay: other communities may use
 * them.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CommunityFileCatalog, CommunityFileEntry } from '@portico/contract';
import type { Scope } from '../../../kernel/scope.ts';
import {
  createCatalogEntries,
  editCatalog,
  editCatalogEntry,
  ensureCatalog,
  orderCatalogEntries,
  readCatalog,
} from '../../communities/index.ts';
import type { Present, PresentObject } from './file-types.ts';
import { runAt } from './steps.ts';

/** Ids by key. */
export interface AppliedCatalogs {
  readonly catalogs: ReadonlyMap<string, number>;
  /** By id of the catalog, then by key of the entry. */
  readonly entries: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

export async function applyCatalogs(
  within: Scope,
  catalogs: readonly CommunityFileCatalog[],
  { file, ids }: Present,
): Promise<AppliedCatalogs> {
  const catalogIds = new Map(ids.catalogs);
  const entryIds = new Map<string, Map<string, number>>();
  for (const [index, catalog] of catalogs.entries()) {
    const { key = '', name = {}, parent, entries = [] } = catalog;
    const path = `file.catalogs[${index}]`;
    const known = ids.catalogs.get(key);
    const before = file.catalogs?.find((other) => other.key === key);
    const parentId = parent === undefined ? undefined : catalogIds.get(parent);
    const id = await runAt(path, { parentId: 'parent' }, async () => {
      if (known === undefined)
        return ensureCatalog(within, { name, externalId: key, ...(parentId !== undefined && { parentId }) });
      if (!isDeepStrictEqual(before?.name, name) || before?.parent !== parent) {
        const { version } = await readCatalog(within.db, known);
        await editCatalog(within, known, version, { name, parentId });
      }
      return known;
    });
    catalogIds.set(key, id);
    const above = entryIds.get(parent ?? '') ?? new Map();
    const made = await applyEntries({ within, path, id, above, before, present: ids.entries.get(key) }, entries);
    entryIds.set(key, made);
    const order = newOrder(keysOf(before?.entries), keysOf(entries), ids.placedCatalogs.has(key));
    if (order)
      await orderCatalogEntries(
        within,
        id,
        order.map((entry) => made.get(entry)!),
      );
  }
  return {
    catalogs: catalogIds,
    entries: new Map([...entryIds].map(([key, entries]) => [catalogIds.get(key)!, entries])),
  };
}

const keysOf = (entries: readonly CommunityFileEntry[] = []) => entries.map(({ key = '' }) => key);

/**
 * Returns the order of all entries of a catalog after a file: omitted entries stay behind the one
 * that they follow at present. Undefined where it needs no places: it is that of the export.
 * @param present keys in the order of the export @param placed whether entries have places already
 */
function newOrder(present: readonly string[], wanted: readonly string[], placed: boolean): string[] | undefined {
  const listed = new Set(wanted);
  const followers = new Map<string | undefined, string[]>();
  let leader: string | undefined;
  for (const key of present)
    if (listed.has(key)) leader = key;
    else {
      const after = followers.get(leader) ?? [];
      followers.set(leader, after);
      after.push(key);
    }
  const order = [undefined, ...wanted].flatMap((key) => [
    ...(key === undefined ? [] : [key]),
    ...(followers.get(key) ?? []),
  ]);
  if (isDeepStrictEqual(order, present)) return undefined;
  const byKey = !placed && present.length > 0 && order.every((key, index) => index === 0 || order[index - 1]! < key);
  return byKey ? undefined : order;
}

interface EntrySteps {
  readonly within: Scope;
  readonly path: string;
  /** The catalog. */
  readonly id: number;
  /** Ids of the entries of the parent catalog, by key. */
  readonly above: ReadonlyMap<string, number>;
  readonly before: CommunityFileCatalog | undefined;
  readonly present: ReadonlyMap<string, PresentObject> | undefined;
}

async function applyEntries(
  { within, path, id, above, before, present }: EntrySteps,
  entries: readonly CommunityFileEntry[],
): Promise<Map<string, number>> {
  const ids = new Map([...(present ?? [])].map(([key, entry]) => [key, entry.id]));
  const was = new Map(before?.entries?.map((entry) => [entry.key, entry]));
  const parentIds = ({ parents = [] }: CommunityFileEntry) => parents.flatMap((parent) => above.get(parent) ?? []);
  const added = entries.filter(({ key = '' }) => !ids.has(key));
  const made = await runAt(`${path}.entries`, { '': '' }, () =>
    createCatalogEntries(
      within,
      id,
      added.map((entry) => ({ label: entry.label ?? {}, externalId: entry.key ?? '', parentIds: parentIds(entry) })),
    ),
  );
  for (const [index, entry] of added.entries()) ids.set(entry.key ?? '', made[index]!);
  for (const [index, entry] of entries.entries()) {
    const known = present?.get(entry.key ?? '');
    if (!known || isDeepStrictEqual(was.get(entry.key), entry)) continue;
    await runAt(`${path}.entries[${index}]`, { parentIds: 'parents' }, () =>
      editCatalogEntry(within, id, known.id, known.version, {
        label: entry.label,
        parentIds: parentIds(entry),
        externalId: known.externalId ?? undefined,
      }),
    );
  }
  return ids;
}
