import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../placeholders.tsx';
import { lastAccount } from '../session/session.ts';

/**
 * Redirects to the sign-in, once.
 * @param page the page to return to
 */
export function RedirectToSignIn({ page }: { page?: string }) {
  const navigate = useNavigate();
  // The address changes on the way, so the first requested page is kept.
  const [wanted] = useState(page);
  useEffect(() => {
    const search = {
      ...(wanted !== undefined && { page: wanted }),
      ...(lastAccount() !== 0 && { ended: true as const }),
    };
    void navigate({ to: '/sign-in', search, replace: true });
  }, [navigate, wanted]);
  return <Loading />;
}
