/**
 * The small tables: tenants, people, groups, communities, fields, workflows; created by the
 * product's own verbs.
 */
import {
  addField,
  type CommunityDefinition,
  type CommunityRole,
  createCatalogEntries,
  createCommunity,
  createGroupRecord,
  createServiceAccount,
  createServiceAccountKey,
  createTenant,
  createUserRecords,
  createWorkflow,
  createWorkspace,
  ensureCatalog,
  ensureHashtags,
  fieldRules,
  getDefinition,
  type Scope,
  type Services,
  setCommunityRoles,
  systemScope,
  type WriteScope,
  writeTransaction,
} from '@portico/server/testing/dataset';
import type pg from 'pg';
import type { DatasetPerson, PersonKind } from './dataset.ts';
import { bigCommunityFields, type FieldPlan, smallCommunityFields } from './field-plan.ts';
import type { CommunitySource, PlannedField } from './post-plan.ts';
import { Dice, mix } from './random.ts';
import { END } from './timeline.ts';
import { personName, phrase } from './words.ts';

/** Sizes of all parts for a number of posts; at a million the sizes that the bench promises. */
export interface Size {
  readonly posts: number;
  readonly people: number;
  readonly groups: number;
  readonly communities: number;
  readonly otherPosts: number;
  readonly smallTenants: number;
  readonly smallTenantPosts: number;
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, Math.round(value)));

export function sizeFor(posts: number): Size {
  return {
    posts,
    people: between(60, posts / 100, 10_000),
    groups: between(8, posts / 2_000, 500),
    communities: between(5, posts / 1_000, 200),
    otherPosts: Math.round(posts / 10),
    smallTenants: between(2, posts / 1_000, 50),
    smallTenantPosts: between(20, posts / 50, 200),
  };
}

const personKinds: readonly PersonKind[] = ['serviceAccount', 'admin', 'manager', 'contributor', 'reader', 'outsider'];
/**
 * Creates everything at the time at which the data ends, so that it is the same whenever it is
 * built.
 */
const clock = { now: () => END };
/** Users per transaction. */
const BATCH = 400;

export interface MadeTenant {
  readonly id: number;
  readonly name: string;
  readonly host: string;
  readonly scope: () => Promise<Scope>;
}

export async function makeTenant(owner: pg.Client, services: Services, name: string): Promise<MadeTenant> {
  const host = `${name}.bench.test`;
  const { id, systemUserId } = await createTenant(owner, services.sealer, { name, hosts: [host] });
  await owner.query('UPDATE tenants SET created_at = $2 WHERE id = $1', [id, new Date(END)]);
  const scope = () => systemScope(services, { id, name, displayName: name }, systemUserId, clock);
  return { id, name, host, scope };
}

/** People and groups of the big tenant. */
export interface Everybody {
  readonly userIds: number[];
  readonly names: Map<number, string>;
  readonly groups: { id: number; name: string; members: number }[];
  readonly measured: Record<PersonKind, DatasetPerson>;
  /**
   * Groups whose members only read in the big community; the last group has no role there, the
   * others write.
   */
  readonly readerGroups: number;
}

export async function makePeople(tenant: MadeTenant, size: Size): Promise<Everybody> {
  const dice = new Dice(1);
  const userIds: number[] = [];
  const names = new Map<number, string>();
  const inWrite = async <T>(work: (write: WriteScope) => Promise<T>): Promise<T> =>
    writeTransaction(await tenant.scope(), 'access', work);
  for (let start = 0; start < size.people; start += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, size.people - start) }, (_, index) => {
      const name = personName(dice);
      const roleTitle = dice.pick(['Clerk', 'Engineer', 'Manager', 'Driver', 'Buyer', 'Nurse']);
      const place = dice.pick(['Rome', 'Milan', 'Turin', 'Bergamo', 'Oslo']);
      const createdAt = END - (size.people - start - index) * 3_600_000;
      return { ...name, roleTitle, place, createdAt, contactEmail: `user${start + index}@bench.test` };
    });
    const ids = await inWrite((write) => createUserRecords(write, records));
    for (const [index, id] of ids.entries()) {
      userIds.push(id);
      names.set(id, `${records[index]!.firstName} ${records[index]!.lastName}`);
    }
  }
  const measuredIds = {} as Record<PersonKind, number>;
  for (const kind of personKinds) {
    const admin = kind === 'serviceAccount' || kind === 'admin';
    measuredIds[kind] = await inWrite((write) => createServiceAccount(write, { name: `Bench ${kind}`, admin }));
    names.set(measuredIds[kind], `Bench ${kind}`);
  }
  const readerGroups = Math.max(1, Math.floor(size.groups / 10));
  const memberships: Record<PersonKind, number[]> = {
    serviceAccount: [],
    admin: [],
    manager: [readerGroups],
    contributor: [readerGroups, readerGroups + 1],
    reader: [0],
    outsider: [size.groups - 1],
  };
  const groups: Everybody['groups'] = [];
  for (let number = 0; number < size.groups; number++) {
    const wanted = 3 + dice.skewed(Math.min(400, size.people), 4);
    const members = new Set(Array.from({ length: wanted }, () => dice.pick(userIds)));
    // Everybody is in a writing group, so that every author could have written their posts.
    const writing = size.groups - readerGroups - 1;
    const own = number - readerGroups;
    if (own >= 0 && own < writing)
      for (let user = own; user < userIds.length; user += writing) members.add(userIds[user]!);
    for (const kind of personKinds) if (memberships[kind].includes(number)) members.add(measuredIds[kind]);
    const name = `${phrase(dice, 2)} ${number + 1}`;
    const memberIds = [...members].sort((a, b) => a - b);
    groups.push({
      id: await inWrite((write) => createGroupRecord(write, { name, memberIds })),
      name,
      members: members.size,
    });
  }
  const { db } = await tenant.scope();
  const keys = await Promise.all(personKinds.map((kind) => createServiceAccountKey(db, measuredIds[kind], END)));
  const measured = Object.fromEntries(
    personKinds.map((kind, index): [PersonKind, DatasetPerson] => [
      kind,
      {
        userId: measuredIds[kind],
        name: `Bench ${kind}`,
        key: keys[index]!,
        groupIds: memberships[kind].map((number) => groups[number]!.id),
      },
    ]),
  ) as Record<PersonKind, DatasetPerson>;
  return { userIds, names, groups, measured, readerGroups };
}

/** Five states; from the first one to each of the others, from two of them back or on. */
async function makeWorkflow(tenant: MadeTenant): Promise<number> {
  const states = ['Open', 'In progress', 'Waiting', 'Done', 'Rejected'];
  const { id } = await createWorkflow(await tenant.scope(), {
    title: 'Handling',
    states: states.map((name, index) => ({ name, initial: index === 0, terminal: index > 2 })),
    transitions: [
      { name: 'Begin', from: 'Open', to: 'In progress' },
      { name: 'Put off', from: 'Open', to: 'Waiting' },
      { name: 'Close', from: 'Open', to: 'Done' },
      { name: 'Reject', from: 'Open', to: 'Rejected', run: { roles: [1] } },
      { name: 'Finish', from: 'In progress', to: 'Done' },
      { name: 'Take up', from: 'Waiting', to: 'In progress' },
    ],
  });
  return id;
}

/** The fields of a community, defined by plan. */
async function makeFields(
  tenant: MadeTenant,
  communityId: number,
  plans: readonly FieldPlan[],
): Promise<PlannedField[]> {
  const made: Omit<PlannedField, 'rule'>[] = [];
  const ids: number[] = [];
  const byLabel = new Map<string, { id: number; values: readonly number[] }>();
  for (const plan of plans) {
    const { label } = plan.field;
    const scope = await tenant.scope();
    const parent = plan.parent === undefined ? undefined : byLabel.get(plan.parent);
    const parentOf = (index: number) => parent?.values[index % parent.values.length];
    const labels = Array.from(
      { length: plan.values ?? 0 },
      (_, index) => `${label} ${phrase(new Dice(mix(index, 5)), 2)} ${index + 1}`,
    );
    let catalogId: number | undefined;
    let entryIds: number[] = [];
    if (plan.catalog) {
      catalogId = await ensureCatalog(scope, { name: label });
      entryIds = await createCatalogEntries(
        await tenant.scope(),
        catalogId,
        labels.map((text) => ({ label: text })),
      );
    }
    const { id, enumValueIds } = await addField(
      await tenant.scope(),
      { communityId },
      {
        ...plan.field,
        ...(parent && { parentId: parent.id }),
        ...(catalogId !== undefined
          ? { catalogId }
          : labels.length > 0 && {
              enumValues: labels.map((text, index) => ({
                label: text,
                ...(parent && { parents: [parentOf(index)!] }),
              })),
            }),
      },
    );
    const values = plan.catalog ? entryIds : enumValueIds;
    byLabel.set(label, { id, values });
    ids.push(id);
    const idsBelow = Map.groupBy(values, (_, index) => parentOf(index) ?? 0);
    made.push({ plan, ids: values, idsBelow, parentId: parent?.id });
  }
  const definition = (await getDefinition(await tenant.scope(), communityId))!;
  const rules = new Map(fieldRules(definition).post.map((rule) => [rule.id, rule]));
  return made.map((field, index) => ({ ...field, rule: rules.get(ids[index]!)! }));
}

interface Place {
  readonly workspaceId: number;
  readonly workflowId: number;
}

export async function makePlace(tenant: MadeTenant, name: string): Promise<Place> {
  const workspaceId = await createWorkspace(await tenant.scope(), { name });
  return { workspaceId, workflowId: await makeWorkflow(tenant) };
}

/** A community with its fields, hashtags and roles; its posts are yet to be written. */
export async function makeCommunity(
  tenant: MadeTenant,
  options: Place & {
    name: string;
    big: boolean;
    posts: number;
    firstPostId: number;
    roles: readonly { principal: number; role: CommunityRole }[];
    people: Pick<CommunitySource, 'userIds' | 'managerIds' | 'names' | 'groupIds' | 'measuredIds'>;
  },
): Promise<CommunitySource> {
  const { workspaceId, workflowId, name, big } = options;
  const communityId = await createCommunity(await tenant.scope(), { workspaceId, workflowId, name });
  const fields = await makeFields(tenant, communityId, big ? bigCommunityFields : smallCommunityFields);
  const tags = Array.from({ length: big ? 60 : 0 }, (_, index) => `topic-${index + 1}`);
  const tagIds = tags.length > 0 ? await ensureHashtags(await tenant.scope(), communityId, tags) : [];
  await setCommunityRoles(await tenant.scope(), communityId, options.roles);
  const definition = (await getDefinition(await tenant.scope(), communityId)) as CommunityDefinition;
  return {
    tenantId: tenant.id,
    definition,
    rules: fieldRules(definition),
    fields,
    hashtags: tagIds.map((id, index) => ({ id, name: tags[index]! })),
    ...options.people,
    states: definition.workflow?.states.map((state) => state.id) ?? [],
    posts: options.posts,
    firstPostId: options.firstPostId,
    seed: mix(communityId, 2026),
  };
}
