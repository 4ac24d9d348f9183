/** Random tenants as data, the rule of visibility stated over them, and the same tenants made through the interface. */
import { type CommunityPermission, impliedPermissions, rolePermissions } from '@portico/contract';
import fc from 'fast-check';
import type { TestPortal, TestTenant } from '../../../test/support/index.ts';
import { connectLive } from '../../../test/support/live-connection.ts';
import { addField } from '../../modules/communities/define-fields.ts';
import {
  createCommunity,
  createRole,
  createWorkspace,
  setCommunityRole,
  setWorkspaceMembers,
} from '../../modules/communities/index.ts';
import { createGroupRecord } from '../../modules/people/index.ts';
import { writeTransaction } from './index.ts';

export const API = '/portal/api/communication';
const PEOPLE = 6;

/** Roles that the tenant makes, by the number that stands for them in a model. */
const OWN = {
  11: ['readAllPosts'],
  12: ['createPosts', 'comment'],
  13: ['readPublicPosts', 'editPosts'],
} as const satisfies Record<number, readonly CommunityPermission[]>;

type Role = 1 | 2 | 3 | 5 | keyof typeof OWN | null;

/** A tenant as data, which the rule is stated over. People and groups are indexes. */
export interface World {
  groups: number[][];
  communities: {
    /** Given directly, by person. */
    people: Role[];
    group: Role;
    /** Role by plain membership of the workspace. */
    memberRole: 1 | 2 | 3 | 5 | null;
    commentsHidden: boolean;
  }[];
  /** Plain members of the workspace. */
  members: boolean[];
  posts: {
    community: number;
    author: number;
    isPrivate: boolean;
    draft: boolean;
    deleted: boolean;
    watcher: number | null;
    watchingGroup: boolean;
    assignee: number | null;
    assignedGroup: boolean;
    named: number | null;
    invited: number | null;
  }[];
}

const role = fc.constantFrom<Role>(1, 2, 3, 5, 11, 12, 13, null);
const person = fc.integer({ min: 0, max: PEOPLE - 1 });
const someone = fc.option(person, { nil: null, freq: 2 });
export const world: fc.Arbitrary<World> = fc.record({
  groups: fc.array(fc.uniqueArray(person, { maxLength: 3 }), { minLength: 1, maxLength: 1 }),
  communities: fc.array(
    fc.record({
      people: fc.array(role, { minLength: PEOPLE, maxLength: PEOPLE }),
      group: role,
      memberRole: fc.constantFrom<1 | 2 | 3 | 5 | null>(null, 3, 2, 5),
      commentsHidden: fc.boolean(),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  members: fc.array(fc.boolean(), { minLength: PEOPLE, maxLength: PEOPLE }),
  posts: fc.array(
    fc.record({
      community: fc.integer({ min: 0, max: 1 }),
      author: person,
      isPrivate: fc.boolean(),
      draft: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      deleted: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
      watcher: someone,
      watchingGroup: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      assignee: someone,
      assignedGroup: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      named: someone,
      invited: someone,
    }),
    { minLength: 14, maxLength: 14 },
  ),
});

const permissionsIn = (role: NonNullable<Role>): readonly CommunityPermission[] =>
  role in OWN ? OWN[role as keyof typeof OWN] : rolePermissions[role as 1];

/** The permissions of a person in a community by all roles that they or groups of theirs were given; null without a role. */
export function roleOf(model: World, who: number, community: number): ReadonlySet<CommunityPermission> | null {
  const place = model.communities[community]!;
  const given = [
    place.people[who]!,
    model.groups[0]!.includes(who) ? place.group : null,
    model.members[who] ? place.memberRole : null,
  ].filter((one) => one !== null);
  const all = given.flatMap(permissionsIn);
  return given.length === 0 ? null : new Set(all.flatMap((one) => [one, ...(impliedPermissions[one] ?? [])]));
}

/** The rule, in plain words of docs/decisions/people.md. */
export function sees(model: World, who: number, post: World['posts'][number]): boolean {
  const mine = roleOf(model, who, post.community);
  if (mine === null || post.deleted) return false;
  if (post.draft) return post.author === who;
  if ((!post.isPrivate && mine.has('readPublicPosts')) || mine.has('readAllPosts')) return true;
  const inGroup = model.groups[0]!.includes(who);
  return (
    post.author === who ||
    post.watcher === who ||
    (post.watchingGroup && inGroup) ||
    post.assignee === who ||
    (post.assignedGroup && inGroup) ||
    post.named === who ||
    post.invited === who
  );
}

/** The same of a group: its members can read the post by their membership alone. */
export function groupSees(model: World, post: World['posts'][number]): boolean {
  const role = model.communities[post.community]!.group;
  if (role === null || post.deleted) return false;
  const mine = permissionsIn(role);
  const sees = mine.includes('readAllPosts') || (!post.isPrivate && mine.includes('readPublicPosts'));
  return sees || post.watchingGroup || post.assignedGroup;
}

export interface Built {
  tenant: TestTenant;
  groupId: number;
  people: number[];
  communities: number[];
  posts: number[];
  tasks: (number | null)[];
  /** A view of each community, which filters nothing. */
  views: number[];
  /** A position of live changes before all posts. */
  beginning: string;
}

/** Makes the tenant of a model. Everything is written by its manager in the name of the authors, through the interface. */
export async function build(portal: TestPortal, model: World): Promise<Built> {
  const tenant = await portal.createTenant();
  const system = () => tenant.scope(tenant.systemUserId);
  const people: number[] = [];
  for (let index = 0; index < PEOPLE; index++) people.push(await tenant.createUser());
  const groupId = await writeTransaction(await system(), 'access', (write) =>
    createGroupRecord(write, { name: 'Group', memberIds: model.groups[0]!.map((who) => people[who]!) }),
  );
  const workspaceId = await createWorkspace(await system(), { name: 'Workspace' });
  const communities: number[] = [];
  const fields: number[] = [];
  for (const place of model.communities) {
    const id = await createCommunity(await system(), {
      workspaceId,
      name: `C${communities.length}`,
      workspaceMemberRole: place.memberRole,
      commentsHiddenFromReaders: place.commentsHidden,
      descriptionEnabled: 1,
      acknowledgeTaskEnabled: true,
    });
    communities.push(id);
    const field = await addField(
      await system(),
      { communityId: id },
      {
        type: 15,
        label: 'Also for',
        metadata: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
      },
    );
    fields.push(field.id);
    // Everybody is a manager while posts are created: other tests check the right to create posts.
    await setCommunityRole(await system(), id, people, 1);
  }
  const posts: number[] = [];
  const tasks: (number | null)[] = [];
  const send = async (who: number, method: string, path: string, body?: unknown) => {
    const answer = await tenant.request(people[who]!, method, `${API}${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const listener = await connectLive(portal, tenant, people[0]!);
  const beginning = listener.events[0]!.id!;
  listener.close();
  const views: number[] = [];
  for (const communityId of communities) {
    const body = { name: 'All', shared: true };
    views.push((await send(0, 'POST', `/views/manage/create-view/${communityId}`, body)).id);
  }
  for (const post of model.posts) {
    const communityId = communities[post.community]!;
    const isEvent = post.invited !== null;
    const common = {
      announcement: false,
      title: `Post ${posts.length}`,
      visibility: post.isPrivate ? 1 : 2,
      draft: post.draft,
      watcherUserIds: post.watcher === null ? [] : [people[post.watcher]],
    };
    const { postId } = isEvent
      ? await send(post.author, 'POST', `/posts/manage/create-event-post/${communityId}`, {
          ...common,
          watcherGroupIds: post.watchingGroup ? [groupId] : [],
          event: {
            startAt: { localDatetime: '2026-12-01T10:00:00' },
            timezone: 'UTC',
            invitations: { users: [{ id: people[post.invited!], typeId: 0 }], groups: [] },
          },
        })
      : await send(post.author, 'POST', `/posts/manage/create-post/${communityId}`, {
          ...common,
          ...(post.named !== null && { customData: { [String(fields[post.community])]: [people[post.named]] } }),
        });
    if (isEvent) post.named = null;
    else post.watchingGroup = false;
    let taskId: number | null = null;
    if (!post.draft && (post.assignee !== null || post.assignedGroup)) {
      // A task has one assignee: the person before the group.
      if (post.assignee !== null) post.assignedGroup = false;
      const assignee =
        post.assignee !== null ? { assigneeUserId: people[post.assignee] } : { assigneeGroupId: groupId };
      ({ taskId } = await send(post.author, 'POST', `/tasks/manage/create-task/${postId}`, {
        title: 'Task',
        expiration: { datetime: '2027-01-01T00:00:00', timezone: 'UTC' },
        ...assignee,
      }));
    } else {
      post.assignee = null;
      post.assignedGroup = false;
    }
    if (!post.draft) {
      await send(post.author, 'POST', `/posts/manage/create-comment/${postId}`, { comment: 'Hello', commentFormat: 2 });
      // Everybody can read it now, and is asked; some lose sight of it below.
      await send(post.author, 'POST', `/posts/manage/request-acknowledgements/${postId}`, { userIds: people });
    }
    if (post.deleted) await send(post.author, 'DELETE', `/posts/manage/delete-post/${postId}`);
    posts.push(postId);
    tasks.push(taskId);
  }
  await setWorkspaceMembers(
    await system(),
    workspaceId,
    people.flatMap((principal, who) => (model.members[who] ? [{ principal, roleId: null }] : [])),
  );
  const own = new Map<Role, number>();
  for (const [role, permissions] of Object.entries(OWN)) {
    const { id } = await createRole(await system(), { name: `Role ${role}`, permissions: [...permissions] });
    own.set(Number(role) as Role, id!);
  }
  const idOf = (role: Role) => own.get(role) ?? role;
  for (const [index, place] of model.communities.entries()) {
    for (const [who, given] of place.people.entries())
      await setCommunityRole(await system(), communities[index]!, [people[who]!], idOf(given));
    await setCommunityRole(await system(), communities[index]!, [-groupId], idOf(place.group));
  }
  return { tenant, groupId, people, communities, posts, tasks, views, beginning };
}
