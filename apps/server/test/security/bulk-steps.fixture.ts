/** Attacks by changes of many accounts at once. */

interface Attack {
  readonly controlled: ReadonlySet<number>;
  readonly target: number;
  readonly groupId: number;
}

/** Returns the steps by operation, by which no account is gained. @param sent sends a request */
export function bulkSteps<A extends Attack>(
  sent: (attack: A, method: string, path: string, body?: object) => Promise<unknown>,
) {
  return {
    changeUsers: async (attack: A): Promise<number[]> => {
      const userIds = [...attack.controlled, attack.target];
      const groupIds = [attack.groupId];
      const changes = [{ blocked: true }, { signOut: true }, { addGroupIds: groupIds }, { deleteGroupIds: groupIds }];
      for (const change of [...changes, { blocked: false }])
        await sent(attack, 'POST', '/manage/users/change', { userIds, ...change });
      return [];
    },
  };
}
