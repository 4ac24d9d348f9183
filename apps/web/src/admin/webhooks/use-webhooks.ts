/** Webhooks as the screens read and write them. */
import type { Input, Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../../portal.ts';
import { useCommunities } from '../../shared-queries.ts';
import { useManagedCommunities } from '../service-accounts/edit-account.tsx';

/** A webhook with its settings and state. */
export type WebhookForm = Output<'getWebhookForEdit'>;

/** The settings that an edit replaces. */
export type WebhookSettings = Omit<Input<'editWebhook'>, 'webhookId' | 'address' | 'occToken'>;

/** Returns the present settings of a webhook; an edit with them starts a stopped one again. */
export function settingsOf(webhook: WebhookForm): WebhookSettings {
  const { name = '', events = [], communityIds = [], filter, contents, template, enabled = true } = webhook;
  return {
    name,
    events,
    communityIds,
    enabled,
    ...(filter && { filter }),
    ...(contents && { contents }),
    ...(template !== undefined && { template }),
  };
}

/** All service accounts. */
export const useServiceAccounts = () =>
  useQuery({
    queryKey: ['admin', 'accounts', 'all'],
    queryFn: async () => (await portal.serviceAccounts.list({ pageSize: 500 })).items ?? [],
  });

/** Ids and names of the communities that the caller manages or reads, by name. */
export function useNamedCommunities(): readonly { readonly id: number; readonly label: string }[] {
  const managed = useManagedCommunities().data ?? [];
  const read = useCommunities().data ?? [];
  const names = new Map([...read, ...managed].map(({ id, name = '' }) => [id!, name]));
  return [...names].map(([id, label]) => ({ id, label })).sort((a, b) => a.label.localeCompare(b.label));
}
