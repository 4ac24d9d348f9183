import { type Command, Option } from 'commander';
import { CommandError, UsageError } from '../errors.ts';
import { loadOperator, withOperator } from '../operator.ts';
import { bold, type OutputFormat, outputFormats, printObject, printTable, red } from '../output.ts';

const states = ['waiting', 'failed', 'unsent', 'sent'] as const;

/** Exit code that tells a mail server to try again (`EX_TEMPFAIL` of sysexits.h). */
const TRY_AGAIN = 75;
/** Largest mail that is read. Bytes. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Reads standard input to its end. @returns undefined for more than {@link MOST_BYTES} */
async function readMail(): Promise<Uint8Array | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    length += (piece as Buffer).length;
    if (length <= MOST_BYTES) pieces.push(piece as Buffer);
  }
  return length > MOST_BYTES ? undefined : Buffer.concat(pieces);
}

/** `portico admin mail …`: outgoing mail, and answers to it. */
export function mailCommand(program: Command): void {
  const mail = program
    .command('mail')
    .description('Try the mail server, list mails, send failed ones again and take answers (operator)');
  mail
    .command('check')
    .summary('Try the mail server')
    .description('Connect to the mail server as the service does, sign in, and send a test mail if --to is given')
    .option('--to <address>', 'also send a test mail to this address, which checks the sender')
    .addHelpText(
      'after',
      '\nEnds with 1 when anything failed, and names the cause.\n\nExamples:\n  $ portico admin mail check\n  $ portico admin mail check --to ada@acme.example',
    )
    .action(async ({ to }: { to?: string }) => {
      const operator = await loadOperator();
      let failures = 0;
      for await (const check of operator.checkMail(to)) {
        if (!check.ok) failures += 1;
        process.stdout.write(`${check.ok ? bold('ok    ') : red('FAILED', process.stdout)}  ${check.tried}\n`);
        if (!check.ok) process.stdout.write(`        ${check.problem}\n`);
      }
      if (failures > 0) throw new CommandError('Mail cannot be sent.');
    });
  mail
    .command('receive')
    .summary('Take an answer to a mail')
    .description('Read an answer to a mail of notifications from standard input, and write it as a comment')
    .addHelpText(
      'after',
      '\nFor the pipe of a mail server. Ends with 0 also for a mail that is dropped; with 75 when the server is to try again.\n\nExamples:\n  $ portico admin mail receive < answer.eml\n  $ echo \'portico-replies: "|portico admin mail receive"\' >> /etc/aliases',
    )
    .action(async () => {
      const operator = await loadOperator();
      try {
        await operator.receiveMail(await readMail());
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        process.exitCode = TRY_AGAIN;
      }
    });
  mail
    .command('list')
    .summary('List mails of a tenant')
    .description(
      'List mails of the last 30 days that failed, or mails in another state. The newest come ' +
        'first, without their text.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('--state <state>', 'which mails').choices([...states, 'all']).default('failed'))
    .option('--limit <number>', 'maximum number of mails', '100')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin mail list --tenant acme\n  $ portico admin mail list --tenant acme --state all --output json',
    )
    .action(
      async (flags: {
        tenant: string;
        state: (typeof states)[number] | 'all';
        limit: string;
        output: OutputFormat;
      }) => {
        if (!/^[1-9]\d{0,4}$/.test(flags.limit)) throw new UsageError('--limit takes a whole number from 1 to 99999.');
        const state = flags.state === 'all' ? undefined : flags.state;
        const found = await withOperator((session) => session.listMails(flags.tenant, state, Number(flags.limit)));
        const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
        if (flags.output !== 'table') return printObject(found, { format: flags.output });
        printTable(
          found.map((one) => ({
            id: one.id,
            to: one.recipient,
            template: one.template,
            state: one.state,
            attempts: one.attempts,
            made: time(one.createdAt),
            next: time(one.dueAt),
            retry: one.retryable ? 'yes' : '',
            error: one.error ?? '',
          })),
        );
      },
    );
  mail
    .command('retry')
    .summary('Send failed mails again')
    .description('Have the service send failed mails again, as long as their links are valid')
    .requiredOption('--tenant <name>', 'the tenant')
    .option('--all', 'all failed mails that can be sent', false)
    .argument('[ids...]', 'ids of mails, as "portico admin mail list" shows them')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin mail retry --tenant acme 17 18\n  $ portico admin mail retry --tenant acme --all',
    )
    .action(async (ids: string[], flags: { tenant: string; all: boolean }) => {
      if (flags.all === ids.length > 0) throw new UsageError('Give ids of mails, or --all.');
      const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
      if (wrong !== undefined) throw new UsageError(`"${wrong}" is not a mail id.`);
      const retried = await withOperator((session) =>
        session.retryMails(flags.tenant, flags.all ? undefined : ids.map(Number)),
      );
      process.stdout.write(
        retried.length === 0 ? 'No mails to send again.\n' : `Queued again: mails ${retried.join(', ')}.\n`,
      );
    });
}
