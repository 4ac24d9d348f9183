/** Changes of the audit log in words. */
import { expect, test } from 'vitest';
import { auditChangeInWords, permissionWords, rightWords } from './audit-words.ts';
import { AdminCapability } from './codes/codes.ts';
import { communityPermissions } from './codes/permissions.ts';

test('a change names rights, permissions, roles and members', () => {
  expect(
    auditChangeInWords({
      field: 'adminCapabilities',
      before: '{}',
      beforeRights: [],
      afterRights: [{ adminCapability: 'manageUsers' }],
    }),
  ).toBe('adminCapabilities: none → Manages people');
  expect(
    auditChangeInWords({
      field: 'roles',
      beforeRights: [{ userId: 7, holderName: 'Bo Bianchi', roleId: 2, roleName: 'contributor' }, { userId: 8 }],
      after: '[]',
      afterRights: [
        { groupId: 3, holderName: 'Staff', roleId: 1001 },
        { groupId: 4, roleId: 1, roleName: 'manager' },
      ],
    }),
  ).toBe('roles: Bo Bianchi: contributor, user #8 → group Staff: role #1001, group #4: manager');
  expect(auditChangeInWords({ field: 'permissions', afterRights: [{ permission: 'pinPosts' }] })).toBe(
    'permissions: none → Pin posts',
  );
});

test('other values stay as the log has them', () => {
  expect(auditChangeInWords({ field: 'lastname', before: '"Rossi"' })).toBe('lastname: "Rossi" → none');
});

test('every right and permission has words', () => {
  expect(Object.keys(rightWords).sort()).toEqual(Object.values(AdminCapability).sort());
  expect(Object.keys(permissionWords)).toEqual(communityPermissions.map(({ name }) => name));
});
