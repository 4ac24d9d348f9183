/** Catalogs of a community in the form of its file, and the ids of their keys. */
import { type CommunityFileCatalog, fileLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { PorticoError } from '../../../kernel/errors.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { textIn } from '../../communities/index.ts';
import {
  type CatalogRow,
  type EntryRow,
  findCatalogs,
  loadCatalogsWithParents,
  loadEntries,
} from './community-files.repository.ts';
import { keysOf, withoutDefaults } from './file-names.ts';
import type { PresentObject } from './file-types.ts';

/** Place of an entry without one: the default of the column. */
const NO_PLACE = 2 ** 31 - 1;

/** Returns the catalogs that fields use or a file names, parents first, and their keys by id. */
export async function describeCatalogs(
  db: TenantExecutor,
  fields: readonly FieldDefinition[],
  named: readonly CommunityFileCatalog[],
  language: string,
) {
  const keyOf = ({ externalId, name }: CatalogRow) => externalId ?? textIn(name, language);
  const rows = await loadCatalogsWithParents(
    db,
    fields.flatMap(({ catalogId }) => catalogId ?? []),
  );
  const known = new Set(rows.map(keyOf));
  const missing = named.flatMap(({ key }) => (key === undefined || known.has(key) ? [] : key));
  for (const row of await findCatalogs(db, missing)) {
    const key = keyOf(row);
    if (missing.includes(key) && !known.has(key)) {
      known.add(key);
      rows.push(row);
    }
  }
  const keys = keysOf(
    rows.map((row) => ({ id: row.id, externalId: row.externalId, name: textIn(row.name, language) })),
  );
  const entries = await loadEntries(
    db,
    rows.map(({ id }) => id),
    fileLimits.entries + 1,
  );
  if (entries.length > fileLimits.entries) {
    throw new PorticoError('CONFLICT', {
      message: `The catalogs of the community have more than ${fileLimits.entries} entries together, which is the most that a file holds.`,
    });
  }
  const entriesOf = Map.groupBy(entries, ({ catalogId }) => catalogId);
  const entryKeys = new Map(
    [...entriesOf.values()].flatMap((of) => [
      ...keysOf(of.map(({ id, externalId, label }) => ({ id, externalId, name: textIn(label, language) }))),
    ]),
  );
  const files = parentsFirst(rows).map((row): CommunityFileCatalog => {
    const of = (entriesOf.get(row.id) ?? [])
      .filter(({ deleted }) => !deleted)
      .map((entry) => ({ ...entry, key: entryKeys.get(entry.id)! }))
      // Entries without a place by key: labels sort differently in another language.
      .sort((a, b) => a.position - b.position || (a.key < b.key ? -1 : 1));
    return {
      key: keys.get(row.id)!,
      name: { ...row.name },
      ...(row.parentId !== null && { parent: keys.get(row.parentId)! }),
      ...(of.length > 0 && {
        entries: of.map(({ key, label, parentIds }) => ({
          key,
          label: { ...label },
          ...withoutDefaults({ parents: parentIds.flatMap((parent) => entryKeys.get(parent) ?? []) }),
        })),
      }),
    };
  });
  const present = (of: readonly EntryRow[] = []) =>
    new Map(
      of.map(({ id, version, externalId }): [string, PresentObject] => [
        entryKeys.get(id)!,
        { id, version, externalId },
      ]),
    );
  return {
    files,
    keys,
    entryKeys,
    /** Entries out of use. */
    retired: new Set(entries.filter(({ deleted }) => deleted).map(({ id }) => id)),
    placed: new Set(
      rows
        .filter(({ id }) => entriesOf.get(id)?.some(({ position }) => position < NO_PLACE))
        .map(({ id }) => keys.get(id)!),
    ),
    entries: new Map(rows.map(({ id }) => [keys.get(id)!, present(entriesOf.get(id))])),
  };
}

/** Sorts catalogs so that each comes after its parent; otherwise by name. */
function parentsFirst(rows: readonly CatalogRow[]): CatalogRow[] {
  const sorted = rows.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ externalId, name }) => externalId ?? JSON.stringify(name)) as [
      string,
      string,
    ];
    return first < second ? -1 : 1;
  });
  const placed = new Set<number>();
  const known = new Set(rows.map(({ id }) => id));
  const order: CatalogRow[] = [];
  const place = (row: CatalogRow) => {
    if (placed.has(row.id)) return;
    placed.add(row.id);
    const above = row.parentId !== null && known.has(row.parentId) && rows.find(({ id }) => id === row.parentId);
    if (above) place(above);
    order.push(row);
  };
  for (const row of sorted) place(row);
  return order;
}
