import './account.css';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/index.ts';
import { useAccountTexts } from './texts.ts';

/** The pages of the caller's own account; that of deleted posts is one of them. */
export function AccountTabs() {
  const account = useTexts().account;
  const texts = useAccountTexts();
  return (
    <nav className="tabs" aria-label={account}>
      <Link to="/me" activeOptions={{ exact: true }}>
        {texts.profile}
      </Link>
      <Link to="/me/security">{texts.security}</Link>
      <Link to="/me/notifications">{texts.notifications}</Link>
      <Link to="/me/tokens">{texts.tokens}</Link>
      <Link to="/deleted">{texts.deleted}</Link>
    </nav>
  );
}
