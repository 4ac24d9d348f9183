/** Views of posts, and relations to other communities, in the form of the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFileRelation,
  type CommunityFileView,
  PostViewScenario,
  RelationCardinality,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { CommunityRelationDefinition, PostViewDefinition } from '../../communities/index.ts';
import { loadViewNames } from './community-files.repository.ts';
import { idsByKey, keysOf, nameOf, withoutDefaults } from './file-names.ts';

/** Defaults of the switches of a view, which a file omits. */
export const viewDefaults = {
  titleEnabled: true,
  customIdEnabled: true,
  descriptionEnabled: true,
  currentWorkflowStateEnabled: true,
};
export const defaultScenarios = ['LIST'];

/**
 * Returns a view without defaults. A view that is used nowhere keeps its empty list of scenarios.
 */
export function withoutViewDefaults({ scenarios, ...view }: CommunityFileView): CommunityFileView {
  return {
    ...withoutDefaults(view, viewDefaults),
    ...(scenarios && !isDeepStrictEqual(scenarios, defaultScenarios) && { scenarios }),
  };
}

/** @param fields keys of fields of posts by id */
export function describeViews(views: readonly PostViewDefinition[], fields: ReadonlyMap<number, string>) {
  const keys = namesOf(views);
  return {
    files: views.map(({ id, name: _name, scenarios, fieldIds, ...switches }) =>
      withoutViewDefaults({
        name: keys.get(id)!,
        ...switches,
        scenarios: scenarios.map((scenario) => nameOf(PostViewScenario, scenario)),
        fields: fieldIds.flatMap((field) => fields.get(field) ?? []),
      }),
    ),
    ids: idsByKey(keys),
  };
}

/**
 * Returns the relations from a community to others, without relations to communities that the
 * caller does not see.
 * @param communities keys of the communities that the caller sees, by id
 */
export async function describeRelations(
  db: TenantExecutor,
  relations: readonly CommunityRelationDefinition[],
  communities: ReadonlyMap<number, string>,
) {
  const keys = namesOf(relations);
  const seen = relations.filter(({ targetCommunityId }) => communities.has(targetCommunityId));
  const views = await viewNames(
    db,
    seen.flatMap(({ viewId, targetCommunityId }) => (viewId === null ? [] : targetCommunityId)),
  );
  return {
    files: seen.map(({ id, itemName, cardinality, targetCommunityId, viewId, required }): CommunityFileRelation => {
      const view = views.get(targetCommunityId)?.get(viewId ?? 0);
      return {
        name: keys.get(id)!,
        to: communities.get(targetCommunityId)!,
        ...withoutDefaults({
          ...(itemName !== null && { itemName }),
          ...(cardinality !== null && { cardinality: nameOf(RelationCardinality, cardinality) }),
          ...(view !== undefined && { view }),
          required,
        }),
      };
    }),
    ids: idsByKey(new Map(seen.map(({ id }) => [id, keys.get(id)!]))),
  };
}

/** Returns the names of the views of communities in files: by community, then by id of the view. */
export async function viewNames(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<Map<number, Map<number, string>>> {
  const rows = await loadViewNames(db, communityIds);
  return new Map([...Map.groupBy(rows, (row) => row.communityId)].map(([id, views]) => [id, namesOf(views)]));
}

/** Returns unique names: a repeated name gets a number, because names identify these objects. */
const namesOf = (objects: readonly { readonly id: number; readonly name: string }[]) =>
  keysOf(objects.map(({ id, name }) => ({ id, name, externalId: null })));
