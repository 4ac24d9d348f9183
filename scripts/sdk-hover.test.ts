/** The texts that an editor shows about the methods of the client library. */
import { operationList } from '@portico/contract';
import { expect, it } from 'vitest';
import { hoversOfMethods, partsOf } from './sdk-hover.ts';

it('are a readable signature and a sentence for every method', async () => {
  const hovers = await hoversOfMethods();
  expect(hovers.length).toBeGreaterThan(operationList.length);
  for (const { method, text } of hovers) {
    const { signature, sentences } = partsOf(text);
    expect(sentences, method).toMatch(/^[A-Z][^.]+\./);
    // Named types: an input is not spelt out as the operators that it is made of.
    expect(signature, method).not.toMatch(/\bFlat<|\bQueryOf<|\bParamsOf<|readonly \w+: "int64"/);
    expect(signature.length, method).toBeLessThan(400);
  }
});
