/** Counts the posts that a plan affects. */
import type { CommunityFile, CommunityPlanChange } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { countPostsByField, countPostsByState, countPostsByValue } from './community-files.repository.ts';
import { valueKeysOf } from './describe-community.ts';
import type { Present } from './file-types.ts';

/** Adds the number of affected posts to the changes, in at most three statements. */
export async function countTouched(
  db: TenantExecutor,
  changes: readonly CommunityPlanChange[],
  { community, ids }: Present,
  file: CommunityFile,
): Promise<CommunityPlanChange[]> {
  if (!community) return [...changes];
  const states = new Map(
    changes.flatMap(({ action, kind, key = '' }) => {
      const id = action === 'remove' && kind === 'state' ? ids.states.get(key) : undefined;
      return id === undefined ? [] : [[id, key]];
    }),
  );
  const fields = [
    ...(file.fields ?? []).map((field) => ({ field, known: ids.fields.get(field.key ?? '') })),
    ...(file.workflow?.screenFields ?? []).map((field) => ({ field, known: ids.screenFields.get(field.key ?? '') })),
  ];
  const gone = fields.flatMap(({ field, known }) => {
    if (!known || known.catalogId !== null) return [];
    const kept = new Set(field.values?.map(({ key }) => key));
    const keys = valueKeysOf(known);
    const values = known.enumValues.filter(({ id, deleted }) => !deleted && !kept.has(keys.get(id)));
    return values.map(({ id }) => ({
      kind: known.owner === 'post' ? 'field' : 'screenField',
      key: field.key,
      fieldId: known.id,
      id,
    }));
  });
  const knownOf = new Map<CommunityPlanChange['kind'], typeof ids.fields>([
    ['field', ids.fields],
    ['screenField', ids.screenFields],
  ]);
  const retired = new Map(
    changes.flatMap(({ action, kind, key = '' }) => {
      const id = action === 'remove' ? knownOf.get(kind)?.get(key)?.id : undefined;
      return id === undefined ? [] : [[id, `${kind} ${key}`] as const];
    }),
  );
  const holding = await countPostsByField(db, [...retired.keys()]);
  const inStates = await countPostsByState(db, community.id, [...states.keys()]);
  const withValues = await countPostsByValue(
    db,
    gone.map(({ fieldId }) => fieldId),
    gone.map(({ id }) => id),
  );
  const counts = new Map([
    ...[...inStates].map(([id, posts]) => [`state ${states.get(id)}`, posts] as const),
    ...[...holding].map(([id, posts]) => [retired.get(id)!, posts] as const),
    ...gone.map(({ kind, key, fieldId }) => [`${kind} ${key}`, withValues.get(fieldId) ?? 0] as const),
  ]);
  return changes.map((change) => {
    const postsCount = change.action === 'create' ? undefined : counts.get(`${change.kind} ${change.key}`);
    return postsCount ? { ...change, postsCount } : change;
  });
}
