/** The present community in the form of its file, and the ids of the keys. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFile,
  type CommunityFileAccess,
  type CommunityFileField,
  type CommunityFileSettings,
  FieldType,
  firstOwnRole,
  PartUse,
  RoleId,
  ValidationType,
  Visibility,
  WorkspaceMemberRole,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { mapInTurns } from '@portico/platform/turns';
import { holds, permissionsIn } from '../../../kernel/access/index.ts';
import type { Actor, OpenToRole, TenantSettings } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  type CommunityHead,
  type FieldDefinition,
  loadOwnRoles,
  screenAccess,
  seesCommunity,
  type WorkflowAccess,
  type WorkflowDefinition,
} from '../../communities/index.ts';
import { templatesOf } from '../../posts/index.ts';
import {
  findGroups,
  findWorkspace,
  groupNames,
  loadGroupRoles,
  loadHashtags,
  loadWorkspace,
  type WorkspaceRow,
} from './community-files.repository.ts';
import { describeCatalogs } from './describe-catalogs.ts';
import { describeRelations, describeViews } from './describe-views.ts';
import { communityKeys, describeReferences, namesOf, referencesOf } from './field-references.ts';
import { describeConditions, describeDefault, describeSets, type FieldKeys } from './file-conditions.ts';
import {
  defaultRun,
  fieldDefaults,
  idsByKey,
  keysOf,
  nameOf,
  settingDefaults,
  withoutDefaults,
  withoutImplied,
} from './file-names.ts';
import { describeTemplates } from './file-templates.ts';
import { describeText } from './file-texts.ts';
import type { Present, PresentObject } from './file-types.ts';

/** Scope of a description. */
interface Asked {
  readonly definition: CommunityDefinition | undefined;
  /** File whose named objects are looked up too. */
  readonly file?: CommunityFile;
  readonly settings: Pick<TenantSettings, 'defaultLanguage'>;
  /**
   * Actor of the request: communities that they do not see, and groups that they do not know, are
   * treated as nonexistent.
   */
  readonly actor: Actor;
}

/** Returns the workspace of the community; of a new community, the workspace that the file names. */
async function workspaceOf(
  db: TenantExecutor,
  community: CommunityHead | undefined,
  file: CommunityFile | undefined,
): Promise<WorkspaceRow | undefined> {
  if (community) return loadWorkspace(db, community.workspaceId);
  const key = file?.workspace?.key;
  return key === undefined ? undefined : findWorkspace(db, key);
}

/**
 * Reads the content of a file, in a fixed number of statements for any size of community.
 * @throws PorticoError CONFLICT where a catalog has more entries than a file holds
 */
export async function describe(db: TenantExecutor, { definition, file, settings, actor }: Asked): Promise<Present> {
  const community = definition?.community;
  const workflow = definition?.workflow ?? null;
  const fields = [...(definition?.fields ?? []), ...(workflow?.fields ?? [])];
  const workspace = await workspaceOf(db, community, file);
  const catalogs = await describeCatalogs(db, fields, file?.catalogs ?? [], settings.defaultLanguage);
  const roles = community ? await loadGroupRoles(db, community.id) : [];
  const named = await groupNames(db, [...groupIdsOf(workflow), ...referencesOf(fields, 'group')]);
  const related = (definition?.relations ?? []).map(({ targetCommunityId }) => targetCommunityId);
  const communities = await communityKeys(db, [...referencesOf(fields, 'community'), ...related], file, sightOf(actor));
  const ownRoles = await describeRoles(
    db,
    [...roles.map(({ roleId }) => roleId), ...audienceOf(fields, workflow)],
    file,
  );
  const groups = new Map([
    ...(await findGroups(db, actor, file ? groupsIn(file) : [])),
    ...[...named].map(([id, name]) => [name, id] as const),
    ...roles.map(({ name, groupId }) => [name, groupId] as const),
  ]);
  const keys: FieldKeys = {
    posts: labelKeys(definition?.fields),
    screens: labelKeys(workflow?.fields),
    fieldById: new Map(fields.map((field) => [field.id, field])),
    catalogs: catalogs.keys,
    entries: catalogs.entryKeys,
    values: new Map(await mapInTurns(fields, (field) => [field.id, valueKeysOf(field)] as const)),
    roles: ownRoles.keys,
    groups: named,
    communities: communities.keys,
  };
  const hashtags = definition ? await loadHashtags(db, definition.id) : [];
  const flow = workflow && (await describeWorkflow(workflow, keys));
  const views = describeViews(definition?.postViews ?? [], keys.posts);
  const relations = await describeRelations(db, definition?.relations ?? [], communities.keys);
  const templates =
    definition && describeTemplates(await templatesOf(db, definition.id), definition, keys, catalogs.retired);
  return {
    file: {
      ...(workspace && { workspace: describeWorkspace(workspace) }),
      ...(ownRoles.files.length > 0 && { roles: ownRoles.files }),
      ...(catalogs.files.length > 0 && { catalogs: catalogs.files }),
      ...(definition && {
        community: describeSettings(definition.community),
        groupRoles: roles.map(({ name, roleId }) => ({ group: name, role: roleKey(keys, roleId) })),
        hashtags: hashtags.map(({ name }) => name),
        ...withoutDefaults({
          hashtagExternalIds: Object.fromEntries(
            hashtags.flatMap(({ name, externalId }) => (externalId === null ? [] : [[name, externalId]])),
          ),
        }),
        fields: await describeFields(definition.fields, keys),
      }),
      ...(flow && { workflow: flow.file }),
      ...(views.files.length > 0 && { views: views.files }),
      ...(relations.files.length > 0 && { relations: relations.files }),
      ...(templates && templates.files.length > 0 && { templates: templates.files }),
    },
    community,
    workflow,
    ids: {
      workspace: workspace?.id,
      catalogs: idsByKey(catalogs.keys),
      entries: catalogs.entries,
      placedCatalogs: catalogs.placed,
      groups,
      communities: communities.ids,
      roles: ownRoles.roles,
      fields: byKey(definition?.fields, keys.posts),
      screenFields: byKey(workflow?.fields, keys.screens),
      states: flow?.states ?? new Map(),
      transitions: flow?.transitions ?? new Map(),
      views: views.ids,
      relations: relations.ids,
      templates: templates?.rows ?? new Map(),
    },
  };
}

const sightOf = (actor: Actor) => (communityId: number) =>
  holds(actor, 'manageDigitalWorplace') || seesCommunity(actor, communityId);

/** Returns the keys of objects with labels. */
const labelKeys = (objects: readonly { id: number; externalId: string | null; label: string }[] = []) =>
  keysOf(objects.map(({ id, externalId, label }) => ({ id, externalId, name: label })));

const byKey = (fields: readonly FieldDefinition[] = [], keys: ReadonlyMap<number, string>) =>
  new Map(fields.map((field) => [keys.get(field.id)!, field]));

/**
 * Returns the name of a role in a file: its word, or the key of a role of the tenant. A deleted
 * role becomes MANAGER, because only managers have the access of a deleted role.
 */
const roleKey = ({ roles }: FieldKeys, role: number): string =>
  roles.get(role) ?? nameOf(RoleId, role >= firstOwnRole ? RoleId.MANAGER : role);
const roleKeys = (keys: FieldKeys, roles: readonly OpenToRole[]) => [
  ...new Set(roles.map((role) => roleKey(keys, role))),
];

/** Returns the roles that have access to fields, transitions and screens. */
const audienceOf = (fields: readonly FieldDefinition[], workflow: WorkflowDefinition | null): OpenToRole[] => [
  ...fields.flatMap(({ visibleRoles }) => visibleRoles),
  ...(workflow?.states.flatMap(({ editRoles }) => editRoles) ?? []),
  ...(workflow?.transitions.flatMap(({ roles }) => roles) ?? []),
];

/**
 * Returns the roles of the tenant that the community names, and the roles with the keys of a file.
 */
async function describeRoles(db: TenantExecutor, ids: readonly number[], file: CommunityFile | undefined) {
  const wanted = new Set((file?.roles ?? []).flatMap(({ key }) => key ?? []));
  const named = new Set(ids.filter((id) => id >= firstOwnRole));
  const all = named.size + wanted.size === 0 ? [] : await loadOwnRoles(db);
  const keys = keysOf(all);
  const found = all.filter(({ id }) => named.has(id) || wanted.has(keys.get(id)!));
  return {
    keys: new Map(found.map(({ id }) => [id, keys.get(id)!])),
    roles: new Map(
      found.map(({ id, version, externalId }): [string, PresentObject] => [keys.get(id)!, { id, version, externalId }]),
    ),
    files: found.map(({ id, name, description, permissions }) => ({
      key: keys.get(id)!,
      ...withoutDefaults({
        name,
        ...(description !== null && { description }),
        permissions: permissionsIn(permissions),
      }),
    })),
  };
}

function groupIdsOf(workflow: WorkflowDefinition | null): number[] {
  return [
    ...(workflow?.states.flatMap(({ editGroupIds }) => editGroupIds) ?? []),
    ...(workflow?.transitions.flatMap(({ groupIds }) => groupIds) ?? []),
  ];
}

/** Returns the names of all groups in a file. */
export function groupsIn(file: CommunityFile): string[] {
  const { groupRoles = [], workflow } = file;
  const { states = [], transitions = [] } = workflow ?? {};
  const access = [...states.map(({ edit }) => edit), ...transitions.map(({ run }) => run)];
  return [
    ...groupRoles.flatMap(({ group }) => group ?? []),
    ...access.flatMap((open) => open?.groups ?? []),
    ...namesOf(file, 'group'),
  ];
}

function describeWorkspace({ externalId, name, translations, description }: WorkspaceRow) {
  return { key: externalId ?? name, ...withoutDefaults({ name, translations, description }) };
}

function describeSettings(community: CommunityHead): CommunityFileSettings {
  const { externalId, name, description, colorCode, hashtagEnabled, defaultVisibility, ...settings } = community;
  const { workspaceMemberRole, attachmentMaxSize, titleEnabled, descriptionEnabled, watchersEnabled } = settings;
  const switches = Object.fromEntries(
    Object.keys(settingDefaults).map((key) => [key, settings[key as keyof typeof settings]]),
  );
  const memberRole = workspaceMemberRole ?? WorkspaceMemberRole.NONE;
  return {
    key: externalId ?? name,
    ...withoutDefaults(
      {
        name,
        ...(description !== null && { description }),
        ...(colorCode !== null && { color: colorCode }),
        ...switches,
        workspaceMemberRole: nameOf(WorkspaceMemberRole, memberRole),
        titleEnabled: nameOf(PartUse, titleEnabled),
        descriptionEnabled: nameOf(PartUse, descriptionEnabled),
        watchersEnabled: nameOf(PartUse, watchersEnabled),
        hashTagEnabled: hashtagEnabled,
        defaultPostVisibility: nameOf(Visibility, defaultVisibility),
        ...(attachmentMaxSize !== null && { attachmentMaxSize }),
      },
      settingDefaults,
    ),
  };
}

async function describeFields(fields: readonly FieldDefinition[], keys: FieldKeys): Promise<CommunityFileField[]> {
  const described: CommunityFileField[] = [];
  for (const field of fields) described.push(await describeField(field, keys));
  return described;
}

async function describeField(field: FieldDefinition, keys: FieldKeys): Promise<CommunityFileField> {
  const { id, label, required, readonly, searchable, sortable, metadata, catalogId, parentId } = field;
  const { visibleInPreview, visibleInDetail, visibleInCreate, visibleInEdit } = field;
  const type = nameOf(FieldType, field.type);
  const own = keys[field.owner === 'post' ? 'posts' : 'screens'];
  const above = parentId === null ? undefined : keys.values.get(parentId);
  const optional: Omit<CommunityFileField, 'key' | 'label' | 'type'> = {
    translations: { ...field.translations },
    ...(field.section !== null && { section: field.section }),
    sectionTranslations: { ...field.sectionTranslations },
    ...(field.description !== null && { description: describeText(field.description) }),
    required,
    readonly,
    searchable,
    sortable,
    visibleInPreview,
    visibleInDetail,
    visibleInCreate,
    visibleInEdit,
    metadata: describeReferences(metadata, keys),
    ...(catalogId !== null && { catalog: keys.catalogs.get(catalogId)! }),
    ...(parentId !== null && { parent: own.get(parentId)! }),
    values: await mapInTurns(field.enumValues, (value) => {
      if (value.deleted) return undefined;
      const others = {
        translations: { ...value.translations },
        parents: value.parentIds.flatMap((parent) => above?.get(parent) ?? []),
      };
      return { key: keys.values.get(id)!.get(value.id)!, label: value.label, ...withoutDefaults(others) };
    }),
    rules: withoutImplied(
      field.validations.map(({ typeId, parameter }) => ({
        rule: nameOf(ValidationType, typeId),
        ...(parameter !== null && { parameter }),
      })),
      field.conditions,
    ),
    visibleToRoles: roleKeys(keys, field.visibleRoles),
    conditions: describeConditions(field.conditions, keys, field.owner),
  };
  const begins = describeDefault(field, keys);
  return {
    key: own.get(id)!,
    label,
    type,
    ...(begins !== undefined && { default: begins }),
    ...withoutDefaults(optional, fieldDefaults({ type, readonly })),
  };
}

/** Returns fields by their keys. */
export const fieldsByKey = (fields: readonly FieldDefinition[] = []) => byKey(fields, labelKeys(fields));

/** Returns the keys of the values of a field, by id. */
export const valueKeysOf = ({ enumValues }: FieldDefinition) => labelKeys(enumValues);

function describeAccess({ roles, groupIds, byAuthor, fieldIds }: WorkflowAccess, keys: FieldKeys): CommunityFileAccess {
  const { posts, screens, groups } = keys;
  return withoutDefaults<CommunityFileAccess>({
    roles: roleKeys(keys, roles),
    groups: groupIds.flatMap((id) => groups.get(id) ?? []),
    byAuthor,
    fields: fieldIds.flatMap((id) => posts.get(id) ?? []),
    screenFields: fieldIds.flatMap((id) => screens.get(id) ?? []),
  });
}

async function describeWorkflow(workflow: WorkflowDefinition, keys: FieldKeys) {
  const states = workflow.states.filter(({ deleted }) => !deleted);
  const stateKeys = keysOf(states);
  const transitions = workflow.transitions.filter(
    ({ fromStateId, toStateId }) => stateKeys.has(fromStateId) && stateKeys.has(toStateId),
  );
  const transitionKeys = keysOf(transitions);
  const screenName = (id: number | null) => withoutDefaults({ screen: workflow.screenById.get(id ?? 0)?.name });
  const file = {
    title: workflow.title,
    states: states.map((state) => ({
      key: stateKeys.get(state.id)!,
      name: state.name,
      ...withoutDefaults({
        ...(state.description !== null && { description: state.description }),
        ...(state.color !== null && { color: state.color }),
        initial: state.initial,
        terminal: state.terminal,
        metadata: { ...state.metadata },
        ...screenName(state.screenId),
        edit: describeAccess(screenAccess(state), keys),
      }),
    })),
    transitions: transitions.map((transition) => {
      const run = describeAccess(transition, keys);
      return {
        key: transitionKeys.get(transition.id)!,
        name: transition.name,
        from: stateKeys.get(transition.fromStateId)!,
        to: stateKeys.get(transition.toStateId)!,
        ...withoutDefaults({ metadata: { ...transition.metadata } }),
        ...screenName(transition.screenId),
        ...(!isDeepStrictEqual(run, defaultRun) && { run }),
        ...withoutDefaults({
          conditions: describeConditions(transition.conditions, keys, 'transition'),
          sets: describeSets(transition.sets, keys),
        }),
      };
    }),
    screens: workflow.screens.map(({ name, message, fields }) => ({
      name,
      ...(message !== null && { message }),
      fields: fields.map(({ fieldId, required }) => ({
        field: keys.screens.get(fieldId)!,
        ...withoutDefaults({ required }),
      })),
    })),
    screenFields: await describeFields(workflow.fields, keys),
  };
  return { file, states: idsByKey(stateKeys), transitions: idsByKey(transitionKeys) };
}
