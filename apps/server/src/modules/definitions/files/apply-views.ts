/**
 * Applies the views of posts, and the relations to other communities, in the file of a community.
 */
import { isDeepStrictEqual } from 'node:util';
import { PostViewScenario, RelationCardinality } from '@portico/contract';
import { invalid } from '../../../kernel/errors.ts';
import {
  deleteCommunityRelations,
  deletePostViews,
  putCommunityRelation,
  putPostView,
} from '../../communities/index.ts';
import { namedFields } from './apply-fields.ts';
import { viewNames } from './describe-views.ts';
import { runAt, type Steps } from './steps.ts';

/**
 * Creates and updates views, after the fields that they show are stored. Omitted views stay until
 * {@link deleteViews}.
 */
export async function applyViews(steps: Steps, communityId: number): Promise<void> {
  const { within, file, present } = steps;
  const changed = changedOf(file.views, present.file.views);
  if (changed.length === 0) return;
  const { posts } = await namedFields(steps, communityId);
  for (const { index, item } of changed) {
    const { name = '', scenarios, fields = [], ...switches } = item;
    const id = present.ids.views.get(name);
    await runAt(`file.views[${index}]`, { fieldIds: 'fields' }, () =>
      putPostView(within, communityId, {
        ...switches,
        ...(id !== undefined && { id }),
        name,
        ...(scenarios && { scenarios: scenarios.map((scenario) => PostViewScenario[scenario]) }),
        fieldIds: fields.map((key) => posts.get(key)!.id),
      }),
    );
  }
}

/**
 * @throws ValidationError where a relation, of this community or another, uses a view that the file
 * omits
 */
export async function deleteViews({ within, file, present }: Steps, communityId: number): Promise<void> {
  const gone = goneOf(file.views, present.ids.views);
  if (gone.length > 0) await runAt('file.views', {}, () => deletePostViews(within, communityId, gone));
}

/** Creates, updates and deletes relations from the community to others. */
export async function applyRelations(
  { within, write, file, present, communities }: Steps,
  communityId: number,
): Promise<void> {
  const gone = goneOf(file.relations, present.ids.relations);
  if (gone.length > 0) await deleteCommunityRelations(within, communityId, gone);
  const changed = changedOf(file.relations, present.file.relations);
  const views = await viewNames(
    write.tx,
    changed.flatMap(({ item: { to = '', view } }) => (view === undefined ? [] : communities.get(to)!)),
  );
  for (const { index, item } of changed) {
    const { name = '', to = '', itemName, cardinality, view, required } = item;
    const path = `file.relations[${index}]`;
    const targetCommunityId = communities.get(to)!;
    const [viewId] = [...(views.get(targetCommunityId) ?? [])].flatMap(([id, called]) => (called === view ? id : []));
    if (view !== undefined && viewId === undefined)
      throw invalid(`${path}.view`, 'UNKNOWN_REFERENCE', 'The other community has no such view.');
    const id = present.ids.relations.get(name);
    await runAt(path, {}, () =>
      putCommunityRelation(within, {
        ...(id !== undefined && { id }),
        sourceCommunityId: communityId,
        targetCommunityId,
        name,
        ...(itemName !== undefined && { itemName }),
        ...(cardinality && { cardinality: RelationCardinality[cardinality] }),
        ...(viewId !== undefined && { viewId }),
        ...(required !== undefined && { required }),
      }),
    );
  }
}

/** Returns the new and changed elements of a list, with their positions in the file. */
function changedOf<T extends { readonly name?: string }>(wanted: readonly T[] = [], before: readonly T[] = []) {
  const known = new Map(before.map((item) => [item.name, item]));
  return wanted
    .map((item, index) => ({ item, index }))
    .filter(({ item }) => !isDeepStrictEqual(known.get(item.name), item));
}

/** Returns the ids of elements that a list omits; none if the file has no list. */
function goneOf(wanted: readonly { readonly name?: string }[] | undefined, ids: ReadonlyMap<string, number>): number[] {
  if (!wanted) return [];
  const kept = new Set(wanted.map(({ name }) => name));
  return [...ids].flatMap(([name, id]) => (kept.has(name) ? [] : id));
}
