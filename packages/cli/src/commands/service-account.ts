import { RoleId } from '@portico/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { withOperator } from '../operator.ts';

/** A role that a service account can hold in communities. */
type CommunityRole = Exclude<RoleId, typeof RoleId.WORKSPACE_ADMINISTRATOR>;

/** The flags of `service-account create`. */
interface CreateFlags {
  tenant: string;
  name: string;
  out: string;
  admin: boolean;
  role?: CommunityRole;
  allCommunities: boolean;
}

/** `portico admin service-account …`: accounts that programs sign in with. */
export function serviceAccountCommand(program: Command): void {
  const account = program
    .command('service-account')
    .description('Create service accounts and revoke their keys (operator)');
  account
    .command('create')
    .description('Create a service account and write its key file; the private key is stored nowhere else')
    .requiredOption('--tenant <name>', 'the tenant it belongs to')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--out <file>', 'key file to write (mode 0600); must not exist')
    .option('--admin', 'give it the administrative rights', false)
    .option('--role <role>', 'role in every existing community: manager, contributor or reader', parseRole)
    .option('--all-communities', 'also give the role in communities created later', false)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin service-account create --tenant acme --name "ERP sync" --out erp-key.json\n  $ portico admin service-account create --tenant acme --name backup --admin --role reader --all-communities --out key.json',
    )
    .action(async (options: CreateFlags) => {
      const made = await withOperator((session) => session.createServiceAccount(options));
      process.stdout.write(
        `Created service account ${made.userId} with key ${made.keyId}; the key file is ${options.out}.\n`,
      );
    });
  account
    .command('role')
    .description('Give a service account a role in every community, now and later, or remove it')
    .requiredOption('--tenant <name>', 'the tenant it belongs to')
    .argument('<who>', 'id, or e-mail address')
    .argument('<role>', 'manager, contributor, reader or none', (text) => (text === 'none' ? text : parseRole(text)))
    .addHelpText(
      'after',
      '\nIts roles in single communities stay; the stronger role applies.\n\nExamples:\n  $ portico admin service-account role --tenant acme 17 reader\n  $ portico admin service-account role --tenant acme 17 none',
    )
    .action(async (who: string, role: 'none' | CommunityRole, { tenant }: { tenant: string }) => {
      const userId = await withOperator((session) =>
        session.setStandingRole(tenant, who, role === 'none' ? null : role),
      );
      process.stdout.write(
        role === 'none'
          ? `Service account ${userId} has no role for every community any more.\n`
          : `Service account ${userId} has the role in every community, now and later.\n`,
      );
    });
  account
    .command('revoke-key')
    .description('Revoke a key: tokens it gave are refused from the next request on')
    .requiredOption('--tenant <name>', 'the tenant it belongs to')
    .argument('<key>', 'private_key_id of the key file', parseId)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin service-account revoke-key --tenant acme 12\n  $ portico admin service-account revoke-key --tenant acme $(jq .private_key_id erp-key.json)',
    )
    .action(async (keyId: number, options: { tenant: string }) => {
      await withOperator((session) => session.revokeKey(options.tenant, keyId));
      process.stdout.write(`Revoked key ${keyId}.\n`);
    });
}

function parseRole(text: string): CommunityRole {
  const roles: Readonly<Record<string, CommunityRole>> = {
    manager: RoleId.MANAGER,
    contributor: RoleId.CONTRIBUTOR,
    reader: RoleId.READER,
  };
  const role = roles[text];
  if (!role) throw new InvalidArgumentError('it must be manager, contributor or reader.');
  return role;
}

/** An id on the command line. */
export function parseId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}
