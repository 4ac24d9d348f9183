import { Outlet } from '@tanstack/react-router';
import { useMe } from '../shared-queries.ts';
import { AccountTabs } from './account-tabs.tsx';

/** The caller's own account: its pages below their name. */
export function AccountPage() {
  const me = useMe().data?.userData;
  return (
    <div className="post" style={{ gridTemplateColumns: 'minmax(0, 720px)' }}>
      <div>
        <h1>{[me?.firstName, me?.lastName].filter(Boolean).join(' ')}</h1>
        <AccountTabs />
        <Outlet />
      </div>
    </div>
  );
}
