import type { Command } from 'commander';
import { loadOperator } from '../operator.ts';
import { printTable } from '../output.ts';

/** `portico tenant …`: organisations of this installation. */
export function tenantCommand(program: Command): void {
  const tenant = program.command('tenant').description('Make and list tenants (operator)');
  tenant
    .command('create')
    .description('Make a tenant with its base address and its first administrator')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .requiredOption('--host <host...>', 'host names of its base addresses; the first is the primary one')
    .requiredOption('--admin-email <email>', 'e-mail address of its first administrator')
    .option('--display-name <text>', 'how people see it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico tenant create acme --host portal.acme.example --admin-email ada@acme.example\n  $ portico tenant create lab --host localhost:8081 --host lab.local --admin-email lab@example.org --display-name "The lab"',
    )
    .action(async (name: string, options: { host: string[]; adminEmail: string; displayName?: string }) => {
      const operator = await loadOperator();
      const made = await operator.withOperator((session) =>
        session.createTenant({
          name,
          hosts: options.host,
          adminEmail: options.adminEmail,
          displayName: options.displayName,
        }),
      );
      process.stdout.write(
        `Made tenant ${made.name} (id ${made.id}) at ${made.hosts.join(', ')}; administrator ${options.adminEmail} (user ${made.adminUserId}).\n`,
      );
    });
  tenant
    .command('list')
    .description('List the tenants with their hosts')
    .addHelpText('after', '\nExamples:\n  $ portico tenant list\n  $ PORTICO_DATA_DIR=/srv/portico portico tenant list')
    .action(async () => {
      const operator = await loadOperator();
      const tenants = await operator.withOperator((session) => session.listTenants());
      printTable(
        tenants.map((row) => ({
          id: row.id,
          name: row.name,
          hosts: row.hosts.join(' '),
          users: row.users,
          posts: row.posts,
        })),
      );
    });
}
