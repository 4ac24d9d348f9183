/** The definition of a community as a file, with the ids of its keys: for archives of communities. */
import type { CommunityFile } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Context } from '../../../kernel/scope.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { loadDefinition } from '../../communities/index.ts';
import { describe, valueKeysOf } from './describe-community.ts';
import { idsByKey } from './file-names.ts';
import type { Present } from './file-types.ts';
import { FILE_VERSION } from './normalise-file.ts';

/** A community as a file, and its objects by the keys of the file. */
export interface DescribedCommunity {
  readonly file: CommunityFile;
  readonly definition: CommunityDefinition;
  readonly ids: Pick<Present['ids'], 'fields' | 'screenFields' | 'states' | 'transitions'>;
  /** Returns the ids of the values of a field by their keys, for fields of values of lists. */
  valueIds(field: FieldDefinition): ReadonlyMap<string, number>;
}

/**
 * Describes the definition of a community, hidden fields included.
 * @param db the database, or the transaction of a write
 * @returns undefined for an unknown community
 */
export async function describeWhole(
  { settings, actor }: Pick<Context, 'settings' | 'actor'>,
  db: TenantExecutor,
  communityId: number,
): Promise<DescribedCommunity | undefined> {
  const definition = await loadDefinition(db, communityId);
  if (!definition) return undefined;
  const { file, ids } = await describe(db, { definition, settings, actor });
  const catalogKeys = new Map([...ids.catalogs].map(([key, id]) => [id, key]));
  const known = new Map<number, ReadonlyMap<string, number>>();
  const readIds = ({ catalogId, ...field }: FieldDefinition): ReadonlyMap<string, number> => {
    if (catalogId === null) return idsByKey(valueKeysOf({ ...field, catalogId }));
    const entries = ids.entries.get(catalogKeys.get(catalogId) ?? '') ?? new Map<string, { id: number }>();
    return new Map([...entries].map(([key, { id }]) => [key, id]));
  };
  return {
    file: { version: FILE_VERSION, ...file },
    definition,
    ids,
    valueIds: (field) => {
      const found = known.get(field.id) ?? readIds(field);
      known.set(field.id, found);
      return found;
    },
  };
}
