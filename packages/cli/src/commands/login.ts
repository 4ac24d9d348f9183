import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { addCommonOptions } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { type DeviceFlags, endSignIn, keepSignIn, signInByBrowser } from '../people/device-sign-in.ts';
import { asksForData, printData, type ShownFlags } from '../people/flags.ts';
import {
  activeProfile,
  configurationPath,
  type Profile,
  readConfiguration,
  signInAccount,
  writeConfiguration,
} from '../profiles.ts';
import { type CommonOptions, connect, credentialsOf, openSession, withScheme } from '../session.ts';

interface LoginFlags extends CommonOptions, DeviceFlags {
  url: string;
  profile: string;
  key?: string;
  tokenEnv?: string;
  providerTokenEnv?: string;
  audience?: string;
  apiPath?: string;
}

/** `portico login` */
export function loginCommand(program: Command): void {
  program
    .command('login')
    .description(
      'Sign in to a portal, by the browser unless a key or a token is named, and save how in a profile. The profile names key files and variables; it does not copy them.',
    )
    .requiredOption('--url <address>', 'base address of the portal')
    .option('--key <file>', 'key file of a service account')
    .option('--token-env <name>', 'environment variable with an access token of the portal')
    .option('--provider-token-env <name>', 'environment variable with a token of the identity provider')
    .addOption(
      new Option('--access <access>', 'access of the token after a sign-in by the browser').choices(['read', 'write']),
    )
    .option('--days <number>', 'days until this token expires (default: 90)', Number)
    .option('--no-browser', 'print the address of the page instead of opening it')
    .option('--no-keychain', 'store the token in a file (mode 0600) instead of the keychain of the system')
    .option('--audience <text>', 'audience of the assertion, if not the default one')
    .option('--api-path <path>', 'path of the interface below the address, if not the default one')
    .option('--profile <name>', 'name of the profile', 'default')
    .option('--timeout <seconds>', 'abort a request after this time', Number)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico login --url https://portal.acme.example\n  $ portico login --url https://portal.acme.example --key erp-key.json\n  $ portico login --url localhost:8080 --provider-token-env GOOGLE_TOKEN --profile lab',
    )
    .action(login);
}

async function login(flags: LoginFlags): Promise<void> {
  const { profile: name } = flags;
  const profile = profileOf(flags);
  const former = readConfiguration().profiles[name];
  const byKey = profile.keyFile ?? profile.tokenVariable ?? profile.providerTokenVariable;
  if (byKey === undefined) {
    const { client, options } = await connect(profile, flags, undefined);
    const token = await signInByBrowser(client, flags, options);
    if (former) await endFormer(name, former, flags);
    profile.signIn = await keepSignIn(name, profile, token, flags.keychain);
  } else if (former) await endFormer(name, former, flags);
  const credentials = await credentialsOf(profile, signInAccount(name, profile));
  const { client, options } = await connect(profile, flags, credentials);
  // A cached token would say nothing about the key, the address and the audience that were given now.
  if (byKey !== undefined && flags.tokenEnv === undefined) await client.signOut();
  const { userData } = await client.auth.currentUser({}, options);
  const configuration = readConfiguration();
  configuration.profiles[name] = profile;
  configuration.current = name;
  writeConfiguration(configuration);
  process.stdout.write(
    `Signed in at ${client.baseUrl} as ${[userData?.firstName, userData?.lastName].filter(Boolean).join(' ')} (user ${userData?.id}); profile "${name}" is in ${configurationPath()}.\n`,
  );
}

/** Revokes and deletes the token of a person that a profile had. */
async function endFormer(name: string, profile: Profile, flags: CommonOptions): Promise<boolean> {
  if (!profile.signIn) return false;
  await endSignIn(name, profile, profile.signIn, (accessToken) => connect(profile, flags, { accessToken }));
  return true;
}

function profileOf(flags: LoginFlags): Profile {
  const ways = [flags.key, flags.tokenEnv, flags.providerTokenEnv].filter((way) => way !== undefined);
  if (ways.length > 1) throw new UsageError('Choose one of --key, --token-env and --provider-token-env.');
  if (ways.length === 1 && (flags.access !== undefined || flags.days !== undefined))
    throw new UsageError('--access and --days belong to a sign-in by the browser: omit the key or token.');
  return {
    url: withScheme(flags.url),
    ...(flags.key !== undefined && { keyFile: resolve(flags.key) }),
    ...(flags.tokenEnv !== undefined && { tokenVariable: flags.tokenEnv }),
    ...(flags.providerTokenEnv !== undefined && { providerTokenVariable: flags.providerTokenEnv }),
    ...(flags.audience !== undefined && { audience: flags.audience }),
    ...(flags.apiPath !== undefined && { apiPath: flags.apiPath }),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  };
}

/** `portico logout` */
export function logoutCommand(program: Command): void {
  program
    .command('logout')
    .description('Sign out: revoke the token of a person, delete the access token; the profile is kept')
    .option('--profile <name>', 'profile to use instead of the current one')
    .addHelpText('after', '\nExamples:\n  $ portico logout\n  $ portico logout --profile lab')
    .action(async (flags: CommonOptions) => {
      const { name } = activeProfile(flags.profile);
      const configuration = readConfiguration();
      const kept = configuration.profiles[name];
      if (kept?.signIn) {
        await endFormer(name, kept, flags);
        delete kept.signIn;
        writeConfiguration(configuration);
        process.stdout.write(`Revoked the token of profile "${name}".\n`);
        return;
      }
      const { client } = await openSession(flags);
      await client.signOut();
      process.stdout.write(`Deleted the access token of profile "${name}".\n`);
    });
}

/** `portico token` */
export function tokenCommand(program: Command): void {
  program
    .command('token')
    .description(
      'Print an access token, for the page of the interface or another program. It says who you are: keep it.',
    )
    .option('--profile <name>', 'profile to use instead of the current one')
    .option('--timeout <seconds>', 'abort a request after this time', Number)
    .addHelpText(
      'after',
      `
Paste it into "Authorize" of the page at /portal/api/docs, or send it as "Authorization: Bearer". It is a JWT; its exp is the time of expiry.

Examples:
  $ portico token
  $ curl -H "Authorization: Bearer $(portico token --profile lab)" https://lab.acme.example/portal/api/core/auth/current-user-data`,
    )
    .action(async (flags: CommonOptions) => {
      const { client } = await openSession(flags);
      process.stdout.write(`${await client.accessToken()}\n`);
    });
}

/** `portico whoami` */
export function whoamiCommand(program: Command): void {
  const whoami = program.command('whoami').description('Print which account and portal the commands use');
  whoami
    .option('--json', 'print JSON')
    .option('--jq <filter>', 'print the results of a jq filter of the JSON')
    .option('--template <text>', 'print the JSON by a Mustache template');
  addCommonOptions(whoami)
    .addHelpText('after', '\nExamples:\n  $ portico whoami\n  $ portico whoami --profile lab --jq .contactEmail')
    .action(async (flags: ShownFlags & { output: OutputFormat; fields?: string[] }) => {
      const { client, profileName, options } = await openSession(flags);
      const { userData } = await client.auth.currentUser({}, options);
      const shown = {
        profile: profileName,
        url: client.baseUrl,
        id: userData?.id,
        firstName: userData?.firstName,
        lastName: userData?.lastName,
        contactEmail: userData?.contactEmail,
        serviceAccount: userData?.serviceAccount,
      };
      if (asksForData(flags)) await printData(shown, flags);
      else await printObject(shown, { format: flags.output, fields: flags.fields });
    });
}
