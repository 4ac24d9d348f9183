/** Makes the changes of the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFileSettings,
  type EditCommunityRequest,
  PartUse,
  Visibility,
  WorkspaceMemberRole,
} from '@portico/contract';
import { joining, type WriteScope } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createManagedCommunity, createWorkspace, editCommunity, setCommunityRoles } from '../../communities/index.ts';
import { createGroup } from '../../people/index.ts';
import { applyCatalogs } from './apply-catalogs.ts';
import { applyFields, applyRemovals, checkFields } from './apply-fields.ts';
import { applyHashtags } from './apply-hashtags.ts';
import { applyOwnRoles } from './apply-roles.ts';
import { applyTemplates } from './apply-templates.ts';
import { applyRelations, applyViews, deleteViews } from './apply-views.ts';
import { applyWorkflow } from './apply-workflow.ts';
import { groupsIn } from './describe-community.ts';
import { refuseUnknown } from './field-references.ts';
import { settingDefaults } from './file-names.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

/** Parts of the community that a file defines, and the treatment of data without a place in it. */
type PlannedFile = Pick<Steps, 'file' | 'present' | 'choices'>;

/**
 * Makes the changes of a file, within a transaction that locks the definitions.
 * @returns the id of the community
 * @throws PorticoError FORBIDDEN; ValidationError
 */
export async function carryOutFile(write: WriteScope, planned: PlannedFile): Promise<number> {
  const { file, present } = planned;
  const within: Scope = joining(write);
  const groups = new Map(present.ids.groups);
  for (const name of new Set(groupsIn(file)))
    if (!groups.has(name))
      groups.set(name, (await runAt('file.groupRoles', {}, () => createGroup(within, { name, visible: true }))).id!);
  const roles = await applyOwnRoles(within, file.roles ?? [], present);
  const catalogs = await applyCatalogs(within, file.catalogs ?? [], present);
  const made = { ...planned, within, write, groups, roles, ...catalogs };
  const communityId = await applySettings(made);
  const communities = new Map(present.ids.communities).set(file.community?.key ?? '', communityId);
  refuseUnknown(file, communities);
  const steps: Steps = { ...made, communities };
  await applyRoles(steps, communityId);
  await applyHashtags(steps, communityId);
  await applyFields(steps, communityId, 'post');
  await applyWorkflow(steps, communityId);
  await applyRemovals(steps, communityId);
  await checkFields(steps, communityId);
  await applyViews(steps, communityId);
  await applyRelations(steps, communityId);
  await deleteViews(steps, communityId);
  await applyTemplates(steps, communityId);
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
