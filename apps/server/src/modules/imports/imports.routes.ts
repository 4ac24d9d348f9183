/** The operations of imports. */
import type { Handlers } from '../../kernel/operations.ts';
import { importCommunityArchive, planCommunityArchive } from './archives/import-archive.ts';
import { cancelImport, getImport, listImportRefusals, listImports } from './read-imports.ts';
import { startImport } from './start-import.ts';
import { type SuggestionOptions, suggestMapping } from './suggestion/suggest-mapping.ts';
import { undoImport } from './undo-import.ts';

/** @param options storage of the files that suggestions read */
export function importHandlers(options: SuggestionOptions) {
  return {
    startImport: ({ scope, params, body }) => startImport(scope, params.communityId, body ?? {}),
    suggestImportMapping: ({ scope, params, body }) => suggestMapping(scope, params.communityId, body ?? {}, options),
    planCommunityArchive: ({ scope, body, untimed }) => planCommunityArchive(scope, body, { ...options, untimed }),
    importCommunityArchive: ({ scope, body, untimed }) => importCommunityArchive(scope, body, { ...options, untimed }),
    listImports: ({ scope, params, body }) => listImports(scope, params.communityId, body ?? {}),
    getImport: ({ scope, params }) => getImport(scope, params.importId),
    listImportRefusals: ({ scope, params, body }) => listImportRefusals(scope, params.importId, body ?? {}),
    cancelImport: ({ scope, params }) => cancelImport(scope, params.importId),
    undoImport: ({ scope, params, body }) => undoImport(scope, params.importId, body ?? {}),
  } satisfies Handlers;
}
