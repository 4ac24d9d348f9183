import { ActionIcon } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { LogOut, Menu, User } from 'lucide-react';
import { useEffect, useState } from 'react';
import { portal, queries } from '../portal.ts';
import { useCommunities, useMe } from '../read.ts';
import { useTexts } from '../texts/index.ts';
import { NewPostButton } from '../write/new-post-button.tsx';

export function Sidebar() {
  const texts = useTexts();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const communities = useCommunities();
  const me = useMe().data?.userData;
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(() => setOpen(false), [pathname]);
  const signOut = async () => {
    await portal.signOut();
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <>
      <ActionIcon
        className="menu-button"
        variant="subtle"
        size={44}
        aria-label={texts.menu}
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} />
      </ActionIcon>
      <nav className="sidebar" aria-label={texts.communities} {...(!open && { 'data-closed': '' })}>
        <NewPostButton />
        <h2>{texts.communities}</h2>
        {communities.data?.length === 0 && <p className="muted">{texts.noCommunities}</p>}
        {communities.data?.map(({ id, name, colorCode }) => (
          <Link key={id} to="/community/$communityId" params={{ communityId: String(id) }}>
            <span className="dot" style={{ background: colorOf(colorCode) }} aria-hidden />
            <span className="clip">{name}</span>
          </Link>
        ))}
        <h2>{texts.account}</h2>
        <Link to="/me">
          <User size={16} aria-hidden />
          <span className="clip">{[me?.firstName, me?.lastName].filter(Boolean).join(' ')}</span>
        </Link>
        <button type="button" onClick={() => void signOut()}>
          <LogOut size={16} aria-hidden />
          {texts.signOut}
        </button>
      </nav>
    </>
  );
}

/** A colour that an administrator chose; anything but six hexadecimal digits is none. */
function colorOf(code: string | undefined): string {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(code ?? '') ?? [];
  return digits ? `#${digits}` : 'var(--portico-muted)';
}
