/** The program's commands: each noun is loaded on use, so that a start is cheap. */
import type { Domain } from '@portico/contract';
import { Command } from 'commander';
import { nounDescriptions, nounOf } from './client/nouns.ts';
import { exitCodeMeanings, exitCodes } from './errors.ts';
import { examplesOfVerbs } from './help-text.ts';
import { version } from './version.ts';

type Register = (program: Command) => void;

interface Entry {
  description: string;
  load: () => Promise<Register>;
}

const clientNouns = Object.fromEntries(
  Object.entries(nounDescriptions).map(([domain, description]) => [
    nounOf(domain),
    {
      description,
      load: async () => {
        const { registerNoun } = await import('./client/register.ts');
        return (program: Command) => registerNoun(program, domain as Domain);
      },
    },
  ]),
);

/** Other names of nouns. */
const ALIASES: Readonly<Record<string, string>> = { community: 'communities' };

/** Everything that can follow `portico`. */
export const entries: Readonly<Record<string, Entry>> = {
  login: {
    description: 'Sign in to a portal and save how in a profile',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  logout: {
    description: 'Delete the access token of a profile',
    load: async () => (await import('./commands/login.ts')).logoutCommand,
  },
  whoami: {
    description: 'Print which account and portal the commands use',
    load: async () => (await import('./commands/login.ts')).whoamiCommand,
  },
  token: {
    description: 'Print an access token, for the page of the interface',
    load: async () => (await import('./commands/login.ts')).tokenCommand,
  },
  config: {
    description: 'Profiles: which portal, and how to sign in there',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  ...clientNouns,
  api: {
    description: 'Send any request, signed in',
    load: async () => (await import('./commands/api.ts')).apiCommand,
  },
  completion: {
    description: 'Print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  tenant: {
    description: 'Create and list tenants (operator)',
    load: async () => (await import('./commands/tenant.ts')).tenantCommand,
  },
  user: {
    description: 'Add, block and sign out people and service accounts (operator)',
    load: async () => (await import('./commands/user.ts')).userCommand,
  },
  'break-glass': {
    description: 'The administrator who gets in when no identity provider does (operator)',
    load: async () => (await import('./commands/break-glass.ts')).breakGlassCommand,
  },
  'service-account': {
    description: 'Create service accounts and revoke their keys (operator)',
    load: async () => (await import('./commands/service-account.ts')).serviceAccountCommand,
  },
  keys: {
    description: 'List, replace and withdraw the keys of a tenant (operator)',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  encryption: {
    description: 'Replace the key that encrypts secrets in the database (operator)',
    load: async () => (await import('./commands/encryption.ts')).encryptionCommand,
  },
  nodes: {
    description: 'Show the nodes of a Citus cluster with their contents (operator)',
    load: async () => (await import('./commands/nodes.ts')).nodesCommand,
  },
  db: {
    description: 'Copy the database to another server, and tell of a restored one (operator)',
    load: async () => (await import('./commands/db.ts')).dbCommand,
  },
  backup: {
    description: 'Create, verify, restore, list and prune backups of the whole installation (operator)',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  import: {
    description: 'Import rows of a file as posts of a community (operator)',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  storage: {
    description: 'Try the storage of files (operator)',
    load: async () => (await import('./commands/storage.ts')).storageCommand,
  },
  mail: {
    description: 'Try the mail server, list mails and send failed ones again (operator)',
    load: async () => (await import('./commands/mail.ts')).mailCommand,
  },
  erase: {
    description: 'Erase data that were marked for erasure (operator)',
    load: async () => (await import('./commands/erase.ts')).eraseCommand,
  },
};

/** A program without commands. */
function emptyProgram(): Command {
  return new Command('portico')
    .description('Use Portico from a terminal, and operate it where the server is installed')
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError('(see --help for the arguments and flags of this command)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico login --url https://portal.acme.example --key erp-key.json\n  $ portico posts list 2 --where "Status=Draft" --all --output csv\n  $ portico help --all > reference.md',
    )
    .addHelpText('after', () => `\nExit codes:\n${exitCodeLines().join('\n')}`);
}

/** Returns a line for each exit code. */
function exitCodeLines(): string[] {
  return Object.entries(exitCodes).map(
    ([kind, code]) => `  ${String(code).padStart(2)}  ${exitCodeMeanings[kind as keyof typeof exitCodes]}`,
  );
}

/**
 * Returns the program with the commands of a noun; with the bare names of all nouns if the word is
 * no noun.
 */
export async function programFor(given: string | undefined): Promise<Command> {
  const program = emptyProgram();
  const noun = given !== undefined && Object.hasOwn(ALIASES, given) ? ALIASES[given] : given;
  const entry = noun !== undefined && Object.hasOwn(entries, noun) ? entries[noun] : undefined;
  if (entry) {
    (await entry.load())(program);
    if (noun !== given && given !== undefined) program.commands[0]?.alias(given);
    addVerbExamples(program);
  } else for (const [name, { description }] of Object.entries(entries)) program.command(name).description(description);
  return program;
}

/** Returns the complete program, for completion and the reference page. */
export async function wholeProgram(): Promise<Command> {
  const program = emptyProgram();
  for (const { load } of Object.values(entries)) (await load())(program);
  addVerbExamples(program);
  return program;
}

function addVerbExamples(program: Command): void {
  for (const command of program.commands) {
    if (command.commands.length > 0) command.addHelpText('after', () => examplesOfVerbs(command));
  }
}
