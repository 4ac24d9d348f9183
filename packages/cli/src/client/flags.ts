/**
 * Flags: their declaration from the contract, and the conversion of their values to the input of an
 * operation.
 */
import type { QueryParam } from '@portico/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../errors.ts';
import type { BodyField, Codes, FlagKind } from '../flags-source.ts';
import { outputFormats } from '../output.ts';
import { readTextFile } from '../text-files.ts';

/** `descriptionFormat` → `description-format` */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** Options of every command that sends requests to a portal. */
export function addCommonOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'profile to use instead of the current one')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .option('--fields <paths>', 'fields to print, separated by commas, such as id,creatorUser.lastName', commaList)
    .option('--timeout <seconds>', 'abort a request after this time', parseNumber)
    .option('--verbose', 'print each request on stderr')
    .option('--no-color', 'do not use colours');
}

/** Comma-separated texts. */
export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A number on the command line. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('it must be a number.');
  return value;
}

/** A whole number on the command line. */
export function parseInteger(text: string): number {
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError('it must be a whole number.');
  }
  return Number(text);
}

/** A whole number of at least 1. */
export function parsePositive(text: string): number {
  const value = parseInteger(text);
  if (value < 1) throw new InvalidArgumentError('it must be 1 or more.');
  return value;
}

/** Epoch milliseconds, or a date or moment in ISO 8601, which is easier to write. */
export function parseMoment(text: string): number {
  if (/^-?\d{5,16}$/.test(text)) return Number(text);
  const ms = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('it must be a date such as 2026-12-31, or epoch milliseconds.');
  return ms;
}

/** JSON, or `@file` with JSON, or `-` for JSON on standard input. */
export function parseJson(text: string): unknown {
  const source = readText(text);
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new InvalidArgumentError(`it must be JSON, @file or -: ${(error as Error).message}`);
  }
}

/** A text, or the content of `@file` or standard input (`-`). */
export function readText(text: string): string {
  if (text !== '-' && !text.startsWith('@')) return text;
  try {
    return readTextFile(text.replace(/^@/, ''));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new InvalidArgumentError(`it cannot be read: ${(error as Error).message}`);
  }
}

/** Collects the values of a flag that can be repeated. */
export const collect = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

const PLACEHOLDERS: Readonly<Record<Exclude<FlagKind, 'boolean'>, string>> = {
  text: '<text>',
  integer: '<number>',
  number: '<number>',
  texts: '<text,…>',
  integers: '<number,…>',
  json: '<json>',
};

/** A flag whose numbers have names: it accepts either. */
export class CodeOption extends Option {
  readonly names: readonly string[];

  /** @param list whether it accepts several values, separated by commas */
  constructor(flag: string, description: string, codes: Codes, list: boolean) {
    super(`${flag} ${list ? '<name,…>' : '<name>'}`, description);
    this.names = Object.keys(codes);
    const parse = (text: string) => parseCode(text, codes);
    if (list) this.argParser((text) => commaList(text).map(parse));
    else this.argParser(parse);
  }
}

/** Returns the number of a name in any case, or the given number, which the server checks. */
function parseCode(text: string, codes: Codes): number {
  if (/^\s*[-+]?\d/.test(text)) return parseInteger(text);
  const wanted = text.trim().replaceAll('-', '_').toUpperCase();
  const found = Object.entries(codes).find(([name]) => name.toUpperCase() === wanted);
  if (!found) throw new InvalidArgumentError(`it must be one of ${Object.keys(codes).join(', ')}, or its number.`);
  return found[1];
}

/** A flag for one field of a body, or one parameter of the query. */
function fieldOptions(name: string, kind: FlagKind, description: string, codes?: Codes): Option[] {
  const flag = `--${kebab(name)}`;
  if (codes) return [new CodeOption(flag, description, codes, kind === 'integers')];
  if (kind === 'boolean') {
    return [new Option(flag, `${description} (also --no-…)`), new Option(`--no-${kebab(name)}`).hideHelp()];
  }
  const isMoment = kind === 'integer' && /Timestamp(From|To)?$/.test(name);
  const option = new Option(`${flag} ${isMoment ? '<time>' : PLACEHOLDERS[kind]}`, description);
  if (isMoment) option.argParser(parseMoment);
  else if (kind === 'integer') option.argParser(parseInteger);
  else if (kind === 'number') option.argParser(parseNumber);
  else if (kind === 'json') option.argParser(parseJson);
  else if (kind === 'texts') option.argParser(commaList);
  else if (kind === 'integers') option.argParser((text) => commaList(text).map(parseInteger));
  else option.argParser((text) => (text.startsWith('@') ? readText(text).replace(/\r?\n$/, '') : text));
  return [option];
}

/** Name under which commander stores a flag. */
function attribute(name: string): string {
  return kebab(name).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Adds a flag for every field of a body except the given ones. */
export function addBodyOptions(command: Command, fields: readonly BodyField[], without: ReadonlySet<string>): void {
  for (const [name, kind, description, codes] of fields) {
    if (without.has(name)) continue;
    for (const option of fieldOptions(name, kind, description, codes)) command.addOption(option);
  }
}

/** Adds a flag for every parameter of the query except the given ones. */
export function addQueryOptions(
  command: Command,
  query: Readonly<Record<string, QueryParam>>,
  without: ReadonlySet<string>,
): void {
  for (const [name, param] of Object.entries(query)) {
    if (without.has(name)) continue;
    const kind = param.type === 'boolean' || param.type === 'integer' ? param.type : 'text';
    for (const option of fieldOptions(name, kind, param.description)) {
      if (param.allowed && !option.negate) option.choices(param.allowed);
      command.addOption(option);
    }
  }
}

/** Returns the values from the command line, by the names of the interface. */
export function namedValues(
  flags: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const value = flags[attribute(name)];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Declares `--field NAME=VALUE`, which can be repeated. */
export function addFieldOption(command: Command): void {
  command.option(
    '--field <name=value>',
    'a custom field by label, external id or number; repeat it for more fields, and for more values of one; nothing after = empties it',
    collect,
  );
}

/** Declares `--where`, `--state` and `--hashtag`. */
export function addWhereOptions(command: Command): void {
  command
    .option(
      '--where <condition>',
      'a condition on a custom field: Name=value (repeated: one of the values), Name=from..to (either may be missing), Name~part of a text, Name= (empty)',
      collect,
    )
    .option('--state <name>', 'in this workflow state, by name, external id or number; may be repeated', collect)
    .option('--hashtag <name>', 'with this hashtag, by name; may be repeated', collect);
}

/** Declares `--attach FILE`, which can be repeated. */
export function addAttachOption(command: Command): void {
  command.option('--attach <file>', 'upload this file and attach it; may be repeated', collect);
}

/**
 * Converts `--field` to values by field.
 * @throws UsageError
 */
export function fieldValues(given: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const text of given) {
    const { name, value } = divide(text);
    if (value === '') values[name] = null;
    else if (Object.hasOwn(values, name)) values[name] = [values[name], value].flat();
    else values[name] = value;
  }
  return values;
}

/**
 * Converts `--where` to conditions by field.
 * @throws UsageError
 */
export function conditions(given: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const text of given) {
    const tilde = text.indexOf('~');
    const equals = text.indexOf('=');
    if (tilde > 0 && (equals < 0 || tilde < equals)) {
      result[text.slice(0, tilde).trim()] = { contains: text.slice(tilde + 1) };
      continue;
    }
    const { name, value } = divide(text);
    const range = /^(.*?)\.\.(.*)$/.exec(value);
    if (value === '') result[name] = null;
    else if (range) result[name] = { from: range[1] || null, to: range[2] || null };
    else if (Object.hasOwn(result, name))
      result[name] = { in: [(result[name] as { in?: string[] }).in ?? result[name], value].flat() };
    else result[name] = value;
  }
  return result;
}

function divide(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" must be a name, "=" and a value.`);
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
