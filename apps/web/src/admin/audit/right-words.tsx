/** Rights, roles and members of a change in the words of the page. */
import { rightInWords } from '@portico/contract/audit-words';
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
  const { rights } = useAdminTexts();
  const { permissions } = useRolesTexts();
  const nouns = useNounTexts();
  const role = useRoleLabel();
  const words = { rights, permissions, user: nouns.one('user'), group: nouns.one('group'), role };
  const { holder, right: word } = rightInWords(right, words);
  return (
    <div>
      {holder !== undefined && <Holder right={right}>{holder}</Holder>}
      {holder !== undefined && word !== undefined && ': '}
      {word}
    </div>
  );
}

function Holder({ right: { userId, groupId }, children }: { right: Right; children: string }) {
  if (userId !== undefined)
    return (
      <Link to="/admin/user/$personId" params={{ personId: String(userId) }}>
        {children}
      </Link>
    );
  return (
    <Link to="/admin/group/$groupId" params={{ groupId: String(groupId) }}>
      {children}
    </Link>
  );
}
