/** The program's commands: each is loaded on use, so that a start is cheap. */
import type { Domain } from '@portico/contract';
import { Command } from 'commander';
import { nounDescriptions, nounOf } from './client/nouns.ts';
import { exitCodeMeanings, exitCodes } from './errors.ts';
import { examplesOfVerbs } from './help-text.ts';
import { version } from './version.ts';
import { reads, readsByName } from './words.ts';

type Register = (parent: Command) => void;

/** A command that is loaded on use. */
export interface Entry {
  description: string;
  load: () => Promise<Register>;
  /** The command changes nothing. */
  reads?: true;
}

/** Commands by name. */
export type Entries = Readonly<Record<string, Entry>>;

/** Generated commands, below `portico api`: one noun for each part of the interface. */
export const apiEntries: Entries = Object.fromEntries(
  Object.entries(nounDescriptions).map(([domain, description]) => [
    nounOf(domain),
    {
      description,
      load: async () => {
        const { registerNoun } = await import('./client/register.ts');
        return (parent: Command) => registerNoun(parent, domain as Domain);
      },
      reads: true,
    } satisfies Entry,
  ]),
);

/** Commands of operators, below `portico admin`. */
export const adminEntries: Entries = {
  tenant: {
    description: 'Create and list tenants',
    load: async () => (await import('./commands/tenant.ts')).tenantCommand,
    reads: true,
  },
  user: {
    description: 'Add, block and sign out people and service accounts',
    load: async () => (await import('./commands/user.ts')).userCommand,
    reads: true,
  },
  'break-glass': {
    description: 'The administrator who gets in when no identity provider does',
    load: async () => (await import('./commands/break-glass.ts')).breakGlassCommand,
    reads: true,
  },
  'service-account': {
    description: 'Create service accounts and revoke their keys',
    load: async () => (await import('./commands/service-account.ts')).serviceAccountCommand,
    reads: true,
  },
  keys: {
    description: 'List, replace and withdraw the keys of a tenant',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
    reads: true,
  },
  encryption: {
    description: 'Replace the key that encrypts secrets in the database',
    load: async () => (await import('./commands/encryption.ts')).encryptionCommand,
    reads: true,
  },
  nodes: {
    description: 'Show the nodes of a Citus cluster with their contents',
    load: async () => (await import('./commands/nodes.ts')).nodesCommand,
    reads: true,
  },
  db: {
    description: 'Copy the database to another server, and tell of a restored one',
    load: async () => (await import('./commands/db.ts')).dbCommand,
    reads: true,
  },
  import: {
    description: 'Import rows of a file as posts of a community',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  storage: {
    description: 'Try the storage of files',
    load: async () => (await import('./commands/storage.ts')).storageCommand,
    reads: true,
  },
  mail: {
    description: 'Try the mail server, list mails and send failed ones again',
    load: async () => (await import('./commands/mail.ts')).mailCommand,
    reads: true,
  },
  erase: {
    description: 'Erase data that were marked for erasure',
    load: async () => (await import('./commands/erase.ts')).eraseCommand,
  },
  audit: {
    description: 'Verify the audit log, and remove its old entries',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
    reads: true,
  },
};

/** Commands that follow `portico`. */
export const entries: Entries = {
  login: {
    description: 'Sign in to a portal and save how in a profile',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  logout: {
    description: 'Sign out of the portal of a profile',
    load: async () => (await import('./commands/login.ts')).logoutCommand,
  },
  whoami: {
    description: 'Print which account and portal the commands use',
    load: async () => (await import('./commands/login.ts')).whoamiCommand,
    reads: true,
  },
  token: {
    description: 'Print an access token',
    load: async () => (await import('./commands/login.ts')).tokenCommand,
    reads: true,
  },
  posts: {
    description: 'List, view, create, edit, move and comment posts, by the names that people know',
    load: async () => (await import('./people/posts.ts')).postsCommand,
    reads: true,
  },
  tasks: {
    description: 'List your open tasks',
    load: async () => (await import('./people/tasks.ts')).tasksCommand,
    reads: true,
  },
  search: {
    description: 'Search posts, comments, tasks, files, people and communities',
    load: async () => (await import('./people/search.ts')).searchCommand,
    reads: true,
  },
  import: {
    description: 'Import rows of a file as posts of a community',
    load: async () => (await import('./people/files.ts')).importCommand,
  },
  export: {
    description: 'Write the posts of a community to a file',
    load: async () => (await import('./people/files.ts')).exportCommand,
    reads: true,
  },
  config: {
    description: 'Profiles: which portal, and how to sign in there',
    load: async () => (await import('./commands/config.ts')).configCommand,
    reads: true,
  },
  completion: {
    description: 'Print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
    reads: true,
  },
  serve: {
    description: 'Start the service (operator)',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  doctor: {
    description: 'Examine this installation, and say what is wrong and how to correct it (operator)',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    reads: true,
  },
  backup: {
    description: 'Create, verify, restore, list and prune backups of the whole installation (operator)',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
    reads: true,
  },
};

/** Groups whose commands are loaded one by one. */
const groups: Readonly<Record<string, { description: string; entries: Entries }>> = {
  api: { description: 'Every operation of the interface, and any other request', entries: apiEntries },
  admin: { description: 'Commands of operators, where the server is installed', entries: adminEntries },
};

const ADMIN_EXAMPLES = `
Examples:
  $ portico admin tenant list
  $ portico admin user invite --tenant acme grace@acme.example`;

/** A program without commands. */
function emptyProgram(): Command {
  return new Command('portico')
    .description('Use Portico from a terminal, and operate it where the server is installed')
    .version(version)
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .showHelpAfterError('(see --help for the arguments and flags of this command)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico login --url https://portal.acme.example\n  $ portico posts list "IT Service Desk" --where "Status=Draft"\n  $ portico help --all > reference.md',
    )
    .addHelpText('after', () => `\nExit codes:\n${exitCodeLines().join('\n')}`);
}

/** Returns a line for each exit code. */
function exitCodeLines(): string[] {
  return Object.entries(exitCodes).map(
    ([kind, code]) => `  ${String(code).padStart(2)}  ${exitCodeMeanings[kind as keyof typeof exitCodes]}`,
  );
}

/** Creates the command of a group, without its commands. */
async function addGroup(program: Command, name: string): Promise<Command> {
  if (name === 'api') return (await import('./commands/api.ts')).apiCommand(program);
  return program
    .command(name)
    .description(groups[name]?.description ?? '')
    .addHelpText('after', ADMIN_EXAMPLES);
}

async function addEntry(parent: Command, { load, reads: changesNothing }: Entry): Promise<void> {
  (await load())(parent);
  const command = parent.commands.at(-1) as Command;
  if (changesNothing && command.commands.length === 0) reads(command);
  readsByName(command);
}

function addNames(parent: Command, list: Entries): void {
  for (const [name, { description, reads: changesNothing }] of Object.entries(list)) {
    const command = parent.command(name).description(description);
    if (changesNothing) reads(command);
  }
}

/**
 * Returns the program with the command that the words name; with the bare names of all commands in
 * its place if they name none.
 */
export async function programFor(words: readonly string[]): Promise<Command> {
  const program = emptyProgram();
  const [first = '', second = ''] = words;
  const group = Object.hasOwn(groups, first) ? groups[first] : undefined;
  if (group) {
    const parent = await addGroup(program, first);
    const entry = Object.hasOwn(group.entries, second) ? group.entries[second] : undefined;
    if (entry) await addEntry(parent, entry);
    else addNames(parent, group.entries);
  } else if (Object.hasOwn(entries, first)) await addEntry(program, entries[first] as Entry);
  else {
    addNames(program, entries);
    for (const [name, { description }] of Object.entries(groups)) reads(program.command(name).description(description));
  }
  addVerbExamples(program);
  return program;
}

/** Returns the complete program, for completion and the reference page. */
export async function wholeProgram(): Promise<Command> {
  const program = emptyProgram();
  for (const entry of Object.values(entries)) await addEntry(program, entry);
  for (const [name, group] of Object.entries(groups)) {
    const parent = await addGroup(program, name);
    for (const entry of Object.values(group.entries)) await addEntry(parent, entry);
  }
  addVerbExamples(program);
  return program;
}

/** Adds two examples of its commands to the help text of each group. */
function addVerbExamples(parent: Command): void {
  for (const command of parent.commands) {
    if (command.commands.length === 0) continue;
    addVerbExamples(command);
    // The groups have examples of their own.
    if (!Object.hasOwn(groups, command.name())) command.addHelpText('after', () => examplesOfVerbs(command));
  }
}
