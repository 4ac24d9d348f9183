/** Reads and saves the caller's profile. */
import { ConflictError, type Input } from '@portico/sdk';
import { portal, queryClient } from '../portal.ts';

export type ProfileChange = Omit<Input<'editMyProfile'>, 'occToken'>;

export const PROFILE = ['profile'];

export const readProfile = () => portal.auth.profile();

/**
 * Saves a part of the profile. If the profile changed meanwhile, the part is applied to the changed
 * profile.
 */
export async function saveProfile(change: ProfileChange): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { occToken } = await queryClient.fetchQuery({ queryKey: PROFILE, queryFn: readProfile, staleTime: 0 });
    try {
      await portal.auth.updateProfile({ ...change, occToken: occToken! });
      break;
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt > 2) throw error;
    }
  }
  await Promise.all([PROFILE, ['me']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
