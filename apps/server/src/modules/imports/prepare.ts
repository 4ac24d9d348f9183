/** Creates what rows refer to before posts are created: workspace, community, people, fields, values, states, hashtags. */
import { writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import {
  type CommunityDefinition,
  ensureCommunity,
  ensureHashtags,
  ensureWorkspace,
  getWholeDefinition,
} from '../communities/index.ts';
import { communityDifferences, fieldDifferences, workflowDifferences } from './differences.ts';
import { findGroups } from './groups.ts';
import { definitionOf, prepareField } from './prepare-fields.ts';
import { preparePeople } from './prepare-people.ts';
import { giveAuthorRoles, prepareRoles } from './prepare-roles.ts';
import { prepareWorkflow } from './prepare-workflow.ts';
import { LABELS_AT_ONCE, type PortalIds, type Prepared, unusableKey } from './prepared.ts';
import { runInBatches } from './run-in-batches.ts';
import type { Survey } from './scan.ts';
import type { CommunityMapping, Mapping } from './source/mapping-types.ts';

/** Community by its name; missing parts are created. */
interface NamedTarget {
  readonly workspace: string;
  readonly community: string;
  /** Ids of accounts that become managers; default: the tenant's first administrator. */
  readonly managerIds?: readonly number[] | undefined;
}

/** Existing community, as its actor sees it. */
interface PresentTarget {
  readonly definition: CommunityDefinition;
  /** Whether missing people are created; otherwise their rows are refused. */
  readonly makesPeople: boolean;
}

/** Target of the rows. */
export type ImportTarget = NamedTarget | PresentTarget;

/**
 * @param scope of the importing user, who becomes a manager if the community is named and not given
 * @param notes gets a sentence for each difference between the mapping and an existing definition
 * @throws ImportError, ValidationError if the mapping contradicts existing objects
 */
export async function prepare(
  scope: Scope,
  mapping: Mapping,
  survey: Survey,
  target: ImportTarget,
  notes: Set<string>,
  importId?: number,
): Promise<PortalIds> {
  const there = 'definition' in target;
  const communityId = there ? target.definition.id : await makeCommunity(scope, mapping.community, target);
  const portalIds: PortalIds = {
    communityId,
    people: new Map(),
    groups: new Map(),
    fieldIds: new Map(),
    labels: new Map(mapping.fields.map((field) => [field.key, new Map()])),
    states: new Map(),
    unusable: new Map(),
  };
  const prepared: Prepared = { scope, mapping, survey, portalIds, importId };
  await preparePeople(prepared, !there || target.makesPeople);
  for (const [key, id] of await findGroups(scope, survey.groups)) portalIds.groups.set(key, id);
  if (there) await giveAuthorRoles(prepared);
  else await prepareRoles(prepared, target.managerIds);
  const definition = await writeTransaction(scope, 'none', (write) => getWholeDefinition(write, communityId));
  if (!definition) throw new Error(`community ${communityId} was made and is not there`);
  for (const note of communityDifferences(mapping, definition)) notes.add(note);
  if (mapping.workflow) {
    if (definition.workflow) for (const note of workflowDifferences(mapping, definition.workflow)) notes.add(note);
    await prepareWorkflow(prepared, definition);
  }
  const catalogIds = new Map<string, number>();
  for (const field of mapping.fields) {
    await prepareField(prepared, field, catalogIds, definition);
    const present = definition.fieldById.get(portalIds.fieldIds.get(field.key)!);
    if (!present || field.known) continue;
    const wanted = definitionOf(field, portalIds, catalogIds.get(field.key));
    for (const note of fieldDifferences(wanted, present)) notes.add(note);
  }
  await runInBatches(
    [...survey.hashtags.values()],
    LABELS_AT_ONCE,
    async (batch) => void (await ensureHashtags(scope, communityId, batch)),
    (name, reason) => portalIds.unusable.set(unusableKey('hashtag', name), reason),
  );
  return portalIds;
}

async function makeCommunity(scope: Scope, mapping: CommunityMapping, target: NamedTarget): Promise<number> {
  const workspaceId = await ensureWorkspace(scope, { name: target.workspace });
  return ensureCommunity(scope, {
    workspaceId,
    name: target.community,
    description: mapping.description,
    colorCode: mapping.color,
    externalId: mapping.externalId,
    defaultVisibility: mapping.defaultVisibility,
    titleEnabled: mapping.title,
    descriptionEnabled: mapping.body,
    eventsEnabled: mapping.events,
  });
}
