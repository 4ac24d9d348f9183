/** Views of posts, and relations to other communities, as the file of a community has them. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFileRelation,
  type CommunityFileView,
  PostViewScenario,
  RelationCardinality,
} from '@portico/contract';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import type { CommunityRelationDefinition, PostViewDefinition } from '../communities/index.ts';
import { loadViewNames } from './community-files.repository.ts';
import { idsByKey, keysOf, nameOf, withoutDefaults } from './file-names.ts';

/** Switches of a view that a file leaves out. */
export const viewDefaults = {
  titleEnabled: true,
  customIdEnabled: true,
  descriptionEnabled: true,
  currentWorkflowStateEnabled: true,
};
export const defaultScenarios = ['LIST'];

/** A view without what has its default; one that is used nowhere says so. */
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
 * Relations from a community to others, without those to communities that the caller does not see.
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

/** Names by which files call the views of communities: by community, then by id of the view. */
export async function viewNames(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<Map<number, Map<number, string>>> {
  const rows = await loadViewNames(db, communityIds);
  return new Map([...Map.groupBy(rows, (row) => row.communityId)].map(([id, views]) => [id, namesOf(views)]));
}

/** A name that others have too gets a number: names tell these objects apart. */
const namesOf = (objects: readonly { readonly id: number; readonly name: string }[]) =>
  keysOf(objects.map(({ id, name }) => ({ id, name, externalId: null })));
