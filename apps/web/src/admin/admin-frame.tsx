import '../write/write.css';
import './admin.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useRights } from '../shared-queries.ts';
import { FoundPeople, useFoundPeople } from './found-people.tsx';
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

/** Time without a key after which people and groups are searched for. Milliseconds. */
const PAUSE = 250;

/**
 * Links to the screens by heading. The search narrows them, and finds people and groups by name; Enter
 * opens the first result.
 */
function AdminNavigation() {
  const texts = useAdminTexts();
  const navigate = useNavigate();
  const rights = useRights().data ?? new Set();
  const [sought, setSought] = useState('');
  const [settled] = useDebouncedValue(sought.trim(), PAUSE);
  const screens = findScreens(adminSections(texts, rights), sought);
  const asked = useFoundPeople(settled, rights.has('manageUsers'));
  // Results are those of the words that stand in the field.
  const found = settled === sought.trim() ? asked.data : undefined;
  const nobody = (found?.people.length ?? 0) + (found?.groups.length ?? 0) === 0;
  const searching = sought.trim() !== '' && rights.has('manageUsers') && (settled !== sought.trim() || asked.isPending);
  const clear = () => setSought('');
  const open = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || sought.trim() === '') return;
    const [screen, person, group] = [screens[0]?.screens[0], found?.people[0], found?.groups[0]];
    if (!screen && !person && !group) return;
    clear();
    if (screen) void navigate({ to: screen.to });
    else if (person) void navigate({ to: '/admin/user/$personId', params: { personId: String(person.id) } });
    else void navigate({ to: '/admin/group/$groupId', params: { groupId: String(group!.id) } });
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
      {screens.length === 0 && nobody && !searching && !asked.isError && (
        <p className="muted" role="status">
          {texts.nothingFound}
        </p>
      )}
      {asked.isError && sought.trim() !== '' && (
        <p className="muted" role="alert">
          {texts.peopleNotSearched}
        </p>
      )}
      {found && <FoundPeople found={found} text={settled} onOpen={clear} />}
      {screens.map(({ title, screens: ofSection }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {ofSection.map(({ to, label, hint }) => (
            <Link key={to} to={to} onClick={clear}>
              <span>{label}</span>
              <span className="muted admin-nav-hint">{hint}</span>
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
}
