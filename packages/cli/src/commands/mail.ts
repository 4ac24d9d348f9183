import { type Command, Option } from 'commander';
import { CommandError, UsageError } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { bold, type OutputFormat, outputFormats, printObject, printTable, red } from '../output.ts';

const states = ['waiting', 'failed', 'unsent', 'sent'] as const;

/** `portico mail …`: outgoing mail. */
export function mailCommand(program: Command): void {
  const mail = program
    .command('mail')
    .description('Try the mail server, list mails and send failed ones again (operator)');
  mail
    .command('check')
    .summary('Try the mail server')
    .description('Connect to the mail server as the service does, sign in, and send a mail if --to says to whom')
    .option('--to <address>', 'send a mail there: only then the sender is tried, too')
    .addHelpText(
      'after',
      '\nEnds with 1 when anything failed, and says what is at fault.\n\nExamples:\n  $ portico mail check\n  $ portico mail check --to ada@acme.example',
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
    .command('list')
    .summary('List mails of a tenant')
    .description(
      'Mails of a tenant of the last 30 days that failed, or those in another state; the newest first, without what they say',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('--state <state>', 'which mails').choices([...states, 'all']).default('failed'))
    .option('--limit <number>', 'at most so many', '100')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico mail list --tenant acme\n  $ portico mail list --tenant acme --state all --output json',
    )
    .action(
      async (words: {
        tenant: string;
        state: (typeof states)[number] | 'all';
        limit: string;
        output: OutputFormat;
      }) => {
        if (!/^[1-9]\d{0,4}$/.test(words.limit)) throw new UsageError('--limit takes a whole number from 1 to 99999.');
        const operator = await loadOperator();
        const state = words.state === 'all' ? undefined : words.state;
        const found = await operator.withOperator((session) =>
          session.listMails(words.tenant, state, Number(words.limit)),
        );
        const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
        if (words.output !== 'table') return printObject(found, { format: words.output });
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
    .argument('[ids...]', 'ids of mails, as "portico mail list" shows them')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico mail retry --tenant acme 17 18\n  $ portico mail retry --tenant acme --all',
    )
    .action(async (ids: string[], words: { tenant: string; all: boolean }) => {
      if (words.all === ids.length > 0) throw new UsageError('Name the mails by their ids, or all of them with --all.');
      const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id));
      if (wrong !== undefined) throw new UsageError(`"${wrong}" is not the id of a mail.`);
      const operator = await loadOperator();
      const retried = await operator.withOperator((session) =>
        session.retryMails(words.tenant, words.all ? undefined : ids.map(Number)),
      );
      process.stdout.write(
        retried.length === 0 ? 'There is no mail to send again.\n' : `Mails ${retried.join(', ')} are sent again.\n`,
      );
    });
}
