/** The OpenAPI document of one community: maps of custom fields name the community's own schemas. */
import type { CommunitySchemaName } from '../community-schemas.ts';
import type { ApiDocument } from './document.ts';

type Properties = Record<string, Record<string, unknown>>;

/**
 * Returns the schema of a member's values, or undefined if the member holds no values of fields.
 */
function ownerOf(name: string): 'PostFields' | 'ScreenFields' | undefined {
  if (name === 'customData') return 'PostFields';
  return /[sS]creenData$/.test(name) ? 'ScreenFields' : undefined;
}

/**
 * Replaces maps of custom fields by references to the schemas of a community. The components have
 * the names given by `communitySchemas`; the caller adds them.
 * @param document made by `buildOpenApi`; it is changed
 */
export function nameCommunitySchemas(document: ApiDocument): ApiDocument {
  const components = (document['components'] as { schemas: Record<string, { properties?: Properties }> }).schemas;
  const requests = requestComponents(document, components);
  for (const [component, { properties = {} }] of Object.entries(components)) {
    for (const [name, field] of Object.entries(properties)) {
      const owner = ownerOf(name);
      if (!owner || field['additionalProperties'] === undefined) continue;
      const input = requests.has(component);
      const schema: CommunitySchemaName = input ? `${owner}Input` : owner;
      const $ref = `#/components/schemas/${schema}`;
      const { description } = field;
      properties[name] = input ? { anyOf: [{ $ref }, { type: 'null' }], description } : { $ref, description };
    }
  }
  return document;
}

/** Names of the components reachable from bodies. */
export function requestComponents(document: ApiDocument, components: Record<string, unknown>): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = Object.values(document['paths'] as Record<string, Record<string, { requestBody?: unknown }>>)
    .flatMap((item) => Object.values(item))
    .map(({ requestBody }) => requestBody ?? {});
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      open.push(components[name] ?? {});
    }
  }
  return found;
}
