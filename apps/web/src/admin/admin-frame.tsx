import '../write/write.css';
import './admin.css';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useRights } from '../shared-queries.ts';
import { adminSections, findScreens } from './screens.ts';
import { useAdminTexts } from './texts.ts';

/** The frame of every screen of the administration: its navigation, and a search over its screens. */
export function AdminFrame() {
  const texts = useAdminTexts();
  const { pathname } = useLocation();
  const overview = pathname.replace(/\/$/, '') === '/admin';
  return (
    <div className="admin" {...(overview && { 'data-overview': '' })}>
      <AdminNavigation />
      <div className="admin-screen">
        {!overview && (
          <Link to="/admin" className="admin-back">
            <ChevronLeft size={14} aria-hidden className="mirrored" /> {texts.administration}
          </Link>
        )}
        <Outlet />
      </div>
    </div>
  );
}

/** Links to the screens by heading. The search narrows them; Enter opens the first. */
function AdminNavigation() {
  const texts = useAdminTexts();
  const navigate = useNavigate();
  const rights = useRights().data ?? new Set();
  const [sought, setSought] = useState('');
  const found = findScreens(adminSections(texts, rights), sought);
  const open = (event: KeyboardEvent) => {
    const first = found[0]?.screens[0];
    if (event.key !== 'Enter' || sought.trim() === '' || !first) return;
    setSought('');
    void navigate({ to: first.to });
  };
  return (
    <nav className="admin-nav" aria-label={texts.administration}>
      <input
        type="search"
        className="field"
        aria-label={texts.find}
        placeholder={texts.find}
        value={sought}
        onChange={({ currentTarget: { value } }) => setSought(value)}
        onKeyDown={open}
      />
      {found.length === 0 && (
        <p className="muted" role="status">
          {texts.nothingFound}
        </p>
      )}
      {found.map(({ title, screens }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {screens.map(({ to, label, hint }) => (
            <Link key={to} to={to} onClick={() => setSought('')}>
              <span>{label}</span>
              <span className="muted admin-nav-hint">{hint}</span>
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
}
