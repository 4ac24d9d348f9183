/** Applies the file of a community (operation applyCommunity). */
import { isDeepStrictEqual } from 'node:util';
import {
  type ApplyCommunityRequest,
  type ApplyCommunityResponse,
  type CommunityFileSettings,
  type EditCommunityRequest,
  PartUse,
  Visibility,
  WorkspaceMemberRole,
} from '@portico/contract';
import { joining, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  createManagedCommunity,
  createWorkspace,
  editCommunity,
  loadDefinition,
  readCommunityHead,
  setCommunityRoles,
} from '../../communities/index.ts';
import { createGroup } from '../../people/index.ts';
import { applyCatalogs } from './apply-catalogs.ts';
import { applyFields, applyRemovals, checkFields } from './apply-fields.ts';
import { applyHashtags } from './apply-hashtags.ts';
import { applyOwnRoles } from './apply-roles.ts';
import { applyRelations, applyViews, deleteViews } from './apply-views.ts';
import { applyWorkflow } from './apply-workflow.ts';
import { FieldChanges } from './change-fields.ts';
import { groupsIn } from './describe-community.ts';
import { refuseUnknown } from './field-references.ts';
import { settingDefaults } from './file-names.ts';
import { makePlan, type Plan } from './plan-community.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

/**
 * Carries out a plan, in one transaction.
 * @throws PorticoError FORBIDDEN; CONFLICT where the plan no longer matches the present state;
 * ValidationError
 */
export async function applyCommunity(scope: Scope, body: ApplyCommunityRequest): Promise<ApplyCommunityResponse> {
  return writeTransaction(scope, 'both', async (write) => {
    const plan = await makePlan(write.tx, write, body.file, (id) => loadDefinition(write.tx, id));
    if (body.planToken !== undefined && body.planToken !== plan.planToken) {
      throw new PorticoError('CONFLICT', {
        message:
          'This is not the plan of the file as things are now: make the plan again, and look at what has changed.',
      });
    }
    const communityId = await carryOut(write, plan, body);
    const head = await readCommunityHead(write.tx, communityId);
    return { communityId, changesCount: plan.changes.length, ...(head && { nextOccToken: head.etag }) };
  });
}

async function carryOut(
  write: WriteScope,
  { file, present }: Plan,
  { onExisting, fieldChanges: entries }: ApplyCommunityRequest,
): Promise<number> {
  const within: Scope = joining(write);
  const fieldChanges = new FieldChanges(entries, { file, present });
  const groups = new Map(present.ids.groups);
  for (const name of new Set(groupsIn(file)))
    if (!groups.has(name))
      groups.set(name, (await runAt('file.groupRoles', {}, () => createGroup(within, { name, visible: true }))).id!);
  const roles = await applyOwnRoles(within, file.roles ?? [], present);
  const catalogs = await applyCatalogs(within, file.catalogs ?? [], present);
  const made = { within, write, file, present, groups, roles, fieldChanges, ...catalogs };
  const communityId = await applySettings(made);
  const communities = new Map(present.ids.communities).set(file.community?.key ?? '', communityId);
  refuseUnknown(file, communities);
  const steps: Steps = { ...made, communities };
  await applyRoles(steps, communityId);
  await applyHashtags(steps, communityId);
  await applyFields(steps, communityId, 'post');
  await applyWorkflow(steps, communityId, onExisting);
  await applyRemovals(steps, communityId);
  await checkFields(steps, communityId);
  await applyViews(steps, communityId);
  await applyRelations(steps, communityId);
  await deleteViews(steps, communityId);
  return communityId;
}

async function applySettings(steps: Omit<Steps, 'communities'>): Promise<number> {
  const { within, file, present } = steps;
  const { key = '', name = '', description, color, attachmentMaxSize, ...given } = file.community ?? {};
  const { workspaceMemberRole, titleEnabled, descriptionEnabled, watchersEnabled, defaultPostVisibility, ...switches } =
    {
      ...settingDefaults,
      ...given,
    } satisfies CommunityFileSettings;
  const externalId = present.community ? present.community.externalId : key;
  const form: EditCommunityRequest = {
    name,
    ...(description !== undefined && { description }),
    ...(color !== undefined && { colorCode: color }),
    ...(externalId !== null && { externalId }),
    ...(attachmentMaxSize !== undefined && { attachmentMaxSize }),
    ...switches,
    workspaceMemberRoleId: WorkspaceMemberRole[workspaceMemberRole],
    titleEnabled: PartUse[titleEnabled],
    descriptionEnabled: PartUse[descriptionEnabled],
    watchersEnabled: PartUse[watchersEnabled],
    defaultPostVisibility: Visibility[defaultPostVisibility],
  };
  return runAt('file.community', { colorCode: 'color' }, async () => {
    const { community } = present;
    if (!community) {
      const { communityId } = await createManagedCommunity(within, {
        ...form,
        workspaceId: await applyWorkspace(steps),
      });
      return communityId!;
    }
    if (!isDeepStrictEqual(present.file.community, file.community))
      await editCommunity(within, community.id, { ...form, occToken: await tokenOf(steps, community.id) });
    return community.id;
  });
}

async function applyWorkspace({ within, file, present }: Pick<Steps, 'within' | 'file' | 'present'>): Promise<number> {
  if (present.ids.workspace !== undefined) return present.ids.workspace;
  const { key = '', name = '', translations, description } = file.workspace ?? {};
  return runAt('file.workspace', {}, () =>
    createWorkspace(within, {
      name,
      externalId: key,
      ...(translations && { translations }),
      ...(description && { description }),
    }),
  );
}

async function applyRoles({ within, file, present, groups, roles: ids }: Steps, communityId: number): Promise<void> {
  const wanted = new Map((file.groupRoles ?? []).map(({ group, role }) => [group ?? '', role]));
  const changed = [...wanted].filter(
    ([name, role]) => !present.file.groupRoles?.some((other) => other.group === name && other.role === role),
  );
  const gone = (present.file.groupRoles ?? []).filter(({ group = '' }) => !wanted.has(group));
  const roles = [
    ...changed.map(([name, role]) => ({
      principal: -groups.get(name)!,
      role: ids.get(role ?? '') ?? null,
    })),
    ...gone.map(({ group = '' }) => ({ principal: -groups.get(group)!, role: null })),
  ];
  if (roles.length > 0) await setCommunityRoles(within, communityId, roles);
}
