/** Creates workspaces, catalogs and communities from the definitions in `content/communities`. */
import {
  type CommunityFile,
  type CommunityFileCatalog,
  PostViewScenario,
  RelationCardinality,
  RoleId,
} from '@portico/contract';
import { joining, type WriteScope, writeTransaction } from '../kernel/access/index.ts';
import {
  createCatalogEntries,
  createCommunity,
  createWorkspace,
  ensureCatalog,
  ensureHashtags,
  type FieldDefinition,
  loadDefinition,
  type NewMember,
  putCommunityRelation,
  putPostView,
  setCommunityRoles,
  setWorkspaceMembers,
} from '../modules/communities/index.ts';
import { applyCommunity } from '../modules/definitions/index.ts';
import { catalogs, communities, workspaces } from './content.ts';
import { DAY, type DemoContext, type MadeCommunity, type MadeField, SEED_DATE } from './demo-context.ts';
import type { CommunitySpec, FieldSpec } from './read-community.ts';

const files = communities.map(({ file }) => file);

/** Makes the workspaces with their members. @param pictures content references, as `storePictures` names them */
export async function makeWorkspaces(context: DemoContext, pictures: ReadonlyMap<string, string>): Promise<void> {
  await writeTransaction(await context.system(SEED_DATE - DAY / 2), 'access', async (write) => {
    const scope = joining(write);
    for (const spec of workspaces) {
      const externalId = `WS-${spec.key}`;
      const {
        name = '',
        translations,
        description,
      } = files.find(({ workspace }) => workspace?.key === externalId)!.workspace!;
      const id = await createWorkspace(scope, {
        name,
        ...(translations && { translations }),
        ...(description && { description }),
        coverContentRef: pictures.get(`cover:${spec.key}`) as string,
        logoContentRef: pictures.get(`logo:${spec.key}`) as string,
        externalId,
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

/**
 * Creates the catalogs with their entries, parents first; entries that are retired are in no file.
 */
export async function makeCatalogs(context: DemoContext): Promise<void> {
  const defined = new Map(files.flatMap((file) => file.catalogs ?? []).map((catalog) => [catalog.key, catalog]));
  await writeTransaction(await context.system(SEED_DATE - DAY / 2), 'definitions', async (write) => {
    const scope = joining(write);
    const made = new Map<string, { id: number; entryIds: ReadonlyMap<string, number> }>();
    for (const { key, retired = [] } of catalogs) {
      const externalId = `CAT-${key}`;
      const { name = {}, parent = '', entries = [] } = defined.get(externalId) as CommunityFileCatalog;
      const above = made.get(parent);
      const id = await ensureCatalog(scope, { name, externalId, ...(above && { parentId: above.id }) });
      const all = [
        ...entries.map(({ key: entry = '', label = {}, parents = [] }) => ({
          key: entry,
          label,
          parents,
          deleted: false,
        })),
        ...retired.map((entry) => ({ ...entry, parents: [], deleted: true })),
      ];
      const ids = await createCatalogEntries(
        scope,
        id,
        all.map((entry) => ({
          label: entry.label,
          externalId: entry.key,
          parentIds: entry.parents.map((one) => above?.entryIds.get(one) as number),
          ...(entry.deleted && { deleted: true }),
        })),
      );
      made.set(externalId, { id, entryIds: new Map(all.map((entry, index) => [entry.key, ids[index] as number])) });
      context.catalogs.set(key, {
        id,
        entries: all.map((entry, index) => ({
          id: ids[index] as number,
          key: entry.key,
          parentKeys: entry.parents,
          deleted: entry.deleted,
        })),
      });
    }
  });
}

/**
 * Makes the communities. Their fields may name one another, so all of them are there before the first field of posts.
 * @param covers pictures by key of community
 */
export async function makeCommunities(context: DemoContext, covers: ReadonlyMap<string, string>): Promise<void> {
  const ids = new Map<string, number>();
  const hashtagIds = new Map<string, readonly number[]>();
  await writeTransaction(await context.system(SEED_DATE - DAY / 3), 'both', async (write) => {
    const scope = joining(write);
    for (const spec of communities) {
      const id = await createCommunity(scope, {
        workspaceId: context.workspaces.get(spec.workspace) as number,
        name: spec.file.community?.name ?? '',
        externalId: `COM-${spec.key}`,
        coverContentRef: covers.get(spec.key) as string,
      });
      ids.set(spec.key, id);
      await setCommunityRoles(scope, id, [{ principal: context.serviceAccount, role: RoleId.MANAGER }]);
      hashtagIds.set(spec.key, await ensureHashtags(scope, id, spec.hashtags));
    }
    for (const spec of communities) await applyCommunity(scope, { file: { ...withRetired(spec), fields: [] } });
  });
  await writeTransaction(await context.system(SEED_DATE - DAY / 4), 'both', async (write) => {
    const scope = joining(write);
    for (const spec of communities) await applyCommunity(scope, { file: withRetired(spec) });
    for (const spec of communities) {
      if (spec.retired) await applyCommunity(scope, { file: spec.file });
      const id = ids.get(spec.key) as number;
      context.communities.set(spec.key, await readMade(write, spec, id, hashtagIds.get(spec.key) ?? []));
    }
    await makeViews(context, write);
  });
}

/** The file as it was before anything was taken out of use. */
function withRetired({ file, retired: { states = [], values = {} } = {} }: CommunitySpec): CommunityFile {
  return {
    ...file,
    fields: (file.fields ?? []).map((field) => {
      const more = values[field.key ?? ''];
      return more ? { ...field, values: [...(field.values ?? []), ...more] } : field;
    }),
    ...(file.workflow && { workflow: { ...file.workflow, states: [...(file.workflow.states ?? []), ...states] } }),
  };
}

/** The ids behind the keys of a community. */
async function readMade(
  write: WriteScope,
  spec: CommunitySpec,
  id: number,
  hashtagIds: readonly number[],
): Promise<MadeCommunity> {
  const definition = (await loadDefinition(write.tx, id))!;
  const { workflow } = definition;
  const byKey = (items: readonly { id: number; externalId: string | null }[] = []) =>
    new Map(items.map((item) => [item.externalId ?? '', item.id]));
  const fieldsOf = (specs: readonly FieldSpec[] = [], made: readonly FieldDefinition[] = []) => {
    const known = new Map(made.map((field) => [field.externalId, field]));
    return new Map(
      specs.map((field): [string, MadeField] => {
        const { id: fieldId, enumValues } = known.get(field.key)!;
        return [field.key, { id: fieldId, spec: field, values: byKey(enumValues) }];
      }),
    );
  };
  return {
    id,
    spec,
    fields: fieldsOf(spec.fields, definition.fields),
    screenFields: fieldsOf(spec.workflow?.fields, workflow?.fields),
    states: byKey(workflow?.states),
    transitions: byKey(workflow?.transitions),
    hashtags: new Map(
      spec.hashtags.flatMap(({ name, deleted }, index) =>
        deleted ? [] : [[name, hashtagIds[index] as number] as const],
      ),
    ),
  };
}

/** Makes views of posts, and relations between communities. */
async function makeViews(context: DemoContext, write: WriteScope): Promise<void> {
  const shown = new Map<string, number>();
  const made = [...context.communities.values()];
  for (const { id, spec, fields } of made) {
    for (const view of spec.views) {
      const viewId = await putPostView(joining(write), id, {
        name: view.name,
        scenarios: view.scenarios.map((scenario) => PostViewScenario[scenario]),
        descriptionEnabled: view.description ?? true,
        fieldIds: view.fields.map((key) => fields.get(key)?.id as number),
      });
      if (view.scenarios.includes('RELATION')) shown.set(spec.key, viewId);
    }
  }
  for (const { id, spec } of made) {
    for (const relation of spec.relations ?? []) {
      const viewId = shown.get(relation.target);
      await putCommunityRelation(joining(write), {
        sourceCommunityId: id,
        targetCommunityId: context.communities.get(relation.target)!.id,
        name: relation.name,
        itemName: relation.itemName,
        cardinality: RelationCardinality[relation.cardinality],
        required: relation.required ?? false,
        ...(viewId !== undefined && { viewId }),
      });
    }
  }
}
