/**
 * Compiles `layout.mjml` to the HTML that mails of notifications are filled into: `npm run
 * mail:layout`. The result is in the repository, with the hash of its source: neither the service
 * nor its tests need MJML, which is fetched for this one step.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MJML = 'mjml@5.4.1';
const SOURCE = new URL('layout.mjml', import.meta.url);
const RESULT = new URL('../src/modules/notifications/mails/layout.html', import.meta.url);

const strict = ['--config.validationLevel', 'strict', '--config.minify', 'false'];
const html = execFileSync('npx', ['--yes', '-p', MJML, 'mjml', fileURLToPath(SOURCE), '-s', ...strict], {
  encoding: 'utf8',
});
const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex');
const lines = html.split('\n').map((line) => line.trim());
const text = lines.filter((line) => line !== '' && !line.startsWith('<!-- FILE:')).join('\n');
writeFileSync(RESULT, `<!-- ${MJML} of ${hash} -->\n${text}\n`);
