/** The contract as documents: OpenAPI 3.1 for today's tools, OpenAPI 3.0 and Swagger 2.0 for others. */
export { nameCommunitySchemas } from './community.ts';
export { type ApiDocument, buildOpenApi } from './document.ts';
export { buildOpenApi30 } from './openapi30.ts';
export { buildSamples, samplesOf } from './samples.ts';
export { buildSwagger2 } from './swagger2.ts';
