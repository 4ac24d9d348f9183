/** Treatment of data in a rollback: keys of the request, as ids of the operation. */
import type { ApplyCommunityRequest, RestoreDefinitionVersionRequest } from '@portico/contract';
import { unknownName } from '@portico/platform/text';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import { type Choice, loadDefinition, readVersion } from '../../communities/index.ts';
import { fieldsByKey, valueKeysOf } from './describe-community.ts';
import { resolveConditions } from './file-conditions.ts';
import { idsByKey } from './file-names.ts';
import type { Present } from './file-types.ts';

interface VersionChoices {
  readonly form: RestoreDefinitionVersionRequest;
  /** Treatment of the values of fields that the version does not have, by id. */
  readonly fields: ReadonlyMap<number, Choice>;
}

/** @throws ValidationError for keys that do not exist, and treatments that a rollback does not have */
export async function versionChoices(
  write: WriteScope,
  { community, ids }: Present,
  communityId: number,
  version: number,
  {
    onExisting,
    fieldChanges = [],
    stateChanges = [],
  }: Pick<ApplyCommunityRequest, 'onExisting' | 'fieldChanges' | 'stateChanges'>,
): Promise<VersionChoices> {
  const errors = new FieldErrors();
  const definition = await loadDefinition(write.tx, communityId);
  const stored = await readVersion(write.tx, communityId, version);
  const states = new Map(
    (stored?.states ?? [])
      .filter(({ deleted }) => deleted !== true)
      .map((row) => [String(row['external_id'] ?? row['name']), String(row['name'])]),
  );
  const fields = new Map<number, Choice>();
  for (const [index, { field, screenField, onExisting: choice }] of fieldChanges.entries()) {
    const path = `fieldChanges[${index}]`;
    const known = screenField === undefined ? ids.fields : ids.screenFields;
    const found = known.get(screenField ?? field ?? '');
    if (!found)
      errors.add(
        `${path}.${screenField === undefined ? 'field' : 'screenField'}`,
        'UNKNOWN_REFERENCE',
        unknownName('The community', 'field', screenField ?? field ?? '', [...known.keys()]),
      );
    if (choice === undefined) errors.add(`${path}.onExisting`, 'REQUIRED_FIELD');
    else if (choice === 'map')
      errors.add(`${path}.onExisting`, 'INVALID_VALUE', 'A rollback keeps values or clears them.');
    else if (found) fields.set(found.id, choice);
  }
  const named = {
    posts: fieldsByKey(definition?.fields),
    screens: fieldsByKey(definition?.workflow?.fields),
    valueIds: (one: Parameters<typeof valueKeysOf>[0]) => idsByKey(valueKeysOf(one)),
  };
  const stateMapping = stateChanges.flatMap(({ state = '', onExisting: choice, into = '', conditions = [] }, index) => {
    const path = `stateChanges[${index}]`;
    const id = ids.states.get(state);
    if (id === undefined)
      errors.add(
        `${path}.state`,
        'UNKNOWN_REFERENCE',
        unknownName('The community', 'state', state, [...ids.states.keys()]),
      );
    if (choice === undefined) errors.add(`${path}.onExisting`, 'REQUIRED_FIELD');
    const to = states.get(into);
    if (choice === 'map' && to === undefined)
      errors.add(`${path}.into`, 'UNKNOWN_REFERENCE', unknownName('The version', 'state', into, [...states.keys()]));
    return choice !== 'map' || id === undefined || to === undefined
      ? []
      : { fromStateId: id, to, conditions: resolveConditions(conditions, named, 'posts', `${path}.conditions`) };
  });
  errors.throwIfAny();
  const kept = stateChanges.some(({ onExisting: choice }) => choice === 'keep');
  return {
    form: {
      occToken: community!.etag,
      ...((onExisting === 'keep' || kept) && { onExisting: 'keep' as const }),
      ...(stateMapping.length > 0 && { stateMapping }),
    },
    fields,
  };
}
