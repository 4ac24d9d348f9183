/** Creates the catalogs, workspaces and communities of the demo from their files. */
import { type CommunityFile, PostViewScenario, RelationCardinality, RoleId } from '@portico/contract';
import { joining, type WriteScope } from '../kernel/access/index.ts';
import {
  createCatalogEntries,
  createCommunity,
  createWorkspace,
  ensureCatalog,
  ensureHashtags,
  loadDefinition,
  putCommunityRelation,
  putPostView,
  setCommunityRoles,
  setWorkspaceMembers,
} from '../modules/communities/index.ts';
import { applyCommunity } from '../modules/definitions/index.ts';
import { claimUploads } from '../modules/files/index.ts';
import { type CommunityData, type PlacesData, readCommunity } from './data.ts';
import type { DemoContext } from './demo-context.ts';

/** A community with its file. */
type Place = CommunityData & { file: CommunityFile };

/** Creates everything that contains posts. */
export async function createPlaces(context: DemoContext, data: PlacesData): Promise<void> {
  const places = data.communities.map((community) => ({ ...community, file: readCommunity(community.key) }));
  const before = '2024-01-07T19:30Z';
  await context.write(before, 'definitions', (write) => createCatalogs(context, write, data, places));
  await context.write(before, 'access', (write) => createWorkspaces(context, write, data, places));
  // Fields may name other communities, so all communities exist before the first field of posts.
  await context.write('2024-01-07T23:30Z', 'both', async (write) => {
    for (const place of places) await createEmpty(context, write, place);
    for (const place of places) await applyCommunity(joining(write), { file: { ...withRetired(place), fields: [] } });
  });
  await context.write('2024-01-08T01:30Z', 'both', async (write) => {
    for (const place of places) await applyCommunity(joining(write), { file: withRetired(place) });
    for (const place of places) {
      if (place.retired) await applyCommunity(joining(write), { file: place.file });
      await nameDefinition(context, write, place);
    }
    await createViews(context, write, places);
  });
}

/** Creates catalogs, parents first. */
async function createCatalogs(
  { names }: DemoContext,
  write: WriteScope,
  { catalogs }: PlacesData,
  places: readonly Place[],
): Promise<void> {
  const scope = joining(write);
  const defined = places.flatMap(({ file }) => file.catalogs ?? []);
  for (const { key: catalogKey, retired = [] } of catalogs) {
    const { name = {}, parent, entries = [] } = defined.find(({ key }) => key === catalogKey)!;
    const above = parent === undefined ? {} : { parentId: names.get(`catalog:${parent}`) };
    const id = await ensureCatalog(scope, { name, externalId: catalogKey, ...above });
    names.set(`catalog:${catalogKey}`, id);
    const all = [
      ...entries.map((entry) => ({ ...entry, deleted: false })),
      ...retired.map((entry) => ({ ...entry, deleted: true })),
    ];
    const ids = await createCatalogEntries(
      scope,
      id,
      all.map(({ key = '', label = {}, parents = [], deleted }) => ({
        label,
        externalId: key,
        parentIds: parents.map((one) => names.get(`entry:${parent}/${one}`)),
        ...(deleted && { deleted }),
      })),
    );
    for (const [index, { key }] of all.entries()) names.set(`entry:${catalogKey}/${key}`, ids[index]!);
  }
}

async function createWorkspaces(
  context: DemoContext,
  write: WriteScope,
  { workspaces }: PlacesData,
  places: readonly Place[],
): Promise<void> {
  const scope = joining(write);
  for (const { key, members } of workspaces) {
    const { file } = places.find((place) => place.file.workspace?.key === key)!;
    const { name = '', translations, description } = file.workspace!;
    const id = await createWorkspace(scope, {
      name,
      ...(translations && { translations }),
      ...(description && { description }),
      coverContentRef: await store(context, write, `cover-${key}.png`),
      logoContentRef: await store(context, write, `logo-${key}.png`),
      externalId: key,
    });
    await setWorkspaceMembers(scope, id, context.names.resolve(members));
    context.names.set(`workspace:${key}`, id);
  }
}

/** Stores a picture that the system account takes into use. */
async function store(context: DemoContext, write: WriteScope, name: string): Promise<string> {
  const contentRef = await context.store(joining(write), name);
  await claimUploads(write, [{ contentRef, field: 'contentRef' }]);
  return contentRef;
}

/** Creates a community without a definition. */
async function createEmpty(context: DemoContext, write: WriteScope, { key, file, hashtags }: Place): Promise<void> {
  const { names } = context;
  const scope = joining(write);
  const id = await createCommunity(scope, {
    workspaceId: names.get(`workspace:${file.workspace?.key}`),
    name: file.community?.name ?? '',
    externalId: file.community?.key ?? key,
    coverContentRef: await store(context, write, `${key}.png`),
  });
  names.set(`community:${key}`, id);
  await setCommunityRoles(scope, id, [{ principal: names.get('user:SVC-1'), role: RoleId.MANAGER }]);
  const ids = await ensureHashtags(scope, id, hashtags);
  for (const [index, { name }] of hashtags.entries()) names.set(`hashtag:${key}/${name}`, ids[index]!);
}

/** The file as it was before anything was taken out of use. */
function withRetired({ file, retired: { states = [], values = {} } = {} }: Place): CommunityFile {
  return {
    ...file,
    fields: (file.fields ?? []).map((field) => {
      const more = values[field.key ?? ''];
      return more ? { ...field, values: [...(field.values ?? []), ...more] } : field;
    }),
    ...(file.workflow && { workflow: { ...file.workflow, states: [...(file.workflow.states ?? []), ...states] } }),
  };
}

/** Names the parts of a definition by their keys in the file. */
async function nameDefinition({ names }: DemoContext, write: WriteScope, { key }: Place): Promise<void> {
  const { fields, workflow } = (await loadDefinition(write.tx, names.get(`community:${key}`)))!;
  for (const field of fields) names.set(`field:${key}/${field.externalId}`, field.id);
  for (const field of workflow?.fields ?? []) names.set(`screen:${key}/${field.externalId}`, field.id);
  for (const field of [...fields, ...(workflow?.fields ?? [])])
    for (const value of field.enumValues) names.set(`value:${key}/${field.externalId}/${value.externalId}`, value.id);
  for (const { id, externalId } of workflow?.transitions ?? []) names.set(`transition:${externalId}`, id);
}

/** Creates views of posts, and relations between communities. */
async function createViews({ names }: DemoContext, write: WriteScope, places: readonly Place[]): Promise<void> {
  const shown = new Map<string, number>();
  for (const { key, views } of places) {
    for (const { name, scenarios, fields, description = true } of views) {
      const viewId = await putPostView(joining(write), names.get(`community:${key}`), {
        name,
        scenarios: scenarios.map((scenario) => PostViewScenario[scenario]),
        descriptionEnabled: description,
        fieldIds: fields.map((field) => names.get(`field:${key}/${field}`)),
      });
      if (scenarios.includes('RELATION')) shown.set(key, viewId);
    }
  }
  for (const { key, relations = [] } of places) {
    for (const { target, cardinality, required = false, ...relation } of relations) {
      const viewId = shown.get(target);
      await putCommunityRelation(joining(write), {
        ...relation,
        sourceCommunityId: names.get(`community:${key}`),
        targetCommunityId: names.get(`community:${target}`),
        cardinality: RelationCardinality[cardinality],
        required,
        ...(viewId !== undefined && { viewId }),
      });
    }
  }
}
