import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../placeholders.tsx';

/** Leads to the sign-in, once. @param page where to go afterwards */
export function RedirectToSignIn({ page }: { page?: string }) {
  const navigate = useNavigate();
  // The address changes on the way: what was asked for is kept.
  const [wanted] = useState(page);
  useEffect(() => {
    void navigate({ to: '/sign-in', search: wanted === undefined ? {} : { page: wanted }, replace: true });
  }, [navigate, wanted]);
  return <Loading />;
}
