/** The contract as documents: OpenAPI 3.1 for today's tools, Swagger 2.0 for older ones. */
export { type ApiDocument, buildOpenApi } from './document.ts';
export { type Example, requestExamples } from './request-examples.ts';
export { responseExamples } from './response-examples.ts';
export { buildSwagger2 } from './swagger2.ts';
