/** Limits of one user's unattached uploads: their number and bytes, also for parallel requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { form, formHead, formTail, formType, send } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/portal.ts';

const BEGIN = '/portal/api/core/storage/upload-new-attachment';
const KIB = 1_024;
const LIMIT = 256 * KIB;

let portal: TestPortal;
let tenant: TestTenant;
beforeAll(async () => {
  portal = await createTestPortal({
    env: {
      PORTICO_MAX_UPLOAD_BYTES: String(LIMIT),
      PORTICO_PENDING_UPLOADS: '8',
      PORTICO_PENDING_UPLOAD_BYTES: String(LIMIT),
    },
  });
  tenant = await portal.createTenant();
});
afterAll(() => portal.close());

const begin = (user: number) => tenant.request(user, 'POST', BEGIN);
const fieldsOf = async (user: number): Promise<Record<string, string>> => {
  const answer = await begin(user);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.uploadMultipartRequestBodyParams;
};
const post = (body: Buffer | AsyncIterable<Buffer>) =>
  send(`${portal.origin}/portal/storage/upload`, {
    method: 'POST',
    headers: {
      Host: tenant.host,
      'Content-Type': formType,
      ...(Buffer.isBuffer(body) && { 'Content-Length': String(body.length) }),
    },
    body,
  });
/** A body of undeclared length. */
async function* undeclared(fields: Record<string, string>, bytes: number): AsyncIterable<Buffer> {
  yield formHead(fields);
  for (let sent = 0; sent < bytes; sent += 16 * KIB) yield Buffer.alloc(Math.min(16 * KIB, bytes - sent));
  yield formTail;
}
const heldBytes = async () => {
  const [row] = await portal.services.databases
    .for(tenant.tenant.id)
    .query<{ held: number }>('SELECT sum(receiving)::bigint AS held FROM file_contents WHERE tenant_id = $1', [
      tenant.tenant.id,
    ]);
  return row?.held;
};

describe('uploads that nothing refers to', () => {
  it('are so many of one user at most, also begun at the same time', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const answers = await Promise.all(Array.from({ length: 15 }, () => begin(user)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(8).fill(200), ...Array(7).fill(429)]);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(refused.body.code).toBe('TOO_MANY_UPLOADS');
    expect(refused.body.message).toMatch(/8 uploads that nothing refers to, and may have 8; use their contentRef/);
    expect((await begin(other)).status).toBe(200);
    // Uploads whose form has expired do not count.
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE file_contents SET created_at = $3 WHERE tenant_id = $1 AND creator_id = $2', [
        tenant.tenant.id,
        user,
        new Date(Date.now() - 2 * 3_600_000),
      ]);
    expect((await begin(user)).status).toBe(200);
  });

  it.each(['declared', 'undeclared'])('take so many bytes at most, also sent at the same time: %s', async (kind) => {
    const user = await tenant.createUser();
    const forms = await Promise.all(Array.from({ length: 4 }, () => fieldsOf(user)));
    const size = 100 * KIB;
    const answers = await Promise.all(
      forms.map((fields) => post(kind === 'declared' ? form(fields, Buffer.alloc(size)) : undeclared(fields, size))),
    );
    const taken = answers.filter((answer) => answer.status === 204).length;
    // Bodies of undeclared length reserve more than they need while they arrive: fewer may pass.
    expect(taken).toBeLessThanOrEqual(2);
    if (kind === 'declared') expect(taken).toBe(2);
    for (const answer of answers.filter(({ status }) => status !== 204)) {
      expect([answer.status, answer.body.code]).toEqual([429, 'TOO_MANY_UPLOADS']);
      expect(answer.body.message).toContain(`may have ${LIMIT} bytes`);
    }
    expect(await heldBytes()).toBe(0);
    // Sent in sequence, the uploads fill the limit, and a smaller file fits in place of a rejected
    // one.
    for (let count = taken; count < 2; count++)
      expect((await post(undeclared(await fieldsOf(user), size))).status).toBe(204);
    const fields = await fieldsOf(user);
    expect((await post(undeclared(fields, size))).status).toBe(429);
    expect((await post(form(fields, Buffer.alloc(50 * KIB)))).status).toBe(204);
    // Other users have room of their own.
    expect((await post(form(await fieldsOf(await tenant.createUser()), Buffer.alloc(size)))).status).toBe(204);
  });

  it('do not count any more once something refers to them', async () => {
    const user = await tenant.createUser();
    for (let round = 0; round < 7; round++) {
      const { body } = await begin(user);
      expect((await post(form(body.uploadMultipartRequestBodyParams, Buffer.alloc(100 * KIB)))).status).toBe(204);
      await portal.services.databases
        .for(tenant.tenant.id)
        .execute('UPDATE file_contents SET attached_at = now() WHERE tenant_id = $1 AND content_ref = $2', [
          tenant.tenant.id,
          body.contentRef,
        ]);
    }
  });

  it('give back the room of a body that breaks', async () => {
    const user = await tenant.createUser();
    const fields = await fieldsOf(user);
    async function* broken(): AsyncIterable<Buffer> {
      yield formHead(fields);
      yield Buffer.alloc(100 * KIB);
      await expect.poll(heldBytes).toBeGreaterThan(0);
      throw new Error('the client went away');
    }
    await expect(post(broken())).rejects.toThrow('the client went away');
    await expect.poll(heldBytes).toBe(0);
    expect((await post(form(fields, Buffer.alloc(200 * KIB)))).status).toBe(204);
  });
});
