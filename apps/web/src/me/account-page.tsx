import './me.css';
import { Link, Outlet } from '@tanstack/react-router';
import { useMe } from '../read.ts';
import { useTexts } from '../texts/index.ts';
import { useAccountTexts } from './texts.ts';

/** The caller's own account: its pages below their name. */
export function AccountPage() {
  const account = useTexts().account;
  const texts = useAccountTexts();
  const me = useMe().data?.userData;
  return (
    <div className="post" style={{ gridTemplateColumns: 'minmax(0, 720px)' }}>
      <div>
        <h1>{[me?.firstName, me?.lastName].filter(Boolean).join(' ')}</h1>
        <nav className="tabs" aria-label={account}>
          <Link to="/me" activeOptions={{ exact: true }}>
            {texts.profile}
          </Link>
          <Link to="/me/security">{texts.security}</Link>
          <Link to="/me/notifications">{texts.notifications}</Link>
          <Link to="/me/tokens">{texts.tokens}</Link>
          <Link to="/deleted">{texts.deleted}</Link>
        </nav>
        <Outlet />
      </div>
    </div>
  );
}
