/** Commands that write an archive: about a person, and of a community. */
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

/** `portico api communities export-archive`: a community whole as one archive. */
export function addCommunityArchiveCommand(communities: Command): void {
  const command = communities
    .command('export-archive')
    .summary('Write a community whole into an archive')
    .description(
      'Write a community into a ZIP archive that another portal can import, as far as you see it: definition, posts, comments, files, history and the names of people. Every archive is in the audit log.',
    )
    .argument('<community-id>', 'the community', parseInteger);
  addArchive(command, ['2 --out purchasing.zip', '2 > purchasing.zip'], (client, communityId, options) =>
    client.communities.exportArchive({ communityId: communityId as number }, options),
  );
}

type Session = Awaited<ReturnType<typeof openSession>>;

function addArchive(
  command: Command,
  examples: readonly [string, string],
  open: (
    client: Session['client'],
    id: number | undefined,
    options: { signal?: AbortSignal },
  ) => Promise<ReadableStream<Uint8Array>>,
): void {
  const name = `portico api ${command.parent?.name()} ${command.name()}`;
  command.option('--out <file>', 'file to write, which must not exist (default: standard output)');
  addCommonOptions(command)
    .addHelpText('after', `\nExamples:\n${examples.map((words) => `  $ ${name} ${words}`).join('\n')}`)
    .action(async (id: unknown) => {
      const flags = command.opts<CommonOptions & { out?: string }>();
      const { client, options } = await openSession(flags);
      const archive = await open(client, typeof id === 'number' ? id : undefined, {
        ...(options.signal && { signal: options.signal }),
      });
      const target =
        flags.out === undefined ? process.stdout : createWriteStream(flags.out, { flags: 'wx', mode: 0o600 });
      await pipeline(Readable.fromWeb(archive as Parameters<typeof Readable.fromWeb>[0]), target, {
        end: flags.out !== undefined,
      });
    });
}
