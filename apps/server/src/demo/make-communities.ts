/** Makes workspaces, catalogs and communities with everything that is defined in them. */
import {
  FieldType,
  PartUse,
  PostViewScenario,
  RelationCardinality,
  RoleId,
  ValidationType,
  Visibility,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../kernel/access/index.ts';
import type { Scope } from '../kernel/scope.ts';
import { createCatalogEntries, ensureCatalog } from '../modules/catalogs/index.ts';
import {
  type AddedField,
  addCommunityRelation,
  addField,
  addPostView,
  createCommunity,
  createWorkflow,
  ensureHashtags,
  type MadeWorkflow,
  type NewField,
  type NewScreenField,
  type OpenTo,
  type PrincipalRole,
  retireWorkflowStates,
  setCommunityRoles,
} from '../modules/communities/index.ts';
import { createWorkspace, type NewMember, setWorkspaceMembers } from '../modules/workspaces/index.ts';
import { type CommunitySpec, catalogs, communities, type FieldSpec, type WhoSpec, workspaces } from './content.ts';
import { DAY, type DemoContext, type MadeCommunity, type MadeField, SEED_DATE, within } from './demo-context.ts';

/** Makes the workspaces with their members. @param pictures content references, as `storePictures` names them */
export async function makeWorkspaces(context: DemoContext, pictures: ReadonlyMap<string, string>): Promise<void> {
  await writeTransaction(await context.system(SEED_DATE - DAY / 2), 'access', async (write) => {
    const scope = within(write);
    for (const spec of workspaces) {
      const id = await createWorkspace(scope, {
        name: spec.name,
        translations: spec.translations as Record<string, string>,
        description: spec.description as Record<string, string>,
        coverContentRef: pictures.get(`cover:${spec.key}`) as string,
        logoContentRef: pictures.get(`logo:${spec.key}`) as string,
        externalId: `WS-${spec.key}`,
      });
      const ids = ({ people, groups }: typeof spec.members) => [
        ...people.map((index) => context.people[index] as number),
        ...groups.map((key) => -(context.groups.get(key) as number)),
      ];
      const members: NewMember[] = [
        ...ids(spec.members).map((principal) => ({ principal, roleId: null })),
        ...ids(spec.administrators).map((principal) => ({ principal, roleId: RoleId.WORKSPACE_ADMINISTRATOR })),
      ];
      await setWorkspaceMembers(scope, id, members);
      context.workspaces.set(spec.key, id);
    }
  });
}

/** Makes the catalogs with their entries, parents first. */
export async function makeCatalogs(context: DemoContext): Promise<void> {
  await writeTransaction(await context.system(SEED_DATE - DAY / 2), 'definitions', async (write) => {
    const scope = within(write);
    const entryIds = new Map<string, number>();
    for (const spec of catalogs) {
      const parentId = spec.parent === undefined ? undefined : context.catalogs.get(spec.parent)?.id;
      const id = await ensureCatalog(scope, {
        name: spec.name as Record<string, string>,
        externalId: `CAT-${spec.key}`,
        ...(parentId !== undefined && { parentId }),
      });
      const ids = await createCatalogEntries(
        scope,
        id,
        spec.entries.map((entry) => ({
          label: entry.label as Record<string, string>,
          externalId: entry.key,
          parentIds: (entry.below ?? []).map((key) => entryIds.get(`${spec.parent}/${key}`) as number),
          ...(entry.deleted && { deleted: true }),
        })),
      );
      for (const [index, entry] of spec.entries.entries())
        entryIds.set(`${spec.key}/${entry.key}`, ids[index] as number);
      context.catalogs.set(spec.key, {
        id,
        entries: spec.entries.map((entry, index) => ({
          id: ids[index] as number,
          key: entry.key,
          parentKeys: entry.below ?? [],
          deleted: entry.deleted ?? false,
        })),
      });
    }
  });
}

/**
 * Makes the communities. Their fields may name one another, so all of them are there before the first field.
 * @param covers pictures by key of community
 */
export async function makeCommunities(context: DemoContext, covers: ReadonlyMap<string, string>): Promise<void> {
  const ids = new Map<string, number>();
  const workflows = new Map<string, MadeWorkflow>();
  const first = await context.system(SEED_DATE - DAY / 3);
  await writeTransaction(first, 'both', async (write) => {
    for (const spec of communities) {
      if (spec.workflow) workflows.set(spec.key, await makeWorkflow(context, within(write), spec));
    }
    for (const spec of communities)
      ids.set(spec.key, await makeCommunity(context, within(write), spec, workflows, covers));
  });
  const second = await context.system(SEED_DATE - DAY / 4);
  await writeTransaction(second, 'definitions', async (write) => {
    const views = new Map<string, number>();
    for (const spec of communities) {
      const id = ids.get(spec.key) as number;
      const made = await makeContents(context, within(write), spec, id, ids);
      context.communities.set(spec.key, { ...made, ...workflowParts(spec, workflows.get(spec.key)) });
      for (const view of spec.views) {
        const viewId = await addPostView(within(write), id, {
          name: view.name,
          scenarios: view.scenarios.map((scenario) => PostViewScenario[scenario]),
          descriptionEnabled: view.description ?? true,
          fieldIds: view.fields.map((key) => made.fields.get(key)?.id as number),
        });
        if (view.scenarios.includes('RELATION')) views.set(spec.key, viewId);
      }
    }
    for (const spec of communities) {
      for (const relation of spec.relations ?? []) {
        const viewId = views.get(relation.target);
        await addCommunityRelation(within(write), {
          sourceCommunityId: ids.get(spec.key) as number,
          targetCommunityId: ids.get(relation.target) as number,
          name: relation.name,
          itemName: relation.itemName,
          cardinality: RelationCardinality[relation.cardinality],
          required: relation.required ?? false,
          ...(viewId !== undefined && { viewId }),
        });
      }
    }
  });
}

async function makeCommunity(
  context: DemoContext,
  scope: Scope,
  spec: CommunitySpec,
  workflows: ReadonlyMap<string, MadeWorkflow>,
  covers: ReadonlyMap<string, string>,
): Promise<number> {
  const workflow = workflows.get(spec.key);
  const cover = covers.get(spec.key);
  const id = await createCommunity(scope, {
    workspaceId: context.workspaces.get(spec.workspace) as number,
    name: spec.name,
    description: spec.description,
    colorCode: spec.color,
    externalId: `COM-${spec.key}`,
    ...(workflow && { workflowId: workflow.id }),
    ...(cover !== undefined && { coverContentRef: cover }),
    draft: spec.draft ?? false,
    ...(spec.memberRole !== undefined && {
      workspaceMemberRole: spec.memberRole && RoleId[spec.memberRole],
    }),
    commentsHiddenFromReaders: spec.commentsHiddenFromReaders ?? false,
    titleEnabled: PartUse[spec.titleEnabled ?? 'OPTIONAL'],
    descriptionEnabled: PartUse[spec.descriptionEnabled ?? 'OPTIONAL'],
    watchersEnabled: PartUse[spec.watchersEnabled ?? 'OPTIONAL'],
    likeEnabled: spec.likeEnabled ?? true,
    eventsEnabled: spec.eventsEnabled ?? true,
    acknowledgeTaskEnabled: spec.acknowledgeTaskEnabled ?? false,
    initStateChoiceEnabled: spec.initStateChoice ?? false,
    manualAuthorEnabled: spec.manualAuthor ?? false,
    offlineEnabled: spec.offline ?? false,
    attachmentMaxSize: spec.attachmentMaxSize ?? null,
    defaultVisibility: Visibility[spec.defaultVisibility ?? 'PUBLIC'],
  });
  const roles: PrincipalRole[] = [];
  for (const [keys, role] of [
    [spec.readers, RoleId.READER],
    [spec.contributors, RoleId.CONTRIBUTOR],
    [spec.managers, RoleId.MANAGER],
  ] as const) {
    for (const key of keys) roles.push({ principal: -(context.groups.get(key) as number), role });
  }
  roles.push({ principal: context.serviceAccount, role: RoleId.MANAGER });
  await setCommunityRoles(scope, id, roles);
  return id;
}

type Contents = Pick<MadeCommunity, 'id' | 'spec' | 'fields' | 'hashtags'>;

async function makeContents(
  context: DemoContext,
  scope: Scope,
  spec: CommunitySpec,
  id: number,
  ids: ReadonlyMap<string, number>,
): Promise<Contents> {
  const fields = new Map<string, MadeField>();
  for (const field of spec.fields) {
    const added = await addField(scope, { communityId: id }, newField(context, field, fields, ids));
    fields.set(field.key, madeField(field, added));
  }
  const hashtagIds = await ensureHashtags(scope, id, spec.hashtags);
  const hashtags = new Map(
    spec.hashtags.flatMap(({ name, deleted }, index) =>
      deleted ? [] : [[name, hashtagIds[index] as number] as const],
    ),
  );
  return { id, spec, fields, hashtags };
}

function madeField(spec: FieldSpec, added: AddedField): MadeField {
  const values = (spec.values ?? []).map((value, index) => [value.key, added.enumValueIds[index] as number] as const);
  return { id: added.id, spec, values: new Map(values) };
}

/** Everything about a field but the one above it. */
function fieldBody(
  context: DemoContext,
  spec: FieldSpec,
  ids: ReadonlyMap<string, number>,
): Omit<NewField, 'parentId'> {
  const metadata = Object.fromEntries(
    Object.entries(spec.metadata ?? {}).map(([key, value]) => {
      const [kind, name] = value.split(':') as [string, string | undefined];
      const id =
        kind === 'community' ? ids.get(name ?? '') : kind === 'group' ? context.groups.get(name ?? '') : undefined;
      return [key, id === undefined ? value : String(id)];
    }),
  );
  const catalogId = spec.catalog === undefined ? undefined : context.catalogs.get(spec.catalog)?.id;
  return {
    type: FieldType[spec.type],
    label: spec.label,
    externalId: spec.key,
    metadata,
    required: spec.required ?? false,
    readonly: spec.readonly ?? false,
    searchable: spec.searchable ?? true,
    sortable: spec.sortable ?? false,
    visibleInPreview: spec.preview ?? spec.hidden !== true,
    visibleInDetail: spec.hidden !== true,
    visibleInCreate: spec.hidden !== true && spec.readonly !== true,
    visibleInEdit: spec.hidden !== true && spec.readonly !== true,
    ...(spec.description !== undefined && { description: spec.description }),
    ...(catalogId !== undefined && { catalogId }),
    ...(spec.values && {
      enumValues: spec.values.map(({ key, label, below, deleted }) => ({
        label,
        externalId: key,
        ...(below && { parents: below }),
        ...(deleted && { deleted }),
      })),
    }),
    ...(spec.validations && {
      validations: spec.validations.map(([type, parameter]) => ({
        typeId: ValidationType[type],
        ...(parameter !== null && { parameter }),
      })),
    }),
  };
}

/** A field of posts; parents of its own values are named by id. */
function newField(
  context: DemoContext,
  spec: FieldSpec,
  made: ReadonlyMap<string, MadeField>,
  ids: ReadonlyMap<string, number>,
): NewField {
  const parent = spec.parent === undefined ? undefined : made.get(spec.parent);
  const body = fieldBody(context, spec, ids);
  return {
    ...body,
    ...(parent && { parentId: parent.id }),
    ...(parent &&
      body.enumValues && {
        enumValues: body.enumValues.map((value) => ({
          ...value,
          parents: (value.parents ?? []).map((key) => parent.values.get(String(key)) as number),
        })),
      }),
  };
}

function openTo(context: DemoContext, who: WhoSpec): OpenTo {
  return {
    roles: (who.roles ?? []).map((role) => RoleId[role]),
    groupIds: (who.groups ?? []).map((key) => context.groups.get(key) as number),
    byAuthor: who.author ?? false,
  };
}

/** A field of screens; the field above it and that one's values are named by their labels. */
function screenField(context: DemoContext, spec: FieldSpec, all: readonly FieldSpec[]): NewScreenField {
  const body = fieldBody(context, spec, new Map());
  const above = all.find(({ key }) => key === spec.parent);
  if (!above) return body;
  const labelOf = (key: number | string) => above.values?.find((value) => value.key === key)?.label ?? String(key);
  return {
    ...body,
    parent: above.label,
    ...(body.enumValues && {
      enumValues: body.enumValues.map((value) => ({ ...value, parents: (value.parents ?? []).map(labelOf) })),
    }),
  };
}

/** Makes a workflow. Its screen fields name no communities. */
async function makeWorkflow(context: DemoContext, scope: Scope, community: CommunitySpec): Promise<MadeWorkflow> {
  const spec = community.workflow as NonNullable<CommunitySpec['workflow']>;
  const labelOf = (key: string) => spec.fields.find((field) => field.key === key)?.label as string;
  const screenOf = (key: string | undefined) => spec.screens.find((screen) => screen.key === key)?.name;
  const stateOf = (key: string) => spec.states.find((state) => state.key === key)?.name as string;
  const withScreen = (key: string | undefined) => {
    const screen = screenOf(key);
    return screen === undefined ? {} : { screen };
  };
  return createWorkflow(scope, {
    title: spec.title,
    screenFields: spec.fields.map((field) => screenField(context, field, spec.fields)),
    screens: spec.screens.map((screen) => ({
      name: screen.name,
      ...(screen.message !== undefined && { message: screen.message }),
      fields: screen.fields.map(({ key, required }) => ({ label: labelOf(key), required: required ?? false })),
    })),
    states: spec.states.map((state) => ({
      name: state.name,
      color: state.color,
      externalId: `${community.key}-${state.key}`,
      initial: state.initial ?? false,
      terminal: state.terminal ?? false,
      metadata: state.metadata ?? {},
      ...(state.description !== undefined && { description: state.description }),
      ...withScreen(state.screen),
      ...(state.editors && { edit: openTo(context, state.editors) }),
    })),
    transitions: spec.transitions.map((transition) => ({
      name: transition.name,
      from: stateOf(transition.from),
      to: stateOf(transition.to),
      externalId: `${community.key}-${transition.key}`,
      metadata: transition.metadata ?? {},
      ...withScreen(transition.screen),
      run: openTo(context, transition.who),
    })),
  });
}

type Parts = Pick<MadeCommunity, 'screenFields' | 'states' | 'transitions' | 'screens'>;

/** The ids of a workflow's parts by the keys of the content. */
function workflowParts({ workflow }: CommunitySpec, made: MadeWorkflow | undefined): Parts {
  if (!workflow || !made)
    return { screenFields: new Map(), states: new Map(), transitions: new Map(), screens: new Map() };
  return {
    screenFields: new Map(
      workflow.fields.map((field) => [field.key, madeField(field, made.fields.get(field.label) as AddedField)]),
    ),
    states: new Map(workflow.states.map((state) => [state.key, made.states.get(state.name) as number])),
    screens: new Map(workflow.screens.map((screen) => [screen.key, made.screens.get(screen.name) as number])),
    transitions: new Map(
      workflow.transitions.map((transition, index) => [transition.key, made.transitionIds[index] as number]),
    ),
  };
}

/** States that were taken out of use; nothing in version 2 does that, so it is written as it is stored. */
export async function retireStates(write: WriteScope, context: DemoContext): Promise<void> {
  const ids = [...context.communities.values()].flatMap(({ spec, states }) =>
    (spec.workflow?.states ?? []).flatMap(({ key, deleted }) => (deleted ? (states.get(key) as number) : [])),
  );
  await retireWorkflowStates(write, ids);
}
