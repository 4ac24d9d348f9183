import type { RequiredSecondFactor } from '@portico/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { commaList, parseInteger } from '../client/flags.ts';
import { withOperator } from '../operator.ts';
import { type OutputFormat, outputFormats, printObject, printTable } from '../output.ts';
import { addMove } from './nodes.ts';
import { addTenantLife } from './tenant-life.ts';
import { printedLink } from './user.ts';

/** The flags of `tenant create`. */
interface CreateFlags {
  host: string[];
  adminEmail: string;
  administrator?: string;
  displayName?: string;
  audiences?: string[];
  language?: string;
  timezone?: string;
}

/** The flags of `tenant settings`; absent ones change nothing. */
interface SettingFlags {
  corsOrigins?: string[];
  audiences?: string[];
  providerClientIds?: string[];
  loginDomains?: string[];
  language?: string;
  timezone?: string;
  requireSecondFactor?: RequiredSecondFactor;
  requireProvider?: boolean;
  tokenSeconds?: number | 'default';
  fileQuota?: number | 'none';
  requests?: number | 'none';
  accountRequests?: number | 'none';
  output: OutputFormat;
}

/** `portico admin tenant …`: organisations of this installation. */
export function tenantCommand(program: Command): void {
  const tenant = program.command('tenant').description('Create, configure and delete tenants (operator)');
  tenant
    .command('create')
    .description('Create a tenant with its base address and its first administrator')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .requiredOption('--host <host...>', 'host names of its base addresses; the first is the primary one')
    .requiredOption('--admin-email <email>', 'e-mail address of its first administrator')
    .option('--administrator <name>', 'user name of that administrator; prints a link by which they choose a password')
    .option('--display-name <text>', 'display name')
    .option('--language <code>', 'language of texts where a person has none (default: en)')
    .option('--timezone <name>', 'default time zone of people, such as Europe/Rome (default: UTC)')
    .option(
      '--audiences <texts>',
      'audiences that assertions of service accounts may name; * before the slash is any vendor (default: */portal-authenticator)',
      commaList,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant create acme --host portal.acme.example --admin-email ada@acme.example --administrator ada --timezone Asia/Tokyo --language ja\n  $ portico admin tenant create lab --host localhost:8081 --host lab.local --admin-email lab@example.org --display-name "The lab"',
    )
    .action(async (name: string, options: CreateFlags) => {
      const made = await withOperator((session) =>
        session.createTenant({
          name,
          hosts: options.host,
          adminEmail: options.adminEmail,
          administrator: options.administrator,
          displayName: options.displayName,
          settings: {
            ...(options.audiences && { audiences: options.audiences }),
            ...(options.language !== undefined && { defaultLanguage: options.language }),
            ...(options.timezone !== undefined && { defaultTimezone: options.timezone }),
          },
        }),
      );
      const { audiences, defaultLanguage, defaultTimezone } = made.settings;
      process.stdout.write(
        `Created tenant ${made.name} (id ${made.id}) at ${made.hosts.join(', ')}; administrator ${options.adminEmail} (user ${made.adminUserId}).\n` +
          `Time zone ${defaultTimezone}, language ${defaultLanguage}, audiences ${audiences.join(', ')}; "portico admin tenant settings ${made.name}" shows and changes them.\n`,
      );
      if (made.link) process.stdout.write(printedLink(made.link));
      for (const sentence of made.hostWarnings) process.stderr.write(`${sentence}\n`);
    });
  tenant
    .command('list')
    .description('List the tenants with their hosts')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant list\n  $ PORTICO_DATA_DIR=/srv/portico portico admin tenant list',
    )
    .action(async () => {
      const tenants = await withOperator((session) => session.listTenants());
      printTable(
        tenants.map((row) => ({
          id: row.id,
          name: row.name,
          hosts: row.hosts.join(' '),
          state: row.state,
          users: row.users,
          posts: row.posts,
        })),
      );
    });
  addHosts(tenant);
  addTenantLife(tenant);
  addSettings(tenant);
  addMove(tenant);
}

function addHosts(tenant: Command): void {
  tenant
    .command('hosts')
    .summary('Show and change the host names of a tenant')
    .description(
      'Show the host names of a tenant, the primary one first; with options, change them first. Links, sign-ins by identity providers and passkeys use the primary one: when it changes, register the redirect URIs of the providers anew, and people add new passkeys. Servers that run take the names over within a second.',
    )
    .argument('<name>', 'the tenant')
    .option('--add <host...>', 'host names to add')
    .option('--remove <host...>', 'host names to remove; a tenant keeps one at least')
    .option('--primary <host>', 'host name that becomes the primary one')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant hosts acme\n  $ portico admin tenant hosts acme --add portal.acme.example --primary portal.acme.example --remove old.acme.example',
    )
    .action(async (name: string, changes: { add?: string[]; remove?: string[]; primary?: string }) => {
      const hosts = await withOperator((session) => session.changeHosts(name, changes));
      printTable(hosts.map((host, index) => ({ host, primary: index === 0 })));
    });
}

function addSettings(tenant: Command): void {
  tenant
    .command('settings')
    .summary('Show and change the settings of a tenant')
    .description(
      'Show the settings of a tenant; with options, change them first. Lists are replaced, "" empties one. Servers that run take them over within a second.',
    )
    .argument('<name>', 'the tenant')
    .option('--cors-origins <origins>', 'origins whose pages may use the interface from a browser', commaList)
    .option(
      '--audiences <texts>',
      'audiences that assertions of service accounts may name; * before the slash is any vendor',
      commaList,
    )
    .option('--provider-client-ids <ids>', 'client ids with accepted tokens of the identity provider', commaList)
    .option('--login-domains <domains>', 'domains that accounts of the identity provider may have', commaList)
    .option('--language <code>', 'default language of texts, such as en')
    .option('--timezone <name>', 'default time zone of people, such as Europe/Rome')
    .option('--token-seconds <number>', 'lifetime of access tokens, or "default"', numberOrWord('default'))
    .addOption(
      new Option('--require-second-factor <whom>', 'who must use a second factor').choices([
        'nobody',
        'administrators',
        'all',
      ]),
    )
    .option('--require-provider', 'allow sign-in by an identity provider only')
    .option('--no-require-provider', 'also allow sign-in with passwords and passkeys')
    .option('--file-quota <bytes>', 'maximum size of all files of the tenant, or "none"', numberOrWord('none'))
    .option('--requests <number>', 'requests of the tenant within a minute, or "none"', numberOrWord('none'))
    .option('--account-requests <number>', 'requests of each account within a minute, or "none"', numberOrWord('none'))
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant settings acme --cors-origins https://app.acme.example,http://localhost:5173\n  $ portico admin tenant settings acme --output json',
    )
    .action(async (name: string, flags: SettingFlags) => {
      const { output, language, timezone, tokenSeconds, fileQuota, requests, accountRequests, ...lists } = flags;
      const settings = await withOperator((session) =>
        session.changeTenantSettings(name, {
          ...lists,
          ...(language !== undefined && { defaultLanguage: language }),
          ...(timezone !== undefined && { defaultTimezone: timezone }),
          ...(tokenSeconds !== undefined && { accessTokenSeconds: tokenSeconds === 'default' ? null : tokenSeconds }),
          ...(fileQuota !== undefined && { attachmentQuotaBytes: fileQuota === 'none' ? null : fileQuota }),
          ...(requests !== undefined && { requestsPerMinute: requests === 'none' ? null : requests }),
          ...(accountRequests !== undefined && {
            accountRequestsPerMinute: accountRequests === 'none' ? null : accountRequests,
          }),
        }),
      );
      await printObject(settings, { format: output });
    });
}

/** A whole number, or a word that means there is none. The word is kept: commander makes an empty text of null. */
function numberOrWord<const W extends string>(word: W): (text: string) => number | W {
  return (text) => {
    if (text === word) return word;
    const value = parseInteger(text);
    if (value < 0) throw new InvalidArgumentError('it must not be negative.');
    return value;
  };
}
