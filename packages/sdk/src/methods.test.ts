import { formerMethods, type OperationId, operationById, operationList } from '@portico/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { iteratorName, type MethodDomain, methodTable, PorticoClient } from './node.ts';
import { prefix, startWireServer, type WireServer } from './testing/wire-server.ts';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer();
});
afterAll(() => server.close());

const methods = Object.entries(methodTable).flatMap(([domain, table]) =>
  Object.entries<OperationId>(table).map(([method, id]) => ({ domain: domain as MethodDomain, method, id })),
);

it('has one method for every operation, in its domain', () => {
  expect(methods.map(({ id }) => id).sort()).toEqual(operationList.map(({ id }) => id).sort());
  for (const { domain, id } of methods) expect(operationById(id).domain, id).toBe(domain);
});

it.each(methods)('reaches $id by client.$domain.$method', async ({ domain, method, id }) => {
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { accessToken: 'x' } });
  const operation = operationById(id);
  const input = Object.fromEntries(Object.keys(operation.pathParams).map((name, index) => [name, 40 + index]));
  const group = client[domain] as unknown as Record<string, (input: object) => Promise<unknown>>;
  await group[method]?.(input);
  const sent = server.requests.at(-1);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]));
  expect(`${sent?.method} ${sent?.path.replace(prefix, '').replace(/^\/portal\/api/, '')}`).toBe(
    `${operation.method} ${path}`,
  );
  expect(sent?.headers['content-type']).toBe(operation.bodyless ? undefined : 'application/json');
  if (operation.paging === 'page') expect(group[iteratorName(method)]).toBeTypeOf('function');
});

it('takes former names of methods for one more version', async () => {
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { accessToken: 'x' } });
  const groups = client as unknown as Record<string, Record<string, unknown>>;
  for (const { part, method, present } of formerMethods()) {
    expect(groups[part]?.[method], `${part}.${method}`).toBeTypeOf('function');
    expect(groups[part]?.[method], `${part}.${method}`).toBe(groups[present.domain]?.[present.clientMethod]);
  }
  expect(groups['posts']?.['iterateWaiting']).toBe(client.inbox.iterate);
  expect(groups['posts']?.['exportWaiting']).toBe(client.inbox.export);
  expect([client.stream.follow, client.stream.live]).toEqual([client.changes.follow, client.changes.listen]);
});
