/** An attack by the archive of a community, whose definition gives a group a role. */
import type { Scope } from '../../src/kernel/scope.ts';
import { smallArchive, uploadArchive } from '../support/community-archive.ts';
import type { TestPortal } from '../support/index.ts';

/** @param done does work as the attacker @param sent sends a request of the attacker */
export function archiveStep<A extends { readonly mark: string; readonly target: number }>(
  portal: () => TestPortal,
  done: (attack: A, work: (scope: Scope) => Promise<string>) => Promise<string | undefined>,
  sent: (attack: A, method: string, path: string, body: object) => Promise<unknown>,
) {
  return async (attack: A): Promise<number[]> => {
    const archive = await smallArchive(attack.mark, { groupRoles: [{ group: attack.mark, role: 'MANAGER' }] });
    const contentRef = await done(attack, (scope) => uploadArchive(portal(), scope, archive));
    const people = [{ key: 'p1', userId: attack.target }];
    await sent(attack, 'POST', '/manage/community-archives', { contentRef, people });
    return [];
  };
}
