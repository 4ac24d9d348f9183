/** Writes the generated files that are kept in git: the OpenAPI document and the schema of files of communities. */
import { buildOpenApi } from '../packages/contract/src/openapi/index.ts';
import { communityFileSchema } from '../packages/contract/src/schemas/index.ts';
import { updateFiles } from './generated-files.ts';

/**
 * Brings `docs/openapi.json` and `community.schema.json` up to date.
 * @param check when true nothing is written
 * @returns paths, below the root of the project, of the files that were stale
 */
export async function generateOpenApi(check: boolean): Promise<string[]> {
  return await updateFiles(
    new Map([
      ['docs/openapi.json', `${JSON.stringify(buildOpenApi(), null, 1)}\n`],
      ['examples/communities/community.schema.json', `${JSON.stringify(communityFileSchema(), null, 2)}\n`],
    ]),
    check,
  );
}
