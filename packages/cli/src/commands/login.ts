import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addCommonOptions } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { configurationPath, type Profile, readConfiguration, writeConfiguration } from '../profiles.ts';
import { type CommonOptions, connect, openSession, withScheme } from '../session.ts';

interface LoginWords extends CommonOptions {
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
    .description('Sign in to a portal and keep how in a profile. Key files and variables are named there, not copied.')
    .requiredOption('--url <address>', 'base address of the portal')
    .option('--key <file>', 'key file of a service account')
    .option('--token-env <name>', 'environment variable with an access token of the portal')
    .option('--provider-token-env <name>', 'environment variable with a token of the identity provider')
    .option('--audience <text>', 'audience of the assertion, where the portal wants another one')
    .option('--api-path <path>', 'path of the interface below the address, where it is another one')
    .option('--profile <name>', 'name of the profile', 'default')
    .option('--timeout <seconds>', 'give up on a request after this time', Number)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico login --url https://portal.acme.example --key erp-key.json\n  $ portico login --url localhost:8080 --provider-token-env GOOGLE_TOKEN --profile lab',
    )
    .action(async (words: LoginWords & { profile: string }) => {
      const profile = profileOf(words);
      const { client, options } = await connect(profile, words);
      // A token that is kept would say nothing about the key, the address and the audience that were given now.
      if (words.tokenEnv === undefined) await client.signOut();
      const { userData } = await client.auth.currentUser({}, options);
      const configuration = readConfiguration();
      configuration.profiles[words.profile] = profile;
      configuration.current = words.profile;
      writeConfiguration(configuration);
      process.stdout.write(
        `Signed in at ${client.baseUrl} as ${[userData?.firstName, userData?.lastName].filter(Boolean).join(' ')} (user ${userData?.id}); profile "${words.profile}" is in ${configurationPath()}.\n`,
      );
    });
}

function profileOf(words: LoginWords): Profile {
  const ways = [words.key, words.tokenEnv, words.providerTokenEnv].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw new UsageError('Say how to sign in: one of --key, --token-env and --provider-token-env.');
  return {
    url: withScheme(words.url),
    ...(words.key !== undefined && { keyFile: resolve(words.key) }),
    ...(words.tokenEnv !== undefined && { tokenVariable: words.tokenEnv }),
    ...(words.providerTokenEnv !== undefined && { providerTokenVariable: words.providerTokenEnv }),
    ...(words.audience !== undefined && { audience: words.audience }),
    ...(words.apiPath !== undefined && { apiPath: words.apiPath }),
    ...(words.timeout !== undefined && { timeoutMs: words.timeout * 1000 }),
  };
}

/** `portico logout` */
export function logoutCommand(program: Command): void {
  program
    .command('logout')
    .description('Forget the access token of a profile; the profile itself stays')
    .option('--profile <name>', 'profile to use instead of the current one')
    .addHelpText('after', '\nExamples:\n  $ portico logout\n  $ portico logout --profile lab')
    .action(async (words: CommonOptions) => {
      const { client, profileName } = await openSession(words);
      await client.signOut();
      process.stdout.write(`Forgot the access token of profile "${profileName}".\n`);
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
    .option('--timeout <seconds>', 'give up on a request after this time', Number)
    .addHelpText(
      'after',
      `
Paste it into "Authorize" of the page at /portal/api/docs, or send it as "Authorization: Bearer". It is a JWT whose exp says
until when it is good.

Examples:
  $ portico token
  $ curl -H "Authorization: Bearer $(portico token --profile lab)" https://lab.acme.example/portal/api/core/auth/current-user-data`,
    )
    .action(async (words: CommonOptions) => {
      const { client } = await openSession(words);
      process.stdout.write(`${await client.accessToken()}\n`);
    });
}

/** `portico whoami` */
export function whoamiCommand(program: Command): void {
  const whoami = program.command('whoami').description('Tell who the commands run as, and where');
  addCommonOptions(whoami)
    .addHelpText('after', '\nExamples:\n  $ portico whoami\n  $ portico whoami --profile lab --output json')
    .action(async (words: CommonOptions & { output: OutputFormat; fields?: string[] }) => {
      const { client, profileName, options } = await openSession(words);
      const { userData = {} } = await client.auth.currentUser({}, options);
      const { id, firstName, lastName, contactEmail, serviceAccount } = userData;
      await printObject(
        { profile: profileName, url: client.baseUrl, id, firstName, lastName, contactEmail, serviceAccount },
        { format: words.output, fields: words.fields },
      );
    });
}
