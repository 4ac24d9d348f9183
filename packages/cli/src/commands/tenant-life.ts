/** `portico admin tenant disable|enable|rename|export|import|delete|certificate`. */
import type { ImportKind, QuietedCopy } from '@portico/server/operator';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseInteger } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { withOperator } from '../operator.ts';

/** Days until a tenant is deleted, unless the operator gives others. */
const GRACE_DAYS = 30;
const MOST_DAYS = 3_650;

/** The flags of `tenant delete`. */
interface DeleteFlags {
  days?: number;
  now?: boolean;
  confirm?: string;
}

/** The flags of `tenant import`. */
interface ImportFlags {
  name?: string;
  host?: string[];
  as?: ImportKind;
}

export function addTenantLife(tenant: Command): void {
  tenant
    .command('disable')
    .summary('Disable a tenant')
    .description(
      'Disable a tenant: requests get 403 TENANT_DISABLED, and its background work rests. Rows and files stay. Servers that run follow within two seconds.',
    )
    .argument('<name>', 'the tenant')
    .addHelpText('after', '\nExamples:\n  $ portico admin tenant disable acme\n  $ portico admin tenant disable demo')
    .action(async (name: string) => {
      await withOperator((session) => session.tenantLife.disable(name));
      process.stdout.write(`Disabled the tenant ${name}.\n`);
    });
  tenant
    .command('enable')
    .summary('Enable a disabled tenant')
    .description('Enable a disabled tenant, and cancel its deletion. A tenant without a host needs one first.')
    .argument('<name>', 'the tenant')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant enable acme\n  $ portico admin tenant hosts acme --add portal.acme.example && portico admin tenant enable acme',
    )
    .action(async (name: string) => {
      const warnings = await withOperator((session) => session.tenantLife.enable(name));
      process.stdout.write(`Enabled the tenant ${name}.\n`);
      warnings.forEach(tell);
    });
  tenant
    .command('rename')
    .summary('Change the names of a tenant')
    .description('Change the name of a tenant in operator commands, or its display name. "tenant hosts" changes hosts.')
    .argument('<name>', 'the tenant')
    .option('--name <name>', 'new name: lower-case letters, digits and hyphens')
    .option('--display-name <text>', 'new display name')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant rename acme --name acme-group\n  $ portico admin tenant rename acme --display-name "Acme Group"',
    )
    .action(async (name: string, names: { name?: string; displayName?: string }) => {
      await withOperator((session) => session.tenantLife.rename(name, names));
      process.stdout.write(`Renamed the tenant ${names.name ?? name}.\n`);
    });
  addArchives(tenant);
  addDelete(tenant);
}

/** Progress is no result. */
const tell = (sentence: string) => void process.stderr.write(`${sentence}\n`);

function addArchives(tenant: Command): void {
  tenant
    .command('export')
    .summary('Write a tenant with its files to an archive')
    .description(
      'Write all rows and files of a tenant, as they are at one moment, to one ZIP archive, while the portal runs. It has passwords, keys and tokens, and no sessions. The encryption keys are not in it. To lose no later write, disable the tenant first.',
    )
    .argument('<name>', 'the tenant')
    .requiredOption('--out <file>', 'the archive, which must not exist')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant export acme --out /backup/acme.zip\n  $ portico admin tenant disable acme && portico admin tenant export acme --out acme.zip',
    )
    .action(async (name: string, { out }: { out: string }) => {
      const { files, moment, encryptionKeys } = await withOperator((session) =>
        session.tenantLife.export(name, { out, tell }),
      );
      process.stdout.write(
        `Exported the tenant ${name} as of ${moment} with ${files.count} files to ${out}.\nAn import needs the encryption keys ${encryptionKeys.join(', ')}, which are not in it.\n`,
      );
    });
  tenant
    .command('import')
    .summary('Import a tenant from an archive')
    .description(
      'Import a tenant that "tenant export" wrote. Ids, passwords, keys and tokens stay valid; people sign in again, and followers of the change streams start afresh. The installation needs the same schema and the encryption keys of the tenant. Nothing is left behind when the import fails. With --as move, its webhooks and waiting mails are sent from here on; with --as copy, webhooks are paused, waiting messages and mails are cancelled, and mails of notifications are off, so that people and programs hear of nothing twice.',
    )
    .argument('<file>', 'the archive')
    .option('--name <name>', 'name of the tenant here (default: as in the archive)')
    .option('--host <host...>', 'host names here; the first is the primary one (default: as in the archive)')
    .addOption(
      new Option(
        '--as <kind>',
        '"move" or "copy" (default: move if it was disabled when it was exported and is not in this installation, otherwise copy)',
      ).choices(['move', 'copy']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant import acme.zip --as move\n  $ portico admin tenant import acme.zip --name acme-march --host acme-march.example.org --as copy',
    )
    .action(async (file: string, { name, host, as }: ImportFlags) => {
      const imported = await withOperator(async (session) => {
        const made = await session.tenantLife.import(file, { name, hosts: host, as, tell });
        await session.refreshStatistics();
        return made;
      });
      const { manifest, hosts } = imported;
      const at = hosts.length > 0 ? `at ${hosts.join(', ')}` : 'disabled and without a host';
      process.stdout.write(
        `Imported the tenant ${imported.name} (id ${imported.id}) ${at}, as of ${manifest.moment}, with ${manifest.files.count} files.\n${outcomeOf(imported)}\n`,
      );
      imported.hostWarnings.forEach(tell);
    });
}

/** Returns the sentences about webhooks and mails of an imported tenant. */
function outcomeOf({ quieted, name }: { quieted: QuietedCopy | undefined; name: string }): string {
  if (!quieted)
    return 'It was moved: its webhooks and waiting mails are sent from here. Keep it disabled, or delete it, where it was.';
  const { pausedWebhooks, cancelledMessages, cancelledMails, cancelledNotificationMails, switchedOffMails } = quieted;
  return [
    `It is a copy: paused webhooks: ${pausedWebhooks}; cancelled messages of webhooks: ${cancelledMessages}; cancelled mails: ${cancelledMails}; cancelled mails of notifications: ${cancelledNotificationMails}.`,
    ...(switchedOffMails ? ['Mails of notifications were switched off.'] : []),
    `Its administration switches them on. Where the first tenant has ended, delete ${name} and import it again with --as move.`,
  ].join(' ');
}

function addDelete(tenant: Command): void {
  tenant
    .command('delete')
    .summary('Delete a tenant after a time of grace')
    .description(
      'Disable a tenant, free its hosts, and have the service delete its rows and files after a time of grace. "tenant enable" cancels the deletion until then. With --now, delete at once and print the certificate.',
    )
    .argument('<name>', 'the tenant')
    .option('--days <number>', `days until the deletion, 1 to ${MOST_DAYS} (default: ${GRACE_DAYS})`, graceDays)
    .option('--now', 'delete at once; needs --confirm')
    .option('--confirm <name>', 'the name of the tenant again')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant delete acme --days 90\n  $ portico admin tenant delete demo --now --confirm demo',
    )
    .action(async (name: string, { days, now, confirm }: DeleteFlags) => {
      if (!now) {
        const at = await withOperator((session) => session.tenantLife.schedule(name, days ?? GRACE_DAYS));
        process.stdout.write(
          `Disabled the tenant ${name} and freed its hosts. The service deletes it at ${at.toISOString()}; "portico admin tenant enable ${name}" cancels that.\n`,
        );
        return;
      }
      if (days !== undefined) throw new UsageError('Give --now or --days, not both.');
      if (confirm !== name) throw new UsageError(`Nothing was deleted: confirm with --confirm ${name}.`);
      process.stderr.write('Waiting 25 s for requests that run.\n');
      const certificate = await withOperator((session) => session.tenantLife.delete(name));
      process.stdout.write(`${JSON.stringify(certificate, null, 2)}\n`);
    });
  tenant
    .command('certificate')
    .summary('Print the certificate of a deleted tenant')
    .description(
      'Print what was deleted with a tenant as JSON: numbers of rows by table, files and bytes, times, and a checksum of these.',
    )
    .argument('<name>', 'name of the deleted tenant')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant certificate acme\n  $ portico admin tenant certificate demo > deleted-demo.json',
    )
    .action(async (name: string) => {
      const certificates = await withOperator((session) => session.tenantLife.certificates(name));
      if (certificates.length === 0) throw new UsageError(`No tenant "${name}" was deleted.`);
      for (const certificate of certificates) process.stdout.write(`${JSON.stringify(certificate, null, 2)}\n`);
    });
}

function graceDays(text: string): number {
  const days = parseInteger(text);
  if (days < 1 || days > MOST_DAYS) throw new InvalidArgumentError(`it must be 1 to ${MOST_DAYS}.`);
  return days;
}
