import { AdminCapability } from '@portico/contract';
import type { PrintedLink } from '@portico/server/operator';
import { Argument, type Command, Option } from 'commander';
import { withOperator } from '../operator.ts';
import { printTable } from '../output.ts';

/** `portico admin user …`: people, as an operator adds them. */
export function userCommand(program: Command): void {
  const user = program
    .command('user')
    .description(
      'List, add and invite people; give and remove administrative rights; block and sign out ' +
        'people and service accounts; replace passwords (operator)',
    );
  addList(user);
  user
    .command('create')
    .description('Add a person to a tenant')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--email <email>', 'e-mail address')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .option('--username <name>', 'user name, required to sign in with a password')
    .option('--admin', 'give the administrative rights', false)
    .option('--link <account>', 'account at the identity provider that signs this person in')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin user create --tenant acme --email ada@acme.example --first-name Ada --last-name Byron --username ada\n  $ portico admin user create --tenant acme --email root@acme.example --first-name Grace --last-name Hopper --admin --link grace@provider.example',
    )
    .action(
      async (options: {
        tenant: string;
        email: string;
        firstName: string;
        lastName: string;
        username?: string;
        admin: boolean;
        link?: string;
      }) => {
        const userId = await withOperator((session) => session.createUser(options));
        process.stdout.write(`Created user ${userId}.\n`);
      },
    );
  addRights(user, 'grant', 'Give a person or service account administrative rights');
  addRights(user, 'revoke', 'Take administrative rights from a person or service account');
  addAccess(user, 'block', 'Block a person or service account: their access ends with the next request', 'Blocked');
  addAccess(user, 'unblock', 'Let a person or service account sign in again', 'Unblocked');
  addAccess(
    user,
    'sign-out',
    'End every sign-in of a person or service account: their tokens are refused from the next request on',
    'Signed out',
  );
  addLink(user, 'invite', 'Invite a person by a link that works once within seven days');
  addLink(user, 'reset', 'Let a person choose a new password by a link that works once within a day');
}

function addList(parent: Command): void {
  parent
    .command('list')
    .summary('List the accounts of a tenant')
    .description(
      'List the accounts of a tenant that are not deleted, with their user names and their ' +
        'administrative rights, including rights through groups.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .option('--admin', 'only accounts that hold an administrative right', false)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin user list --tenant acme --admin\n  $ portico admin user list --tenant acme',
    )
    .action(async ({ tenant, admin }: { tenant: string; admin: boolean }) => {
      const accounts = await withOperator((session) => session.listAccounts(tenant, { admin }));
      printTable(
        accounts.map(({ username, email, rights, blocked, lastAccessAt, ...account }) => ({
          id: account.id,
          name: account.name,
          username: username ?? '',
          email: email ?? '',
          rights: rights.length > 0 ? [...new Set(rights)].join(' ') : '',
          kind: blocked ? `${account.kind}, blocked` : account.kind,
          lastAccess: lastAccessAt === null ? 'never' : new Date(lastAccessAt).toISOString(),
        })),
      );
    });
}

/** A command that gives or takes administrative rights. */
function addRights(parent: Command, verb: 'grant' | 'revoke', summary: string): void {
  const rights = Object.values(AdminCapability);
  parent
    .command(verb)
    .summary(summary)
    .description(
      `${summary}: the named rights, or all. Rights through groups stay unchanged. A right is ` +
        'never removed from its last holder who can sign in.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .argument('<who>', 'id, user name or e-mail address')
    .addArgument(new Argument('[right...]', 'administrative rights (default: all)').choices(rights))
    .addHelpText(
      'after',
      `\nExamples:\n  $ portico admin user ${verb} --tenant acme ada\n  $ portico admin user ${verb} --tenant acme ada@acme.example manageUsers`,
    )
    .action(async (who: string, named: AdminCapability[], { tenant }: { tenant: string }) => {
      const chosen = named.length > 0 ? named : rights;
      const change = verb === 'grant' ? { give: chosen } : { take: chosen };
      const { userId, rights: held } = await withOperator((session) => session.changeRights(tenant, who, change));
      process.stdout.write(
        `User ${userId} holds ${held.length > 0 ? held.join(' and ') : 'no administrative right'}.\n`,
      );
    });
}

/** A command that sends a link, or prints it, or (for a reset) a password. */
function addLink(parent: Command, verb: 'invite' | 'reset', summary: string): void {
  const command = parent
    .command(verb)
    .summary(summary)
    .description(
      `${summary}, sent to the contact address. Once it is used, every earlier sign-in ends; until then nothing changes.`,
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .option('--print-link', 'print the link instead of sending it; it is stored nowhere else', false);
  if (verb === 'reset')
    command.addOption(
      new Option(
        '--print-password',
        'replace the password at once by a generated one and print it; it must be changed at the next sign-in',
      )
        .default(false)
        .conflicts('printLink'),
    );
  command
    .argument('<who>', 'id, user name or e-mail address')
    .addHelpText(
      'after',
      `\nExamples:\n  $ portico admin user ${verb} --tenant acme ada@acme.example\n  $ portico admin user ${verb} --tenant acme --print-link 17${verb === 'reset' ? '\n  $ portico admin user reset --tenant acme --print-password ada@acme.example' : ''}`,
    )
    .action(async (who: string, options: { tenant: string; printLink: boolean; printPassword?: boolean }) => {
      const { tenant } = options;
      const purpose = verb === 'invite' ? 'invitation' : 'password-reset';
      process.stdout.write(
        await withOperator(async (session) => {
          if (options.printPassword) {
            const { username, password } = await session.resetPassword(tenant, who);
            return `User name: ${username}\nOne-time password: ${password}\n`;
          }
          if (options.printLink) return printedLink(await session.printPasswordLink(tenant, who, purpose));
          const { recipient, expiryTimestamp, sentEmailNotify } = await session.sendPasswordLink(tenant, who, purpose);
          const until = new Date(expiryTimestamp!).toISOString();
          return sentEmailNotify
            ? `A link was sent to ${recipient}. It works until ${until}.\n`
            : `No mail server is configured, so no link was sent to ${recipient}. Print one with --print-link.\n`;
        }),
      );
    });
}

/** A link as commands print it. */
export function printedLink({ username, link, expiresAt }: PrintedLink): string {
  return `User name: ${username}\nOne-time link (until ${new Date(expiresAt).toISOString()}): ${link}\n`;
}

function addAccess(parent: Command, verb: 'block' | 'unblock' | 'sign-out', description: string, done: string): void {
  parent
    .command(verb)
    .description(description)
    .requiredOption('--tenant <name>', 'the tenant')
    .argument('<who>', 'id, user name or e-mail address')
    .addHelpText(
      'after',
      `\nExamples:\n  $ portico admin user ${verb} --tenant acme ada@acme.example\n  $ portico admin user ${verb} --tenant acme 17`,
    )
    .action(async (who: string, { tenant }: { tenant: string }) => {
      const userId = await withOperator((session) =>
        verb === 'sign-out' ? session.signOutUser(tenant, who) : session.setUserBlocked(tenant, who, verb === 'block'),
      );
      process.stdout.write(`${done} user ${userId}.\n`);
    });
}
