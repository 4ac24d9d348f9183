/** Communities and what administrators define in them. */
export type * from './definition-types.ts';
export { loadDefinitions } from './definitions.repository.ts';
export { getDefinition, getDefinitions } from './definitions.ts';
