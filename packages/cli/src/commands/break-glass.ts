import type { Command } from 'commander';
import { withOperator } from '../operator.ts';

/** `portico admin break-glass …`: the administrator who gets in when nobody else does. */
export function breakGlassCommand(program: Command): void {
  const group = program
    .command('break-glass')
    .description('The administrator who signs in with password and code when no identity provider does (operator)');
  const verb = (name: string, summary: string, description: string, examples: string) =>
    group
      .command(name)
      .summary(summary)
      .description(description)
      .requiredOption('--tenant <name>', 'the tenant')
      .addHelpText('after', `\nExamples:\n${examples}`);
  verb(
    'create',
    'Create it, or replace its secrets',
    'Create the break-glass administrator of a tenant. If there is one, replace its user name, password, authenticator app and recovery codes and end its sign-ins. The secrets are printed once: keep them in a safe, the password apart from the others.',
    '  $ portico admin break-glass create --tenant acme\n  $ portico admin break-glass create --tenant acme > /dev/tty',
  ).action(async ({ tenant }: { tenant: string }) => {
    const made = await withOperator(async (session) => (await session.breakGlass(tenant)).create());
    process.stdout.write(
      `User name: ${made.username}\nPassword: ${made.password}\nAuthenticator app: ${made.totpSecret}\n  ${made.totpUri}\nRecovery codes: ${made.recoveryCodes.join(' ')}\n`,
    );
  });
  verb(
    'show',
    'Show it and its sign-ins',
    'Show whether a tenant has a break-glass administrator, when its password was set, and its last sign-ins. No secret is shown.',
    '  $ portico admin break-glass show --tenant acme\n  $ watch portico admin break-glass show --tenant acme',
  ).action(async ({ tenant }: { tenant: string }) => {
    const account = await withOperator(async (session) => (await session.breakGlass(tenant)).read());
    const time = (at: number) => new Date(at).toISOString();
    if (!account) {
      process.stdout.write(`The tenant ${tenant} has no break-glass administrator.\n`);
      return;
    }
    const state = account.withdrawn ? 'withdrawn' : `password of ${time(account.renewedAt)}`;
    process.stdout.write(
      `User name: ${account.username} (user ${account.userId}), ${state}, ${account.recoveryCodesLeft} recovery codes left\n`,
    );
    if (account.signIns.length === 0) process.stdout.write('It has not been used.\n');
    for (const { at, address } of account.signIns)
      process.stdout.write(`Signed in ${time(at)}${address === null ? '' : ` from ${address}`}\n`);
  });
  verb(
    'withdraw',
    'Block it',
    'Block the break-glass administrator of a tenant: its sign-ins end with the next request. "create" lets it in again, with new secrets.',
    '  $ portico admin break-glass withdraw --tenant acme\n  $ portico admin break-glass withdraw --tenant lab',
  ).action(async ({ tenant }: { tenant: string }) => {
    const userId = await withOperator(async (session) => (await session.breakGlass(tenant)).withdraw());
    process.stdout.write(
      userId === undefined ? `The tenant ${tenant} has no break-glass administrator.\n` : `Blocked user ${userId}.\n`,
    );
  });
}
