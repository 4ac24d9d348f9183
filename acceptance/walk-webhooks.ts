/** Operations on webhooks: one is created for real, so that its messages can be read. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';

const settings = { name: 'Acceptance', events: ['post.gone' as const] };

/** The webhook of the walk and its message; the first call creates them. */
export async function webhookOf({ client }: Walk, me: Json): Promise<{ webhookId: number; deliveryId: number }> {
  const { items: [found] = [] } = await client.webhooks.list({});
  const newWebhook = async () => {
    const { communities = [] } = await client.communities.list();
    // Nobody answers there: the message waits.
    const address = 'https://hooks.alveria.example/portico';
    return {
      ...settings,
      serviceAccountId: me.id,
      address,
      communityIds: communities.slice(0, 1).map(({ id }) => id!),
    };
  };
  const { webhookId } = found ?? (await client.webhooks.create(await newWebhook()));
  const { items: [message] = [] } = await client.webhooks.listDeliveries({ webhookId: webhookId! });
  const deliveryId = message?.id ?? (await client.webhooks.test({ webhookId: webhookId! })).deliveryId;
  return { webhookId: webhookId!, deliveryId: deliveryId! };
}

/** Walks the reads. */
export async function walkWebhookReads(walk: Walk, me: Json): Promise<void> {
  const params = await webhookOf(walk, me);
  const { webhookId } = params;
  await walk.items('listWebhooks', {});
  await walk.read('getWebhookForEdit', { params: { webhookId } });
  await walk.items('listWebhookDeliveries', { params: { webhookId } });
  await walk.read('getWebhookDelivery', { params });
}

/** Walks the writes. */
export async function walkWebhookWrites(walk: Walk, me: Json): Promise<void> {
  const { webhookId, deliveryId } = await webhookOf(walk, me);
  const params = { webhookId };
  const address = 'https://hooks.alveria.example/another';
  await walk.write('createWebhook', { body: { ...settings, serviceAccountId: me.id, address, signature: 'v1a' } });
  await walk.write('createWebhook', { body: { ...settings, serviceAccountId: me.id, address } });
  const chat = { form: 'slack' as const, template: '{{post}}' };
  // Not dry, so that its template can be read.
  const created = await walk.client.webhooks.create({ ...settings, ...chat, serviceAccountId: me.id, address });
  await walk.read('getWebhookForEdit', { params: { webhookId: created.webhookId! } });
  await walk.client.webhooks.delete({ webhookId: created.webhookId! });
  const { occToken } = await walk.read('getWebhookForEdit', { params });
  await walk.write('editWebhook', { params, body: { ...settings, contents: 'whole', occToken } });
  await walk.write('rotateWebhookSecret', { params, body: { overlapHours: 1 } });
  await walk.write('sendWebhookTest', { params });
  await walk.write('retryWebhookDelivery', { params: { webhookId, deliveryId } });
  const { fromNumber } = await walk.write('replayWebhook', { params, body: { fromNumber: await nextNumber(walk) } });
  if (fromNumber === undefined) walk.faults.push('replayWebhook does not say where it begins');
  await walk.write('deleteWebhook', { params });
}

/** Returns the number after the last change, from the refusal of a replay from zero. */
export async function nextNumber(walk: Walk): Promise<number> {
  const { webhookId } = (await walk.client.webhooks.list({})).items?.[0] ?? {};
  const { body } = await walk.call('replayWebhook', {
    params: { webhookId: webhookId! },
    query: { dryRun: true },
    body: { fromNumber: 0 },
  });
  return Number(/the last one is (\d+)/.exec(body?.message)?.[1]) + 1;
}
