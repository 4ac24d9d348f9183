/** The example that takes an organisation from its first administrator to the erasure of a person, against real servers and a real browser. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const EXAMPLE = fileURLToPath(new URL('../examples/organisation.mjs', import.meta.url));

it('examples/organisation.mjs ends with a verified audit log', { timeout: 240_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, '--chromium']);
  expect(stdout).toContain('by a passkey that Chromium made');
  expect(stdout.match(/^\d+\..*$/gm)).toHaveLength(10);
  expect(stdout).toMatch(/Verified [1-9]\d* entries; 0 are not chained yet\.\n\s+Head: \d+:\S+\n$/);
});
