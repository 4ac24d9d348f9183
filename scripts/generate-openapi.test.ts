import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateOpenApi } from './generate-openapi.ts';
import { generateSources } from './generate-sources.ts';

describe('generated files', () => {
  it('are what the contract says now; `npm run generate` writes them', async () => {
    expect([...(await generateSources(true)), ...(await generateOpenApi(true))]).toEqual([]);
  });

  it('are JSON that ends with a line break', () => {
    const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(text).openapi).toBe('3.1.0');
    expect(text.endsWith('}\n')).toBe(true);
  });
});
