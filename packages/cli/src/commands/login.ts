import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addCommonOptions } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { asksForData, printData, type ShownFlags } from '../people/flags.ts';
import { configurationPath, type Profile, readConfiguration, writeConfiguration } from '../profiles.ts';
import { type CommonOptions, connect, openSession, withScheme } from '../session.ts';

interface LoginFlags extends CommonOptions {
  url: string;
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
      'Sign in to a portal and save how in a profile. The profile names key files and variables; it does not copy them.',
    )
    .requiredOption('--url <address>', 'base address of the portal')
    .option('--key <file>', 'key file of a service account')
    .option('--token-env <name>', 'environment variable with an access token of the portal')
    .option('--provider-token-env <name>', 'environment variable with a token of the identity provider')
    .option('--audience <text>', 'audience of the assertion, if not the default one')
    .option('--api-path <path>', 'path of the interface below the address, if not the default one')
    .option('--profile <name>', 'name of the profile', 'default')
    .option('--timeout <seconds>', 'abort a request after this time', Number)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico login --url https://portal.acme.example --key erp-key.json\n  $ portico login --url localhost:8080 --provider-token-env GOOGLE_TOKEN --profile lab',
    )
    .action(async (flags: LoginFlags & { profile: string }) => {
      const profile = profileOf(flags);
      const { client, options } = await connect(profile, flags);
      // A token that is kept would say nothing about the key, the address and the audience that were given now.
      if (flags.tokenEnv === undefined) await client.signOut();
      const { userData } = await client.auth.currentUser({}, options);
      const configuration = readConfiguration();
      configuration.profiles[flags.profile] = profile;
      configuration.current = flags.profile;
      writeConfiguration(configuration);
      process.stdout.write(
        `Signed in at ${client.baseUrl} as ${[userData?.firstName, userData?.lastName].filter(Boolean).join(' ')} (user ${userData?.id}); profile "${flags.profile}" is in ${configurationPath()}.\n`,
      );
    });
}

function profileOf(flags: LoginFlags): Profile {
  const ways = [flags.key, flags.tokenEnv, flags.providerTokenEnv].filter((way) => way !== undefined);
  if (ways.length !== 1) throw new UsageError('Choose how to sign in: --key, --token-env or --provider-token-env.');
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
    .description('Delete the access token of a profile; the profile is kept')
    .option('--profile <name>', 'profile to use instead of the current one')
    .addHelpText('after', '\nExamples:\n  $ portico logout\n  $ portico logout --profile lab')
    .action(async (flags: CommonOptions) => {
      const { client, profileName } = await openSession(flags);
      await client.signOut();
      process.stdout.write(`Deleted the access token of profile "${profileName}".\n`);
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
      const { userData = {} } = await client.auth.currentUser({}, options);
      const { id, firstName, lastName, contactEmail, serviceAccount } = userData;
      const shown = {
        profile: profileName,
        url: client.baseUrl,
        id,
        firstName,
        lastName,
        contactEmail,
        serviceAccount,
      };
      if (asksForData(flags)) await printData(shown, flags);
      else await printObject(shown, { format: flags.output, fields: flags.fields });
    });
}
