/** Many people write posts while the definition of their community changes. */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChangingPortal, createChangingPortal, POSTS } from './definition-changes.fixture.ts';

let portal: ChangingPortal['portal'];
let tenant: ChangingPortal['tenant'];
let admin: number;
let ask: ChangingPortal['ask'];
let work: ChangingPortal['work'];
let purchasing: ChangingPortal['purchasing'];

beforeAll(async () => {
  ({ portal, tenant, admin, ask, work, purchasing } = await createChangingPortal());
});
afterAll(() => portal?.close());

test('sixteen writers lose no value while the definition changes five times, and goes back once', async () => {
  const { path, token, field, post, fill, communityId } = await purchasing();
  const code = await field('Code', FieldType.STRING, { externalId: 'code', searchable: false });
  const kind = await field('Kind', FieldType.ENUM, {
    externalId: 'kind',
    enumValues: ['Red', 'Blue', 'Green'].map((label) => ({ label })),
  });
  const note = await field('Note', FieldType.STRING, { externalId: 'note' });
  const states = [
    { name: 'New', initial: true },
    { name: 'Open', initial: true },
  ];
  const { stateIds } = await ask('POST', `${path}/workflow`, { title: 'Orders', states });
  await fill(await post({ [code.id]: 'first', [kind.id]: kind.values[1] }));
  let ended = false;
  const written = new Map<number, string>();
  const known = async () => {
    const at = `/portal/api/communication/settings/communities/${communityId}/post-definition`;
    const { body } = await tenant.request(admin, 'GET', at);
    return new Map<string, { id: number; enumValues?: { id: number; deleted: boolean }[] }>(
      body.fieldDefinitions.map((one: { externalId: string }) => [one.externalId, one]),
    );
  };
  const send = async (
    method: string,
    at: string,
    label: string,
  ): Promise<Awaited<ReturnType<typeof tenant.request>>> => {
    for (;;) {
      const fields = await known();
      const choice = fields.get('kind')!;
      const chosen = choice.enumValues!.find(({ deleted }) => !deleted)!.id;
      const customData = { [fields.get('code')!.id]: label, [choice.id]: chosen };
      const kept = method === 'POST' ? { announcement: false } : {};
      const body = { title: 'Order', description: 'Text', descriptionFormat: 2, ...kept, customData };
      const answer = await tenant.request(admin, method, at, body);
      // The definition changed meanwhile: with the present one the write is accepted.
      const codes = (answer.body.validationErrors?.list ?? []).map((error: { code: string }) => error.code);
      if (answer.status === 503) continue;
      if (answer.status === 200 || codes.length === 0) return answer;
      expect(['UNKNOWN_FIELD', 'UNKNOWN_REFERENCE', 'INVALID_VALUE'], answer.text).toEqual(
        expect.arrayContaining(codes),
      );
    }
  };
  const writer = async (name: number) => {
    for (let n = 0; !ended && n < 6; n++) {
      const made = await send('POST', `${POSTS}/manage/create-post/${communityId}`, `${name}-${n}`);
      expect(made.status, made.text).toBe(200);
      const { postId, nextOccToken } = made.body;
      const edited = await send(
        'PUT',
        `${POSTS}/manage/edit-post/${postId}/${nextOccToken ?? 1}`,
        `${name}-${n} edited`,
      );
      expect(edited.status, edited.text).toBe(200);
      written.set(postId, `${name}-${n} edited`);
    }
  };
  const changed = async ({ changeId }: { changeId?: number }) => {
    await work();
    const { changes } = await ask('GET', `${path}/definition-changes`);
    const change = changes.find(({ id }: { id: number }) => id === changeId);
    expect(change?.status ?? 'finished', JSON.stringify(change)).toBe('finished');
  };
  const changes = async () => {
    const [red, blue, green] = kind.values as [number, number, number];
    const valueMapping = [{ fromId: red, toId: blue }];
    const enumValues = [
      { id: blue, label: 'Blue' },
      { id: green, label: 'Green' },
    ];
    const merge = { label: 'Kind', externalId: 'kind', enumValues, onExisting: 'map', valueMapping };
    await changed(await ask('PUT', `${path}/fields/${kind.id}`, { ...merge, occToken: await token() }));
    const before = await token();
    const retype = async (id: number, to: FieldType) => {
      const made = await ask('POST', `${path}/definition-fields/${id}/type`, { type: to, occToken: await token() });
      await changed(made);
      return made.fieldId as number;
    };
    await retype(code.id, FieldType.TEXT_AREA);
    await changed(await ask('POST', `${path}/definition-versions/${before}/restore`, { occToken: await token() }));
    const text = await retype(code.id, FieldType.TEXT_AREA);
    await changed(await ask('POST', `${path}/definition-fields/${note.id}/remove`, { occToken: await token() }));
    const {
      screenFields: _fields,
      states: [, open],
      ...form
    } = await ask('GET', `${path}/workflow`);
    const stateMapping = [{ fromStateId: stateIds[0], to: 'Open' }];
    await changed(await ask('PUT', `${path}/workflow`, { ...form, states: [open], onExisting: 'map', stateMapping }));
    const index = { label: 'Code', externalId: 'code', searchable: true, occToken: await token() };
    await changed(await ask('PUT', `${path}/fields/${text}`, index));
    ended = true;
    return text;
  };
  const [text] = await Promise.all([changes(), ...Array.from({ length: 16 }, (_, name) => writer(name))]);
  await work();
  const { db } = await tenant.scope(admin);
  const rows = await db.query<{ id: number; code: string | null; indexed: boolean; state: number; red: boolean }>(
    `SELECT p.id, p.custom_data ->> $3::text AS code, t.norm IS NOT NULL AS indexed, p.state_id AS state, p.custom_data -> $4::text = to_jsonb($5::bigint) AS red
       FROM posts p LEFT JOIN post_texts t ON t.tenant_id = p.tenant_id AND t.post_id = p.id AND t.field_id = $3::text::bigint
      WHERE p.tenant_id = $1 AND p.community_id = $2`,
    [db.tenantId, communityId, String(text), String(kind.id), kind.values[0]],
  );
  const held = new Map(rows.map(({ id, code: value }) => [id, value]));
  expect([...written].filter(([id, value]) => held.get(id) !== value)).toEqual([]);
  expect(written.size).toBeGreaterThan(16);
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set([stateIds[1]]));
  expect(rows.filter(({ red, code: value, indexed }) => red || (value !== null && !indexed))).toEqual([]);
});
