import type { Command } from 'commander';
import { loadOperator } from '../operator.ts';

/** `portico user …`: people, as an operator adds them. */
export function userCommand(program: Command): void {
  const user = program
    .command('user')
    .description('Add people; block and sign out people and service accounts; replace passwords (operator)');
  user
    .command('create')
    .description('Add a person to a tenant')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--email <email>', 'e-mail address')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .option('--admin', 'give the administrative rights', false)
    .option('--link <account>', 'account at the identity provider that signs this person in')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico user create --tenant acme --email ada@acme.example --first-name Ada --last-name Byron\n  $ portico user create --tenant acme --email root@acme.example --first-name Grace --last-name Hopper --admin --link grace@provider.example',
    )
    .action(
      async (options: {
        tenant: string;
        email: string;
        firstName: string;
        lastName: string;
        admin: boolean;
        link?: string;
      }) => {
        const operator = await loadOperator();
        const userId = await operator.withOperator((session) => session.createUser(options));
        process.stdout.write(`Made user ${userId}.\n`);
      },
    );
  addAccess(user, 'block', 'Block a person or service account: their access ends with the next request', 'Blocked');
  addAccess(user, 'unblock', 'Let a person or service account sign in again', 'Unblocked');
  addAccess(
    user,
    'sign-out',
    'End every sign-in of a person or service account: their tokens are refused from the next request on',
    'Signed out',
  );
  user
    .command('reset')
    .summary('Replace the password of a person')
    .description(
      'Replace the password of a person by a generated one, which must be changed at the next sign-in; every earlier sign-in ends',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--print-password', 'print the password; it is kept nowhere else')
    .argument('<who>', 'id, or e-mail address')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico user reset --tenant acme --print-password ada@acme.example\n  $ portico user reset --tenant acme --print-password 17',
    )
    .action(async (who: string, { tenant }: { tenant: string }) => {
      const operator = await loadOperator();
      const { username, password } = await operator.withOperator((session) => session.resetPassword(tenant, who));
      process.stdout.write(`User name: ${username}\nOne-time password: ${password}\n`);
    });
}

function addAccess(parent: Command, verb: 'block' | 'unblock' | 'sign-out', description: string, done: string): void {
  parent
    .command(verb)
    .description(description)
    .requiredOption('--tenant <name>', 'the tenant')
    .argument('<who>', 'id, or e-mail address')
    .addHelpText(
      'after',
      `\nExamples:\n  $ portico user ${verb} --tenant acme ada@acme.example\n  $ portico user ${verb} --tenant acme 17`,
    )
    .action(async (who: string, { tenant }: { tenant: string }) => {
      const operator = await loadOperator();
      const userId = await operator.withOperator((session) =>
        verb === 'sign-out' ? session.signOutUser(tenant, who) : session.setUserBlocked(tenant, who, verb === 'block'),
      );
      process.stdout.write(`${done} user ${userId}.\n`);
    });
}
