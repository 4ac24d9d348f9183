/**
 * Inputs of the pipeline of changes: a file, the saved draft of a community, or a former version of
 * its definition. Each becomes the present state, the changes and the steps that make them.
 */
import { createHash } from 'node:crypto';
import type { ApplyCommunityRequest, CommunityFile, CommunityPlanChange } from '@portico/contract';
import { nearestOf } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import { holds, joining, type WriteScope } from '../../../kernel/access/index.ts';
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { loadDefinition, mayEditCommunity, requireCommunityEditor } from '../../communities/index.ts';
import { restoreDefinitionVersion } from '../changes/versions.ts';
import { readDraft } from '../drafts/drafts.repository.ts';
import { carryOutFile } from './carry-out-file.ts';
import { Choices } from './choices.ts';
import { findCommunity, knownGroupNames } from './community-files.repository.ts';
import { compareFiles } from './compare-files.ts';
import { describe, groupsIn } from './describe-community.ts';
import type { Present } from './file-types.ts';
import { applyMovedKeys, type Moved } from './moved-keys.ts';
import { normaliseFile } from './normalise-file.ts';
import { spellHashtags } from './spell-hashtags.ts';
import { versionChoices } from './version-choices.ts';

/** Members of a request that name a change, and treat data. */
type ChangeRequest = Omit<ApplyCommunityRequest, 'planToken'>;

/** A change that can be carried out. */
export interface PreparedChange {
  readonly present: Present;
  readonly planToken: string;
  /** Whether the change is the saved draft of the community. */
  readonly isDraft: boolean;
  /** Makes the change. @returns the id of the community @throws ValidationError, PorticoError */
  carryOut(): Promise<number>;
  /** Returns the changes, in the order in which they are made. Call it after {@link carryOut}. */
  changes(): Promise<readonly CommunityPlanChange[]>;
}

/**
 * Prepares a change within a transaction that locks the definitions.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError
 */
export async function prepareChange(write: WriteScope, request: ChangeRequest): Promise<PreparedChange> {
  const { file, communityId, version } = request;
  if (file !== undefined) {
    for (const [name, value] of Object.entries({ communityId, version }))
      if (value !== undefined) throw invalid(name, 'INVALID_VALUE', 'Send either a file or a community.');
    return prepareFile(write, file, request, false);
  }
  if (communityId === undefined) return prepareFile(write, undefined, request, false);
  requireCommunityEditor(write.actor, communityId);
  if (version !== undefined) return prepareVersion(write, communityId, version, request);
  const draft = await readDraft(write.tx, communityId);
  if (!draft) throw notFound();
  const community = (await loadDefinition(write.tx, communityId))?.community;
  if (!community) throw notFound();
  const key = community.externalId ?? community.name;
  if (draft.file.community?.key !== key)
    throw invalid(
      'file.community.key',
      'INVALID_VALUE',
      `The draft of this community has its key, ${JSON.stringify(key)}.`,
    );
  return prepareFile(write, draft.file, request, true);
}

async function prepareFile(
  write: WriteScope,
  given: CommunityFile | undefined,
  request: ChangeRequest,
  isDraft: boolean,
): Promise<PreparedChange> {
  const { present, file, moved, planToken } = await compare(write, given);
  const newGroups = [...new Set(groupsIn(file))].filter((name) => !present.ids.groups.has(name));
  const known = newGroups.length > 0 ? await knownGroupNames(write.tx, write.actor) : [];
  const groups = newGroups.map((name) => {
    const nearest = nearestOf(name, known);
    return { name, ...(nearest?.alike && { nearest: nearest.name }) };
  });
  const changes = compareFiles(present.file, file, groups, present.renamed);
  return {
    present,
    planToken,
    isDraft,
    carryOut: () => carryOutFile(write, { file, present, choices: new Choices(request, moved, file, present) }),
    changes: async () => changes,
  };
}

/** Compares a file with the present state. */
async function compare({ tx, actor, settings, missing }: WriteScope, given: CommunityFile | undefined) {
  const normalised = normaliseFile(given, missing);
  const communityId = await findCommunity(tx, normalised.community?.key ?? '');
  requirePlanner(actor, communityId);
  const definition = communityId === undefined ? undefined : await loadDefinition(tx, communityId);
  const found = await describe(tx, { definition, file: normalised, settings, actor });
  const file = spellHashtags(normalised, found.file.hashtags);
  requireSameWorkspace(found, file);
  const turns = new Turns();
  if (turns.isOver) await turns.next();
  const { present, data: moved } = applyMovedKeys(found, file);
  return { present, file, moved: moved satisfies readonly Moved[], planToken: await planTokenOf(normalised, found) };
}

async function prepareVersion(
  write: WriteScope,
  communityId: number,
  version: number,
  request: ChangeRequest,
): Promise<PreparedChange> {
  const { tx, settings, actor } = write;
  const definition = await loadDefinition(tx, communityId);
  if (!definition) throw notFound();
  const present = await describe(tx, { definition, settings, actor });
  const { form, fields } = await versionChoices(write, present, communityId, version, request);
  return {
    present,
    planToken: await planTokenOf({ version }, present),
    isDraft: false,
    carryOut: async () => {
      await restoreDefinitionVersion(joining(write), communityId, version, form, fields);
      return communityId;
    },
    changes: async () => {
      const after = await describe(tx, { definition: await loadDefinition(tx, communityId), settings, actor });
      return compareFiles(present.file, after.file as CommunityFile, []);
    },
  };
}

/**
 * Returns a digest of a file and of the state that it was compared with. It includes ids and tokens:
 * an object that was deleted and created again differs from the planned one. It leaves out what
 * writers of posts create: hashtags.
 */
async function planTokenOf(file: object, { file: whole, community, ids }: Present): Promise<string> {
  const { hashtags: _hashtags, ...presentFile } = whole;
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
