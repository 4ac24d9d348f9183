/** A plugin of bundlers that leaves out what programs of the client library do not need of the contract. */
import type { FieldTypeFacts } from '@portico/contract';

/**
 * The contract as far as programs of the client library need it: plain data without operations (the library has a table
 * of its own) and the texts of the interface, so that a page loads little of it and a bundler can leave out what is not
 * used.
 */
export const slimContract = {
  name: 'slim-contract',
  // Before Vite's own resolution, which finds the whole contract.
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === '@portico/contract' ? '\0contract' : null),
  load: async (id: string) => {
    if (id !== '\0contract') return null;
    const contract: Record<string, unknown> = await import('@portico/contract');
    const fieldTypes = Object.fromEntries(
      Object.entries(contract['fieldTypes'] as Record<string, FieldTypeFacts>).map(([type, facts]) => {
        const { schema, forms, example, metadataKeys, ...used } = facts;
        return [type, used];
      }),
    );
    const data = Object.entries({ ...contract, operations: undefined, fieldTypes }).filter(
      ([, value]) => value !== undefined && typeof value !== 'function',
    );
    const lines = data.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
    return `${lines.join('\n')}\n`;
  },
};
