/**
 * Exports the file of a community, and plans the changes of a file (operations exportCommunity,
 * planCommunity).
 */
import { createHash } from 'node:crypto';
import {
  type CommunityFile,
  type CommunityPlanChange,
  listLimits,
  type PlanCommunityRequest,
  type PlanCommunityResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Turns } from '@portico/platform/turns';
import { holds } from '../../../kernel/access/index.ts';
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  getWholeDefinition,
  mayEditCommunity,
  requireCommunityEditor,
} from '../../communities/index.ts';
import { findCommunity } from './community-files.repository.ts';
import { compareFiles } from './compare-files.ts';
import { countTouched } from './count-touched.ts';
import { describe, groupsIn } from './describe-community.ts';
import type { Present } from './file-types.ts';
import { FILE_VERSION, normaliseFile } from './normalise-file.ts';
import { spellHashtags } from './spell-hashtags.ts';

/**
 * Location of the JSON Schema for editors: next to the file, where `portico api communities schema`
 * writes it.
 */
const SCHEMA = './community.schema.json';

/**
 * Returns the file of a community.
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit the community;
 * FORBIDDEN; CONFLICT where a catalog is too large for a file
 */
export async function exportCommunity(scope: Scope, communityId: number): Promise<CommunityFile> {
  requireCommunityEditor(scope.actor, communityId);
  const definition = await getWholeDefinition(scope, communityId);
  if (!definition) throw notFound();
  const { file } = await describe(scope.db, { definition, settings: scope.settings, actor: scope.actor });
  return { $schema: SCHEMA, version: FILE_VERSION, ...file };
}

/**
 * Returns the changes that applying a file would make.
 * @throws PorticoError FORBIDDEN; ValidationError
 */
export async function planCommunity(scope: Scope, { file }: PlanCommunityRequest): Promise<PlanCommunityResponse> {
  const plan = await makePlan(scope.db, scope, file, (id) => getWholeDefinition(scope, id));
  const { present, changes, planToken } = plan;
  const shown = await countTouched(scope.db, changes.slice(0, listLimits.items), present, plan.file);
  return {
    ...(present.community && { communityId: present.community.id }),
    changes: shown,
    changesCount: changes.length,
    planToken,
  };
}

/** A plan, and the data from which it was computed. */
export interface Plan {
  readonly file: CommunityFile;
  readonly present: Present;
  readonly changes: readonly CommunityPlanChange[];
  readonly planToken: string;
}

/**
 * Compares a file with the present state.
 * @param db the database, or the transaction that locks the definitions @param definitionOf reads a
 * definition there
 * @throws PorticoError FORBIDDEN; ValidationError
 */
export async function makePlan(
  db: TenantExecutor,
  { actor, settings, missing }: Pick<Scope, 'actor' | 'settings' | 'missing'>,
  given: CommunityFile | undefined,
  definitionOf: (communityId: number) => Promise<CommunityDefinition | undefined>,
): Promise<Plan> {
  const normalised = normaliseFile(given, missing);
  const communityId = await findCommunity(db, normalised.community?.key ?? '');
  requirePlanner(actor, communityId);
  const definition = communityId === undefined ? undefined : await definitionOf(communityId);
  const present = await describe(db, { definition, file: normalised, settings, actor });
  const file = spellHashtags(normalised, present.file.hashtags);
  requireSameWorkspace(present, file);
  const newGroups = [...new Set(groupsIn(file))].filter((name) => !present.ids.groups.has(name));
  const turns = new Turns();
  if (turns.isOver) await turns.next();
  const changes = compareFiles(present.file, file, newGroups);
  return { file, present, changes, planToken: await planTokenOf(file, present) };
}

/**
 * Returns a digest of a file and of the state that it was compared with. It includes ids and tokens:
 * an object that was deleted and created again differs from the planned one.
 */
async function planTokenOf(file: CommunityFile, { file: presentFile, community, ids }: Present): Promise<string> {
  const seen = { community, groups: [...ids.groups], communities: [...ids.communities] };
  const hash = createHash('sha256');
  const turns = new Turns();
  for (const [index, part] of [file, presentFile, seen].entries())
    for (const [name, value] of Object.entries(part))
      for (const piece of Array.isArray(value) ? [value.length, ...value] : [value]) {
        hash.update(JSON.stringify([index, name, piece]));
        if (turns.isOver) await turns.next();
      }
  return hash.digest('base64url');
}

/** Treats a community that the caller may not edit like an unknown one. */
function requirePlanner(actor: Actor, communityId: number | undefined): void {
  if (holds(actor, 'manageDigitalWorplace')) return;
  if (communityId !== undefined && mayEditCommunity(actor, communityId)) return;
  throw forbidden('Missing permission: manageCommunity, or the administrative right manageDigitalWorplace.');
}

function requireSameWorkspace({ file: { workspace }, community }: Present, file: CommunityFile): void {
  if (!community || !workspace || workspace.key === file.workspace?.key) return;
  throw invalid(
    'file.workspace.key',
    'INVALID_VALUE',
    `The community is in the workspace "${workspace.key}"; a file does not move it.`,
  );
}
