/** The contract as documents: OpenAPI 3.1 for today's tools, Swagger 2.0 for older ones. */
export { nameCommunitySchemas } from './community.ts';
export { type ApiDocument, buildOpenApi } from './document.ts';
export { buildSwagger2 } from './swagger2.ts';
