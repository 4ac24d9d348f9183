/**
 * The wire contract of Portico: operations, permissions, codes, error codes and the TypeScript types of everything that
 * travels. Light and browser-safe: no schema library is loaded from here; the schemas are in `@portico/contract/schemas`,
 * the OpenAPI documents in `@portico/contract/openapi`.
 */
export { accentTones, isReadableAccent, readableAccent } from './accent.ts';
export * from './archives.ts';
export { auditChangeInWords, isAuditChange } from './audit-words.ts';
export * from './codes/codes.ts';
export * from './codes/defined-codes.ts';
export * from './codes/field-types.ts';
export { type LanguageCode, languages } from './codes/languages.ts';
export * from './codes/permissions.ts';
export { timeZoneId, timeZoneName, timeZoneNames } from './codes/time-zones.ts';
export { type CommunitySchemaName, communitySchemas, type ValueSchema } from './community-schemas.ts';
export { escapeCell, unescapeCell } from './csv-cells.ts';
export type { TableEntity } from './entities.ts';
export * from './errors.ts';
export * from './exports.ts';
export * from './filters.ts';
export * from './limits.ts';
export { oneLine } from './one-line.ts';
export * from './operations/index.ts';
export type { DryRunAnswer, OperationIo } from './operations/io.ts';
export * from './permissions.ts';
export * from './post-fields.ts';
export type * from './types/index.ts';

/** Number of the interface version that is served. */
export const apiVersion = 2;

/** The two prefixes below which every operation answers; they mean the same (README of the contract). */
export const apiPrefixes = ['/portal/api', '/portal/api/external/v2'] as const;
