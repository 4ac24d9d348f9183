/**
 * Reads the definitions of posts of a community (operations getPostDefinition,
 * listPostDefinitions).
 */
import {
  type Community,
  type CommunityRelation,
  communitySchemas,
  type GetPostDefinitionResponse,
  type GetPostSchemasResponse,
} from '@portico/contract';
import type { WriteScope } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { getCatalogs } from './catalogs/catalog-store.ts';
import { seesCommunity } from './communities.policy.ts';
import { loadHashtags } from './communities.repository.ts';
import { usableDefaults } from './default-values.ts';
import type { CommunityDefinition, CommunityRelationDefinition } from './definition-types.ts';
import { getDefinitions } from './definitions.ts';
import { presentCommunities } from './list-communities.ts';
import { type Presentation, presentPostDefinition, presentPostView } from './post-definition.presenter.ts';

/**
 * Loads the catalogs needed to present definitions, transitions and screens, from memory or in two
 * statements.
 */
export async function loadPresentation(
  scope: Scope | WriteScope,
  described: Iterable<CommunityDefinition>,
): Promise<Presentation> {
  const ids = new Set<number>();
  const definitions = [...described];
  for (const { fields, workflow } of definitions) {
    for (const field of fields) if (field.catalogId !== null) ids.add(field.catalogId);
    for (const field of workflow?.fields ?? []) if (field.catalogId !== null) ids.add(field.catalogId);
  }
  const fields = definitions.flatMap((definition) => [...definition.fields, ...(definition.workflow?.fields ?? [])]);
  const defaults = await usableDefaults(scope, fields);
  return { catalogs: await getCatalogs(scope, [...ids]), defaults, language: scope.settings.defaultLanguage };
}

/**
 * Returns the definition of a community. @throws PorticoError NOT_FOUND when unknown or not
 * visible, alike
 */
export async function readPostDefinition(scope: Scope, communityId: number): Promise<GetPostDefinitionResponse> {
  const definition = (await readPostDefinitions(scope, [communityId])).get(communityId);
  if (!definition) throw notFound();
  return definition;
}

/**
 * Returns JSON Schemas of the fields that the caller sees (operation getPostSchemas). @throws as
 * {@link readPostDefinition}
 */
export async function readPostSchemas(scope: Scope, communityId: number): Promise<PostSchemas> {
  const schemas = communitySchemas(await readPostDefinition(scope, communityId));
  const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { ...dialect, ...schema }]));
}

type PostSchemas = NonNullable<GetPostSchemasResponse['schemas']>;

/**
 * Returns definitions by community, without unknown and invisible communities
 * (docs/decisions/types.md). A relation is shown when the caller sees both of its communities.
 */
export async function readPostDefinitions(
  scope: Scope,
  communityIds: readonly number[],
): Promise<Map<number, GetPostDefinitionResponse>> {
  const visible = [...new Set(communityIds)].filter((id) => seesCommunity(scope.actor, id));
  const definitions = await getDefinitions(scope, visible);
  const presentation = await loadPresentation(scope, definitions.values());
  const hashtags = await loadHashtags(scope.db, [...definitions.keys()]);
  const related = await loadRelated(scope, definitions.values());
  return new Map(
    [...definitions].map(([id, definition]) => [
      id,
      {
        ...presentPostDefinition(definition, hashtags.get(id) ?? [], presentation),
        communityRelations: presentRelations(definition.relations, related),
        inverseCommunityRelations: presentRelations(definition.inverseRelations, related),
      },
    ]),
  );
}

/** Returns the communities at either end of all relations, as far as the caller sees them. */
async function loadRelated(scope: Scope, definitions: Iterable<CommunityDefinition>): Promise<Map<number, Community>> {
  const ids = new Set<number>();
  for (const { relations, inverseRelations } of definitions) {
    for (const relation of [...relations, ...inverseRelations]) {
      ids.add(relation.sourceCommunityId).add(relation.targetCommunityId);
    }
  }
  const visible = [...ids].filter((id) => seesCommunity(scope.actor, id));
  const related = [...(await getDefinitions(scope, visible)).values()];
  const views = await presentCommunities(scope, related);
  return new Map(related.map(({ id }, index) => [id, views[index]!]));
}

function presentRelations(
  relations: readonly CommunityRelationDefinition[],
  communities: ReadonlyMap<number, Community>,
): CommunityRelation[] {
  return relations.flatMap((relation) => {
    const targetCommunity = communities.get(relation.targetCommunityId);
    const sourceCommunity = communities.get(relation.sourceCommunityId);
    if (!targetCommunity || !sourceCommunity) return [];
    return {
      id: relation.id,
      name: relation.name,
      itemName: relation.itemName ?? undefined,
      cardinality: relation.cardinality ?? undefined,
      view: relation.view ? presentPostView(relation.view) : undefined,
      targetCommunity,
      sourceCommunity,
      required: relation.required,
    };
  });
}
