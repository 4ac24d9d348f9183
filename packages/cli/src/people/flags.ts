/** Flags of the commands for people, and how their answers are printed. */
import type { Command } from 'commander';
import { commaList, parseNumber } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { printJson } from '../output.ts';
import type { CommonOptions } from '../session.ts';

/** Flags that choose the form of an answer. */
export interface ShownFlags extends CommonOptions {
  /** True for all members; else the names of the columns. */
  json?: true | string[];
  jq?: string;
  template?: string;
}

/** Flags of a list, in addition. */
export interface ListFlags extends ShownFlags {
  csv?: boolean;
  columns?: string[];
  limit?: number;
  all?: boolean;
}

/** Adds the flags of every command for people. */
export function addPeopleOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'profile to use instead of the current one')
    .option('--timeout <seconds>', 'abort a request after this time', parseNumber)
    .option('--verbose', 'print each request on standard error')
    .option('--no-color', 'do not use colours');
}

/** Adds the flags that choose the form of an answer. */
export function addShownOptions(command: Command): Command {
  return addPeopleOptions(
    command
      .option('--json [names]', 'print JSON: everything, or these columns, separated by commas', commaList)
      .option('--jq <filter>', 'print the results of a jq filter of the JSON')
      .option('--template <text>', 'print the JSON by a Mustache template, such as "{{#.}}{{id}} {{title}}\\n{{/.}}"'),
  );
}

/** The JSON forms of an answer. */
interface DataForms {
  jq?: string | undefined;
  template?: string | undefined;
}

/** Whether flags ask for JSON or a form of it. */
export function asksForData({ json, jq, template }: ShownFlags): boolean {
  return json !== undefined || jq !== undefined || template !== undefined;
}

/**
 * Prints data as JSON, as results of a jq filter or by a template.
 * @throws UsageError for a wrong filter or template
 */
export async function printData(data: unknown, { jq, template }: DataForms): Promise<void> {
  if (jq !== undefined && template !== undefined) throw new UsageError('Use --jq or --template, not both.');
  if (jq !== undefined) return printFiltered(data, jq);
  if (template !== undefined) return printTemplate(data, template);
  printJson(data);
}

async function printFiltered(data: unknown, filter: string): Promise<void> {
  const { default: jq } = await import('@michaelhomer/jqjs');
  const results: unknown[] = [];
  try {
    for (const result of jq.compile(filter)(data)) results.push(result);
  } catch (error) {
    throw new UsageError(`The filter of --jq fails: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const result of results)
    process.stdout.write(`${typeof result === 'string' ? result : JSON.stringify(result)}\n`);
}

async function printTemplate(data: unknown, template: string): Promise<void> {
  const { default: mustache } = await import('mustache');
  try {
    // A shell passes \n and \t as two characters.
    const text = template.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
    const written = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
    const shown = mustache.render(text, data, undefined, { escape: written });
    process.stdout.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
  } catch (error) {
    throw new UsageError(`The template is wrong: ${(error as Error).message}`);
  }
}
