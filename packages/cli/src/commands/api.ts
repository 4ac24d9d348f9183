import { type Command, InvalidArgumentError } from 'commander';
import { addCommonOptions, parseJson } from '../client/flags.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { type CommonOptions, openSession } from '../session.ts';

/** `portico api METHOD PATH`: any request, signed in. */
export function apiCommand(program: Command): void {
  const api = program
    .command('api')
    .description('Send any request, signed in. Only GET requests are retried.')
    .argument('<method>', 'GET, POST, PUT or DELETE', (text) => {
      if (!/^(get|post|put|delete)$/i.test(text))
        throw new InvalidArgumentError('it must be GET, POST, PUT or DELETE.');
      return text.toUpperCase();
    })
    .argument(
      '<path>',
      'path relative to the root of the interface, with its query; or an absolute path that begins with /portal/',
    )
    .option('--data <json>', 'body as JSON, @file or - for standard input', parseJson)
    .option('--include', 'also print the status and the headers, on stderr');
  addCommonOptions(api)
    .addHelpText(
      'after',
      `
Without --output the answer is printed as JSON.

Examples:
  $ portico api GET core/auth/current-user-data
  $ portico api POST communication/posts/data/list/community/2 --data '{"pageSize": 5}' --output yaml`,
    )
    .action(async (method: string, path: string) => {
      const flags = api.opts<
        CommonOptions & { data?: unknown; include?: boolean; output: OutputFormat; fields?: string[] }
      >();
      const { client, options } = await openSession(flags);
      const answer = await client.request(method, path, {
        ...options,
        ...(flags.data !== undefined && { body: flags.data }),
      });
      if (flags.include) {
        process.stderr.write(`${answer.status}\n`);
        for (const [name, value] of answer.headers) process.stderr.write(`${name}: ${value}\n`);
      }
      if (answer.body === undefined) return;
      const format = api.getOptionValueSource('output') === 'default' ? 'json' : flags.output;
      await printObject(answer.body, { format, fields: flags.fields });
    });
}
