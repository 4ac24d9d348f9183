import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { withOperator } from '../operator.ts';

/** `portico admin encryption …`: the keys that encrypt secrets in the database. */
export function encryptionCommand(program: Command): void {
  const encryption = program
    .command('encryption')
    .description('Replace the key that encrypts secrets in the database (operator)');
  encryption
    .command('rotate')
    .summary('Encrypt all secrets with the newest key')
    .description(
      'Encrypt all secrets in the database with the first key of PORTICO_ENCRYPTION_KEYS, and ' +
        'print the number of secrets that still use each other key: an unused key can be ' +
        'removed. Run it when every node has the new key first.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin encryption rotate\n  $ PORTICO_ENCRYPTION_KEYS_FILE=/etc/portico/encryption-keys portico admin encryption rotate',
    )
    .action(async () => {
      const { changed, keys } = await withOperator((session) => session.encryptAnew());
      process.stdout.write(`Encrypted ${count(changed)} with the newest key.\n`);
      for (const [index, { id, secrets }] of keys.entries()) {
        const older = secrets === 0 ? ': remove it from the configuration' : '';
        const advice = index === 0 ? ', the newest' : older;
        process.stdout.write(`${count(secrets)} ${secrets === 1 ? 'needs' : 'need'} the key ${id}${advice}.\n`);
      }
    });
  encryption
    .command('replace-lost')
    .summary('Replace the secrets of a lost key')
    .description(
      'Replace every secret that no key in PORTICO_ENCRYPTION_KEYS decrypts. In the affected ' +
        'tenants everybody must sign in again, links to files and positions in change streams ' +
        'become void, links in waiting mails are lost, authenticator apps must be set up again, ' +
        'and identity providers with a client secret are disabled.',
    )
    .option('--yes', 'confirm: signatures of the lost secrets cannot be restored', false)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin encryption replace-lost --yes\n  $ PORTICO_ENCRYPTION_KEYS_FILE=/etc/portico/encryption-keys portico admin encryption replace-lost --yes',
    )
    .action(async ({ yes }: { yes: boolean }) => {
      if (!yes) throw new UsageError('This voids everything that the lost secrets signed. Add --yes to continue.');
      const { tenants, mails, authenticatorApps, identityProviders, webhooks, browsers } = await withOperator(
        (session) => session.replaceLostSecrets(),
        process.env,
        { lostKeys: true },
      );
      const names = tenants.length > 0 ? ` (${tenants.join(', ')})` : '';
      process.stdout.write(
        tenants.length + mails + authenticatorApps + identityProviders + webhooks + browsers === 0
          ? 'No secret needs a key that is not configured.\n'
          : `Replaced the keys of ${count(tenants.length, 'tenant')}${names}, gave up ${count(mails, 'mail')}, removed ${count(authenticatorApps, 'authenticator app')}, disabled ${count(identityProviders, 'identity provider')}, stopped ${count(webhooks, 'webhook')}, ended notifications of ${count(browsers, 'browser')}.\n`,
      );
    });
}

const count = (number: number, noun = 'secret') => `${number} ${noun}${number === 1 ? '' : 's'}`;
