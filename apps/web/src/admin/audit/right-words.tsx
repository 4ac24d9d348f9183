/** Rights, roles and members of a change in the words of the page. */
import type { Output } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { useNounTexts } from '../nouns.ts';
import { useRolesTexts } from '../roles/texts.ts';
import { useRoleLabel } from '../roles/use-roles.ts';
import { useAdminTexts } from '../texts.ts';

type Entry = NonNullable<Output<'listAuditEntries'>['items']>[number];
type Right = NonNullable<NonNullable<Entry['changes']>[number]['afterRights']>[number];

/** Names each right on a line. */
export function RightWords({ rights }: { rights: readonly Right[] }) {
  const texts = useAdminTexts();
  if (rights.length === 0) return texts.none;
  // biome-ignore lint/suspicious/noArrayIndexKey: the list of an entry never changes
  return rights.map((right, at) => <RightWord key={at} right={right} />);
}

function RightWord({ right }: { right: Right }) {
  const texts = useAdminTexts();
  const { permissions } = useRolesTexts();
  const roleLabel = useRoleLabel();
  const { adminCapability, permission, roleId, roleName } = right;
  const role = roleId === undefined ? undefined : roleLabel(roleId, roleName);
  const word =
    (adminCapability !== undefined && texts.rights[adminCapability as keyof typeof texts.rights]) ||
    (permission !== undefined && permissions[permission as keyof typeof permissions]) ||
    role;
  const held = right.userId !== undefined || right.groupId !== undefined;
  return (
    <div>
      {held && <Holder right={right} />}
      {held && word !== undefined && ': '}
      {word}
    </div>
  );
}

function Holder({ right: { userId, groupId, holderName } }: { right: Right }) {
  const nouns = useNounTexts();
  if (userId !== undefined)
    return (
      <Link to="/admin/user/$personId" params={{ personId: String(userId) }}>
        {holderName || `${nouns.one('user')} #${userId}`}
      </Link>
    );
  return (
    <Link to="/admin/group/$groupId" params={{ groupId: String(groupId) }}>
      {nouns.one('group')} {holderName || `#${groupId}`}
    </Link>
  );
}
