/**
 * From any set of administrative rights no sequence of up to four operations leads outside it. The
 * attacker acts as every account that they control: their own, and accounts that they created or
 * whose credentials they changed. Every operation and verb about people and groups is a step.
 */
import { operationList } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadActor, writeTransaction } from '../../src/kernel/access/index.ts';
import { PorticoError } from '../../src/kernel/errors.ts';
import type { Scope } from '../../src/kernel/scope.ts';
import { setCommunityRole } from '../../src/modules/communities/index.ts';
import {
  createGroupRecord,
  createServiceAccount,
  createUserRecord,
  giveServiceAccountKey,
  printPasswordLink,
  setUserBlocked,
  signOutUser,
  updateUserRecord,
  withdrawServiceAccountKey,
} from '../../src/modules/people/index.ts';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { longForm } from '../support/long-form.ts';
import { archiveStep } from './archive-step.fixture.ts';
import { bulkSteps } from './bulk-steps.fixture.ts';
import { accountsOf, makeRightsWorld, nameOf, type RightsWorld, rightSets, within } from './rights.fixture.ts';
import { webhookSteps } from './webhook-steps.fixture.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal.close());

interface Attack {
  world: RightsWorld;
  /** Accounts that the attacker can act as. */
  controlled: Set<number>;
  actor: number;
  target: number;
  groupId: number;
  /** Makes names unique. */
  mark: string;
}

/** Writes that the server took. */
let written = 0;

/** An attempt. @returns accounts that the attacker controls once it has succeeded */
type Step = (attack: Attack) => Promise<number[]>;

async function sent(attack: Attack, method: string, path: string, body?: unknown): Promise<TestAnswer['body']> {
  const answer = await attack.world.request(attack.actor, method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500);
  if (method !== 'GET' && answer.status === 200) written += 1;
  return answer.status === 200 ? (answer.body ?? {}) : null;
}

/** A step that lets nobody sign in. */
function only(send: (attack: Attack) => Promise<unknown>): Step {
  return (attack) => send(attack).then(() => []);
}

/** A verb as the actor. @returns undefined when it was refused */
async function done<T>(attack: Attack, work: (scope: Scope) => Promise<T>): Promise<T | undefined> {
  try {
    const result = await work(await attack.world.tenant.scope(attack.actor));
    written += 1;
    return result;
  } catch (error) {
    if (error instanceof PorticoError && error.status < 500) return undefined;
    throw error;
  }
}

const user = ({ target }: Attack, rest = '') => `/manage/users/${target}${rest}`;
const form = (attack: Attack, path: string) => sent(attack, 'GET', path);

const RIGHTS = ['manageUsers', 'manageDigitalWorplace'] as const;
const GIVEN = [RIGHTS, [RIGHTS[0]], [RIGHTS[1]]].map((adminCapabilities) => ({ adminCapabilities }));

/** By operation of the interface. */
const operations: Record<string, Step> = {
  createUser: async (attack) => {
    const names = { firstname: 'Made', lastname: attack.mark };
    await sent(attack, 'POST', '/manage/users', { ...names, adminCapabilities: RIGHTS });
    const made = await sent(attack, 'POST', '/manage/users', {
      ...names,
      userCredentialsConfiguration: { google: { googleAccountId: `made-${attack.mark}`, enabled: true } },
    });
    return made ? [made.userId] : [];
  },
  importUsers: async (attack) => {
    const given = `firstname,lastname,adminCapabilities\nMade,${attack.mark},${RIGHTS.join(' ')}\n`;
    await sent(attack, 'POST', '/manage/users/import', { csv: given });
    const csv = `firstname,lastname,contactEmail\nMade,${attack.mark},imported-${attack.mark}@attack.example\n`;
    const made = await sent(attack, 'POST', '/manage/users/import', { csv });
    return (made?.rows ?? []).map(({ userId }: { userId: number }) => userId);
  },
  editUser: async (attack) => {
    const names = { firstname: 'E', lastname: 'E' };
    for (const rights of GIVEN) {
      const { contactEmail, occToken } = (await form(attack, user(attack, '/edit'))) ?? {};
      await sent(attack, 'PUT', user(attack), { ...names, contactEmail, occToken, ...rights });
    }
    const { occToken } = (await form(attack, user(attack, '/edit'))) ?? {};
    const contactEmail = `${attack.mark}@evil.test`;
    const body = { firstname: 'E', lastname: 'E', contactEmail, occToken };
    // The receiver of its mail can be let in by a link in it.
    return (await sent(attack, 'PUT', user(attack), body)) ? [attack.target] : [];
  },
  editUserCredentials: async (attack) => {
    const { occToken } = (await form(attack, user(attack, '/credentials/edit'))) ?? {};
    const google = { googleAccountId: `evil-${attack.mark}`, enabled: true };
    const body = { occToken, userCredentialsConfiguration: { google } };
    return (await sent(attack, 'PUT', user(attack, '/credentials'), body)) ? [attack.target] : [];
  },
  deleteUser: only((attack) => sent(attack, 'DELETE', user(attack))),
  blockUser: only((attack) => sent(attack, 'POST', user(attack, '/block'))),
  unblockUser: only((attack) => sent(attack, 'POST', user(attack, '/unblock'))),
  signOutUser: only((attack) => sent(attack, 'POST', user(attack, '/sign-out'))),
  ...bulkSteps(sent),
  removeUserTotp: only((attack) => sent(attack, 'POST', user(attack, '/remove-totp'))),
  eraseUser: only((attack) => sent(attack, 'POST', user(attack, '/erase'))),
  leaveUser: async (attack) => {
    const taken = { successorUserId: attack.actor, communityIds: [attack.world.communityId], everywhere: true };
    for (const more of [taken, { successorUserId: attack.actor }, {}])
      await sent(attack, 'POST', user(attack, '/leave'), { account: 'block', ...more });
    return [];
  },
  createServiceAccount: async (attack) => {
    const communityRoles = [{ communityId: attack.world.communityId, roleId: 1 }];
    for (const more of [{ adminCapabilities: RIGHTS }, { roleId: 1 }, { communityRoles }])
      await sent(attack, 'POST', '/manage/service-accounts', { name: attack.mark, ...more });
    const made = await sent(attack, 'POST', '/manage/service-accounts', { name: attack.mark });
    return made ? [made.userId] : [];
  },
  editServiceAccount: async (attack) => {
    const path = `/manage/service-accounts/${attack.target}`;
    const { occToken } = (await form(attack, path)) ?? {};
    const communityRoles = [{ communityId: attack.world.communityId, roleId: 1 }];
    for (const more of [{ adminCapabilities: RIGHTS }, { roleId: 1 }, { communityRoles }])
      await sent(attack, 'PUT', path, { name: attack.mark, occToken, ...more });
    return [];
  },
  createServiceAccountKey: async (attack) => {
    const made = await sent(attack, 'POST', `/manage/service-accounts/${attack.target}/keys`, {});
    return made ? [made.keyFile.client_id] : [];
  },
  revokeServiceAccountKey: async (attack) => {
    for (const key of attack.world.keys)
      await sent(attack, 'POST', `/manage/service-accounts/${attack.target}/keys/${key}/revoke`);
    return [];
  },
  ...{ ...webhookSteps(sent, form), importCommunityArchive: archiveStep(() => portal, done, sent) },
  createIdentityProvider: async (attack) => {
    const made = await sent(attack, 'POST', '/manage/identity-providers', {
      key: `p-${attack.mark}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-'),
      name: attack.mark,
      issuer: 'https://evil.test',
      clientId: 'evil',
      enabled: true,
      linkByVerifiedEmail: true,
      groupsClaim: 'groups',
      groupMappings: [{ value: 'evil', groupId: attack.groupId }],
    });
    // By a provider of one's own one signs in as anybody.
    return made ? [attack.target] : [];
  },
  editIdentityProvider: async (attack) => {
    const listed = await sent(attack, 'POST', '/data/identity-providers', {});
    const taken: number[] = [];
    for (const { identityProviderId } of listed?.items ?? []) {
      const path = `/manage/identity-providers/${identityProviderId}`;
      const { occToken } = (await form(attack, path)) ?? {};
      const change = { name: attack.mark, clientId: 'evil', linkByVerifiedEmail: true, enabled: true, occToken };
      if (await sent(attack, 'PUT', path, change)) taken.push(attack.target);
    }
    return taken;
  },
  deleteIdentityProvider: async (attack) => {
    const listed = await sent(attack, 'POST', '/data/identity-providers', {});
    for (const { identityProviderId } of listed?.items ?? [])
      await sent(attack, 'DELETE', `/manage/identity-providers/${identityProviderId}`);
    return [];
  },
  removeUserIdentity: async (attack) => {
    const { identities = [] } = (await form(attack, user(attack, '/identities'))) ?? {};
    for (const { identityProviderId } of identities)
      await sent(attack, 'POST', user(attack, `/identities/${identityProviderId}/remove`));
    return [];
  },
  inviteUser: only((attack) => sent(attack, 'POST', user(attack, '/invite'))),
  sendPasswordReset: only((attack) => sent(attack, 'POST', user(attack, '/reset-password'))),
  createGroup: only(async (attack) => {
    const memberIds = [attack.actor, attack.target];
    for (const rights of [...GIVEN, {}])
      await sent(attack, 'POST', '/manage/groups', { name: attack.mark, memberIds, ...rights });
  }),
  editGroup: async (attack) => {
    const path = `/manage/groups/${attack.groupId}`;
    const members = { visible: true, memberIds: [attack.actor, attack.target] };
    for (const more of [members, ...GIVEN]) {
      const { name, occToken } = (await form(attack, `${path}/edit`)) ?? {};
      await sent(attack, 'PUT', path, { name, occToken, ...more });
    }
    return [];
  },
  deleteGroup: only((attack) => sent(attack, 'DELETE', `/manage/groups/${attack.groupId}`)),
  editGroupMembers: async (attack) => {
    const { occToken } = (await form(attack, `/manage/groups/${attack.groupId}/edit`)) ?? {};
    const change = { id: attack.groupId, occToken, addUserIds: [...attack.controlled, attack.target] };
    await sent(attack, 'PUT', '/manage/groups/members', { groupMembers: [change] });
    return [];
  },
  editWorkspace: async (attack) => {
    const { workspaceId } = attack.world;
    const { occToken } = (await form(attack, `/manage/workspaces/${workspaceId}/edit`)) ?? {};
    await sent(attack, 'PUT', `/manage/workspaces/${workspaceId}/${occToken ?? 1}`, {
      name: 'W',
      addUserRoleAssociations: [{ userId: attack.actor, roleId: 1 }],
      addGroupRoleAssociations: [{ groupId: attack.groupId, roleId: 1 }],
    });
    return [];
  },
  applyCommunity: only(async (attack) => {
    const file = {
      version: 1,
      workspace: { key: attack.mark, name: attack.mark },
      community: { key: attack.mark, name: attack.mark, workspaceMemberRole: 'MANAGER' },
    };
    await sent(attack, 'POST', '/manage/community-plans', { file });
  }),
  createWorkspace: only((attack) => sent(attack, 'POST', '/manage/workspaces', { name: attack.mark })),
  deleteWorkspace: only((attack) => sent(attack, 'DELETE', `/manage/workspaces/${attack.world.workspaceId}`)),
  editTenantSettings: only(async (attack) => {
    const path = '/manage/tenant-settings';
    const { audiences, occToken } = (await form(attack, path)) ?? {};
    const settings = { defaultLanguage: 'en', defaultTimezone: 'UTC', corsOrigins: ['*'], loginDomains: [] };
    await sent(attack, 'PUT', path, { ...settings, audiences, occToken });
  }),
  editBranding: only(async (attack) => {
    const { occToken } = (await form(attack, '/manage/tenant-settings')) ?? {};
    await sent(attack, 'PUT', '/manage/branding', { signInNotice: attack.mark, occToken });
  }),
  createCommunity: async (attack) => {
    const { workspaceId } = attack.world;
    await sent(attack, 'POST', '/manage/communities', { workspaceId, name: attack.mark, workspaceMemberRoleId: 1 });
    return [];
  },
  editCommunity: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}`;
    const { occToken } = (await form(attack, path)) ?? {};
    await sent(attack, 'PUT', path, { name: attack.mark, workspaceMemberRoleId: 1, occToken });
    return [];
  },
  createPostField: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}/fields`;
    await sent(attack, 'POST', path, { label: attack.mark, type: 6 });
    return [];
  },
  editPostField: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}`;
    const { occToken } = (await form(attack, path)) ?? {};
    await sent(attack, 'PUT', `${path}/fields/1`, { label: attack.mark, occToken });
    return [];
  },
  createScreenField: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}/workflow/fields`;
    await sent(attack, 'POST', path, { label: attack.mark, type: 6 });
    return [];
  },
  editScreenField: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}`;
    const { occToken } = (await form(attack, path)) ?? {};
    await sent(attack, 'PUT', `${path}/workflow/fields/1`, { label: attack.mark, occToken });
    return [];
  },
  removeField: (attack) => onDefinition(attack, 'POST', 'definition-fields/1/remove', { onExisting: 'clear' }),
  changeFieldType: (attack) => onDefinition(attack, 'POST', 'definition-fields/1/type', { type: 9 }),
  restoreDefinitionVersion: (attack) => onDefinition(attack, 'POST', 'definition-versions/1/restore', {}),
  cancelDefinitionChange: (attack) => onDefinition(attack, 'DELETE', 'definition-changes/1'),
  editCommunityMembers: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}/members`;
    await sent(attack, 'PUT', path, { userRoles: [{ userId: attack.actor, roleId: 1 }] });
    return [];
  },
  editMembersEverywhere: only((attack) =>
    sent(attack, 'PUT', '/manage/members-everywhere', { userRoles: [{ userId: attack.actor, roleId: 1 }] }),
  ),
  createCommunityWorkflow: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}/workflow`;
    await sent(attack, 'POST', path, { title: attack.mark, states: [{ name: 'Open', initial: true }] });
    return [];
  },
  editCommunityWorkflow: async (attack) => {
    const path = `/manage/communities/${attack.world.communityId}/workflow`;
    const { occToken } = (await form(attack, path)) ?? {};
    const states = [{ name: attack.mark, initial: true }];
    await sent(attack, 'PUT', path, { states, transitions: [], onExisting: 'keep', occToken });
    return [];
  },
  archiveWorkspace: async (attack) => {
    for (const archived of [true, false])
      await sent(attack, 'PUT', `/manage/workspaces/${attack.world.workspaceId}/archived`, { archived });
    return [];
  },
  archiveCommunity: async (attack) => {
    await sent(attack, 'PUT', `/manage/communities/${attack.world.communityId}/archived`, { archived: true });
    await sent(attack, 'PUT', `/manage/communities/${attack.world.communityId}/archived`, { archived: false });
    return [];
  },
  moveCommunity: async (attack) => {
    const { workspaceId, communityId } = attack.world;
    await sent(attack, 'PUT', `/manage/communities/${communityId}/workspace`, { workspaceId });
    return [];
  },
  deleteCommunity: only((attack) => sent(attack, 'DELETE', `/manage/communities/${attack.world.communityId}`)),
};

/** A write on the definition of the community. */
async function onDefinition(attack: Attack, method: string, at: string, body?: object): Promise<never[]> {
  const path = `/manage/communities/${attack.world.communityId}`;
  const token = (await form(attack, path))?.occToken;
  return sent(attack, method, `${path}/${at}`, body && { ...body, occToken: token }).then(() => []);
}

/**
 * Catalogs, drafts, units and roles by themselves give nobody anything; the worker runs imports with the
 * rights of their starters; mails go to their addressees.
 */
const HARMLESS =
  /Catalog|CommunityDraft|PostTemplate|(delete|replay)Webhook|Webhook(Secret|Test|Delivery)|(Area|BusinessUnit|Role|Import|retryMail|discardMail|TestMail|UserSession)$/;

const all = { managesUsers: true, managesWorkplace: true };
/** By verb without an operation of its own. */
const verbs: Record<string, Step> = {
  makeAdministrator: async (attack) => {
    const record = { lastName: attack.mark, ...all };
    const made = await done(attack, (scope) =>
      writeTransaction(scope, 'access', (write) => createUserRecord(write, record)),
    );
    return made === undefined ? [] : [made];
  },
  giveRights: async (attack) => {
    await done(attack, (scope) =>
      writeTransaction(scope, 'access', (write) => updateUserRecord(write, attack.target, all)),
    );
    return [];
  },
  makeGroupOfAdministrators: async (attack) => {
    const record = { name: attack.mark, memberIds: [attack.actor], ...all };
    await done(attack, (scope) => writeTransaction(scope, 'access', (write) => createGroupRecord(write, record)));
    return [];
  },
  makeProgram: async (attack) => {
    const account = { name: attack.mark, admin: true };
    const made = await done(attack, (scope) =>
      writeTransaction(scope, 'access', (write) => createServiceAccount(write, account)),
    );
    return made === undefined ? [] : [made];
  },
  giveKey: async (attack) => {
    const key = await done(attack, (scope) => giveServiceAccountKey(scope, attack.target));
    return key ? [key.client_id] : [];
  },
  withdrawKey: async (attack) => {
    for (const key of attack.world.keys) await done(attack, (scope) => withdrawServiceAccountKey(scope, key));
    return [];
  },
  setPassword: async (attack) => {
    const patch = { customUsername: `evil-${attack.mark}`, customActive: true };
    const changed = await done(attack, (scope) =>
      writeTransaction(scope, 'access', (write) => updateUserRecord(write, attack.target, patch)).then(() => true),
    );
    return changed ? [attack.target] : [];
  },
  giveRole: async (attack) => {
    await done(attack, (scope) => setCommunityRole(scope, attack.world.communityId, [attack.actor], 1));
    return [];
  },
  blockByVerb: async (attack) => {
    await done(attack, (scope) => setUserBlocked(scope, attack.target, true));
    return [];
  },
  printLink: async (attack) => {
    const link = await done(attack, (scope) => printPasswordLink(scope, attack.target, 'password-reset'));
    return link ? [attack.target] : [];
  },
  signOutByVerb: async (attack) => {
    await done(attack, (scope) => signOutUser(scope, attack.target));
    return [];
  },
};

const steps = { ...operations, ...verbs };

test('every operation of administration that writes is among the steps', () => {
  const writes = operationList.filter(
    ({ kind, permission }) =>
      kind === 'write' &&
      [
        'manageUsers',
        'manageDigitalWorplace',
        'everyAdministrativeRight',
        'editCommunity',
        'applyCommunityFile',
      ].includes(permission),
  );
  const ids = writes.map(({ id }) => id).filter((id) => !HARMLESS.test(id));
  expect(Object.keys(operations).sort(), 'each is a step in this test, or HARMLESS matches it').toEqual(ids.sort());
});

const step = fc.record({
  name: fc.constantFrom(...Object.keys(steps)),
  actor: fc.nat(),
  target: fc.nat(),
  group: fc.nat(),
});
const attack = fc.record({
  rights: fc.constantFrom(...rightSets),
  byGroup: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});

const byUserManager = (name: string, group: number): [typeof attack extends fc.Arbitrary<infer T> ? T : never] => [
  { rights: ['manageUsers'], byGroup: false, steps: [{ name, actor: 0, target: 0, group }] },
];

test('no sequence of up to four operations leads outside the rights it began with', async () => {
  await fc.assert(
    fc.asyncProperty(attack, async ({ rights, byGroup, steps: chosen }) => {
      const world = await makeRightsWorld(portal);
      const own = (byGroup ? world.byGroup : world.direct)[nameOf(rights)]!;
      const controlled = new Set([own]);
      const targets = [
        ...Object.values(world.direct),
        ...Object.values(world.byGroup),
        ...world.programs,
        world.person,
      ];
      const { groupOfManagers, groupOfWorkspace, plainGroup, mixedGroups } = world;
      const groups = [...Object.values(world.groups), ...mixedGroups, groupOfManagers, groupOfWorkspace, plainGroup];
      const before = await accountsOf(world);
      const { db, actor: ownBefore } = await world.tenant.scope(own);
      for (const [index, { name, actor, target, group }] of chosen.entries()) {
        const able = [...controlled];
        const gained = await steps[name]!({
          world,
          controlled,
          actor: able[actor % able.length]!,
          target: targets[target % targets.length]!,
          groupId: groups[group % groups.length]!,
          mark: `${world.tenant.tenant.name}-${index}`,
        }).catch((error: unknown) => {
          // The account that acts was blocked, deleted or signed out by an earlier step.
          if (error instanceof PorticoError && error.status < 500) return [];
          throw error;
        });
        for (const id of gained) controlled.add(id);
      }
      const after = await accountsOf(world);
      const told = JSON.stringify(chosen.map(({ name }) => name));
      for (const id of controlled)
        expect(within(after.get(id)?.rights ?? [], rights), `controls an account with more: ${told}`).toBe(true);
      for (const account of after.values()) {
        const held = before.get(account.id)?.rights ?? [];
        const given = account.rights.filter((right) => !held.includes(right));
        expect(within(given, rights), `gave a right: ${told}`).toBe(true);
      }
      for (const account of before.values()) {
        if (within(account.rights, rights)) continue;
        const { guarded, rights: held = [] } = after.get(account.id) ?? {};
        expect(guarded, `acted on a holder: ${told}`).toBe(account.guarded);
        // A right that the actor holds may be given to everybody; given rights are checked above.
        expect(within(account.rights, held), `took a right of a holder: ${told}`).toBe(true);
      }
      if (!rights.includes('manageDigitalWorplace')) {
        const ownAfter = await loadActor(db, own);
        for (const [communityId, role] of ownAfter?.roles ?? [])
          expect(ownBefore.roles.get(communityId) ?? 9, `took a role: ${told}`).toBeLessThanOrEqual(role);
      }
    }),
    {
      numRuns: longForm ? 500 : 25,
      examples: [
        // A step that succeeds, whatever is drawn.
        byUserManager('createUser', 0),
        // Group 3 gives both rights, group 4 gives manageUsers to a holder of the other right: an
        // actor who lacks one takes neither.
        byUserManager('editGroup', 3),
        byUserManager('deleteGroup', 4),
      ],
    },
  );
  // Otherwise nothing was tried that could have gone wrong.
  expect(written).toBeGreaterThan(0);
}, 900_000);
