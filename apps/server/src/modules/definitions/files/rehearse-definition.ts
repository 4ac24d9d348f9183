/** Definitions as they would be after a change that is not made. */
import type { ApplyCommunityRequest, CommunityPreviewValue, JsonValue } from '@portico/contract';
import { rehearseWrites, type WriteScope } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, collectLosses, loadDefinition } from '../../communities/index.ts';
import { describe, valueKeysOf } from './describe-community.ts';
import { resolveConditions } from './file-conditions.ts';
import { idsByKey } from './file-names.ts';
import type { Present } from './file-types.ts';
import { prepareChange } from './prepare-change.ts';
import { quoting } from './quote-words.ts';

/** A definition, with its objects by the keys of its file. */
export interface RehearsedDefinition {
  readonly definition: CommunityDefinition;
  readonly ids: Present['ids'];
}

/**
 * Applies a change in a transaction that is undone, and looks at the definition meanwhile.
 * @param request names the change as for `planCommunity`; losses need no treatment
 * @throws as planCommunity
 */
export function rehearseDefinition<T>(
  scope: Scope,
  request: Pick<ApplyCommunityRequest, 'file' | 'communityId' | 'version'>,
  look: (write: WriteScope, rehearsed: RehearsedDefinition) => Promise<T>,
): Promise<T> {
  const { file, communityId, version } = request;
  const named = {
    ...(file !== undefined && { file }),
    ...(communityId !== undefined && { communityId }),
    ...(version !== undefined && { version }),
  };
  return quoting(request, () =>
    rehearseWrites(scope, async (write) => {
      const change = await prepareChange(write, named);
      collectLosses(write.tx);
      const definition = (await loadDefinition(write.tx, await change.carryOut()))!;
      const { tx, settings, actor } = write;
      const { ids } = await describe(tx, { definition, settings, actor });
      return look(write, { definition, ids });
    }),
  );
}

/** A field, and values of it: of lists their ids. */
interface NamedValues {
  readonly fieldId: number;
  readonly values: readonly JsonValue[];
}

/**
 * Replaces the keys of fields and of values of lists by ids.
 * @throws ValidationError for unknown fields and values, at their places in `values`
 */
export function resolveNamedValues(
  { ids }: RehearsedDefinition,
  sent: readonly CommunityPreviewValue[],
): NamedValues[] {
  const entriesOf = (catalogId: number) => {
    const key = [...ids.catalogs].find(([, id]) => id === catalogId)?.[0];
    const entries = ids.entries.get(key ?? '') ?? new Map<string, { id: number }>();
    return new Map([...entries].map(([name, { id }]) => [name, id]));
  };
  const named = {
    posts: ids.fields,
    screens: ids.screenFields,
    valueIds: (field: Parameters<typeof valueKeysOf>[0]) =>
      field.catalogId === null ? idsByKey(valueKeysOf(field)) : entriesOf(field.catalogId),
  };
  const resolved = resolveConditions([...sent], named, 'posts', 'values');
  return resolved.map(({ fieldId, values }) => ({ fieldId: fieldId!, values: [...(values ?? [])] }));
}
