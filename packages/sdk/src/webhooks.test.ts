/** Verification of webhooks, against the public library and Node.js as signers. */
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { WebhookVerificationError, webhooks } from './webhooks.ts';

const NOW = 1_800_000_000_000;
const now = () => NOW;
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const secret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
const id = fc.stringMatching(/^msg_[A-Za-z0-9]{1,30}$/);
const message = fc.record({ type: fc.constantFrom('post.created', 'post.gone'), data: fc.object() });

function signed(key: string, messageId: string, body: string, at = NOW) {
  return {
    'webhook-id': messageId,
    'Webhook-Timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(key).sign(messageId, new Date(at), body),
  };
}

test('what the public library signs is accepted, also beside another signature and key', async () => {
  await fc.assert(
    fc.asyncProperty(secret, secret, id, message, async (key, other, messageId, content) => {
      const body = JSON.stringify(content);
      const headers = signed(key, messageId, body);
      const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
      expect(await webhooks.verify(body, headers, key, { now })).toEqual(JSON.parse(body));
      expect(await webhooks.verify(body, headers, `${key}\r\n`, { now })).toEqual(JSON.parse(body));
      expect(await webhooks.verify(Buffer.from(body), new Headers(both), [other, key], { now })).toEqual(
        JSON.parse(body),
      );
    }),
    { numRuns: 25 },
  );
});

test('a message that was altered, signed by another key, or sent at another time is refused', async () => {
  await fc.assert(
    fc.asyncProperty(secret, secret, id, message, async (key, other, messageId, content) => {
      fc.pre(key !== other);
      const body = JSON.stringify(content);
      const headers = signed(key, messageId, body);
      const refused = [
        () => webhooks.verify(`${body} `, headers, key, { now }),
        () => webhooks.verify(body, { ...headers, 'webhook-id': `${messageId}x` }, key, { now }),
        () => webhooks.verify(body, headers, other, { now }),
        () => webhooks.verify(body, signed(key, messageId, body, NOW - 301_000), key, { now }),
        () => webhooks.verify(body, signed(key, messageId, body, NOW + 301_000), key, { now }),
        () => webhooks.verify(body, { ...headers, 'webhook-signature': undefined }, key, { now }),
      ];
      for (const one of refused) await expect(one()).rejects.toBeInstanceOf(WebhookVerificationError);
    }),
    { numRuns: 15 },
  );
});

test('ed25519 is verified by the public key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url').toString('base64')}`;
  const body = '{"type":"webhook.test","data":{}}';
  const timestamp = String(NOW / 1000);
  const signature = sign(null, Buffer.from(`msg_1.${timestamp}.${body}`), privateKey).toString('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature} v1a,${signature}`,
  };
  expect(await webhooks.verify(body, headers, key, { now })).toMatchObject({ type: 'webhook.test' });
  await expect(webhooks.verify(`${body} `, headers, key, { now })).rejects.toBeInstanceOf(WebhookVerificationError);
  await expect(webhooks.verify(body, headers, 'secret', { now })).rejects.toBeInstanceOf(WebhookVerificationError);
});
