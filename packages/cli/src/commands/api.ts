import { type Command, InvalidArgumentError } from 'commander';
import { addCommonOptions, parseJson } from '../client/flags.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { type CommonOptions, openSession } from '../session.ts';

/**
 * Adds `portico api METHOD PATH`, which sends any request, signed in. The nouns of the interface
 * become its subcommands.
 * @returns the command
 */
export function apiCommand(program: Command): Command {
  const api = program
    .command('api')
    .summary('Every operation of the interface, and any other request')
    .description(
      'Every operation of the interface, by the name of its part; or any request, signed in. Requests by path are repeated only if they are GET.',
    )
    .argument('<method>', 'GET, POST, PUT or DELETE', (text) => {
      if (!/^(get|post|put|delete)$/i.test(text))
        throw new InvalidArgumentError(
          'it must be GET, POST, PUT or DELETE, or a part of the interface such as posts.',
        );
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
Without --output the answer of a request by path is printed as JSON.

Examples:
  $ portico api posts list 2 --where "Status=Draft" --output json
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
  return api;
}
