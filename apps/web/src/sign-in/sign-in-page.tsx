import { useRouter, useSearch } from '@tanstack/react-router';
import { queryClient } from '../portal.ts';
import { useTexts } from '../texts/index.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The page of the sign-in. */
export function SignInPage() {
  const texts = useTexts();
  const router = useRouter();
  const search = useSearch({ from: '/sign-in' });
  const enter = () => {
    queryClient.clear();
    return router.navigate({ href: `/portal${search.page ?? '/'}`, replace: true });
  };
  return (
    <SignInForm
      title={texts.signIn}
      intro={search.ended ? texts.sessionEndedWhy : undefined}
      user={search.user}
      page={search.page}
      failed={search.error !== undefined}
      enter={enter}
    />
  );
}
