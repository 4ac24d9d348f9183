import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { type CommonOptions, openSession } from '../session.ts';

/** `portico api users export-person`: everything about a user as one archive. */
export function addPersonExportCommand(users: Command): void {
  const command = users
    .command('export-person')
    .summary('Write everything about a user into an archive')
    .description(
      'Write everything about a user into a ZIP archive: profile, credentials without secrets, sessions, roles, posts, comments, tasks, likes, files, notifications, entries of the audit log. Every archive is in the audit log.',
    )
    .argument('<user-id>', 'the user', parseInteger);
  addArchive(command, ['17 --out ada.zip', '17 > ada.zip'], (client, userId, options) =>
    client.users.exportPerson({ userId: userId as number }, options),
  );
}

/** `portico api auth export-my-data`: the same about oneself. */
export function addOwnExportCommand(auth: Command): void {
  const command = auth
    .command('export-my-data')
    .summary('Write everything about you into an archive')
    .description(
      'Write everything that the portal holds about you into a ZIP archive. This requires a sign-in; a personal access token is not accepted.',
    );
  addArchive(command, ['--out me.zip', '> me.zip'], (client, _userId, options) => client.auth.exportMyData(options));
}

type Session = Awaited<ReturnType<typeof openSession>>;

function addArchive(
  command: Command,
  examples: readonly [string, string],
  open: (
    client: Session['client'],
    userId: number | undefined,
    options: { signal?: AbortSignal },
  ) => Promise<ReadableStream<Uint8Array>>,
): void {
  const name = `portico api ${command.parent?.name()} ${command.name()}`;
  command.option('--out <file>', 'file to write, which must not exist (default: standard output)');
  addCommonOptions(command)
    .addHelpText('after', `\nExamples:\n${examples.map((words) => `  $ ${name} ${words}`).join('\n')}`)
    .action(async (userId: unknown) => {
      const flags = command.opts<CommonOptions & { out?: string }>();
      const { client, options } = await openSession(flags);
      const archive = await open(client, typeof userId === 'number' ? userId : undefined, {
        ...(options.signal && { signal: options.signal }),
      });
      const target =
        flags.out === undefined ? process.stdout : createWriteStream(flags.out, { flags: 'wx', mode: 0o600 });
      await pipeline(Readable.fromWeb(archive as Parameters<typeof Readable.fromWeb>[0]), target, {
        end: flags.out !== undefined,
      });
    });
}
