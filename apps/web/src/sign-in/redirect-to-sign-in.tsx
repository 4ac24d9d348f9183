import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../placeholders.tsx';

/**
 * Redirects to the sign-in, once.
 * @param page the page to return to
 */
export function RedirectToSignIn({ page }: { page?: string }) {
  const navigate = useNavigate();
  // The address changes on the way, so the first requested page is kept.
  const [wanted] = useState(page);
  useEffect(() => {
    void navigate({ to: '/sign-in', search: wanted === undefined ? {} : { page: wanted }, replace: true });
  }, [navigate, wanted]);
  return <Loading />;
}
