/**
 * Creates the client commands of a noun from the operation table: one for each method of the client
 * library.
 */
import {
  type Domain,
  exportLimits,
  exportMethod,
  isExported,
  type Operation,
  operationList,
  verbOf,
} from '@portico/contract';
import { Argument, type Command } from 'commander';
import { addAttachmentCommands } from '../commands/attachments.ts';
import { addAuditCommands } from '../commands/audit.ts';
import { addFollowCommand, addListenCommand } from '../commands/changes.ts';
import { addCommunityFileCommands } from '../commands/community-files.ts';
import { addTypesCommand } from '../commands/community-types.ts';
import { addExportOptions, type ExportFlags, writeExport } from '../commands/export.ts';
import { addArchiveImportCommand, addImportCommands } from '../commands/imports.ts';
import { addCommunityArchiveCommand, addOwnExportCommand, addPersonExportCommand } from '../commands/personal-data.ts';
import { UsageError } from '../errors.ts';
import { reads, writes } from '../words.ts';
import { bodyFields } from './body-fields.generated.ts';
import { tokenNameOf } from './edit.ts';
import {
  addAttachOption,
  addBodyOptions,
  addCommonOptions,
  addFieldOption,
  addQueryOptions,
  addWhereOptions,
  conditions,
  fieldValues,
  kebab,
  namedValues,
  parseInteger,
  parseJson,
  parsePositive,
} from './flags.ts';
import { nounDescriptions, nounOf } from './nouns.ts';
import { type ClientOptions, runOperation } from './run.ts';

/** Members of queries and bodies that every list or write has under a special flag. */
const SPECIAL = new Set(['pageToken', 'calculateTotalItemsCount', 'dryRun', 'occToken', 'screenOccToken']);
const PAGE_WORDS = new Set(['pageToken', 'pageSize', 'calculateTotalItemsCount']);

/** Adds `portico api <noun>` with all its verbs. */
export function registerNoun(parent: Command, domain: Domain): void {
  const noun = nounOf(domain);
  const command = parent.command(noun).description(nounDescriptions[domain]);
  for (const operation of operationList) {
    if (operation.domain !== domain) continue;
    addVerb(command, noun, verbOf(operation.clientMethod), operation);
    // The audit log has an export of its own.
    if (isExported(operation) && noun !== 'audit') addExport(command, noun, operation);
  }
  if (noun === 'attachments') addAttachmentCommands(command);
  if (noun === 'users') addPersonExportCommand(command);
  if (noun === 'auth') addOwnExportCommand(command);
  if (noun === 'changes') {
    addFollowCommand(command);
    addListenCommand(command);
  }
  if (noun === 'audit') addAuditCommands(command);
  if (noun === 'imports') {
    addImportCommands(command);
    addArchiveImportCommand(command);
  }
  if (noun === 'communities') {
    addCommunityFileCommands(command);
    addCommunityArchiveCommand(command);
    addTypesCommand(command);
  }
}

function addVerb(parent: Command, noun: string, verb: string, operation: Operation): void {
  const { id, command: spec } = operation;
  const command = parent.command(verb).summary(summaryOf(operation)).description(descriptionOf(operation));
  (operation.kind === 'read' ? reads : writes)(command);
  const keys = keysOf(operation);
  for (const argument of keys.map((name) => argumentFor(operation, name))) command.addArgument(argument);

  const fields = operation.body === null ? [] : (bodyFields[operation.body] ?? []);
  const isPostList = id === 'listCommunityPostsFiltered' || id === 'listCommunityPosts';
  addQueryOptions(
    command,
    operation.query,
    operation.paging === 'page'
      ? new Set([...SPECIAL, ...PAGE_WORDS, 'fields'])
      : new Set([...writeSpecial(operation), 'fields']),
  );
  addBodyOptions(command, fields, new Set([...SPECIAL, ...Object.keys(operation.pathParams)]));
  if (id === 'editGroupMembers') addMemberOptions(command);
  if (isPostList) addWhereOptions(command);
  if (spec.customFields) addFieldOption(command);
  if (spec.attachments) addAttachOption(command);
  if (operation.body !== null) {
    command.option(
      '--data <json>',
      'the body as JSON, @file or - for standard input; the other options win over it',
      parseJson,
    );
  }
  if (operation.lines) {
    command.option(
      '--lines <file>',
      'the elements as lines of JSON, from @file or - for standard input; as many as there are',
    );
  }
  if (operation.paging === 'page') addListOptions(command);
  if (operation.kind === 'write') {
    command
      .option('--dry-run', 'print the changes, and change nothing')
      .option('--idempotency-key <key>', 'makes retries of this command with the same key safe');
  }
  if (takesToken(operation)) {
    command.option(
      '--occ-token <number>',
      operation.command.form === undefined && operation.id !== 'editGroupMembers'
        ? 'token of the object as it was read'
        : 'token to write with, instead of the token of the current form',
      parseInteger,
    );
  }
  if (spec.confirms) command.option('--yes', 'do not ask for confirmation');
  // Scripts send it with every write.
  else if (operation.kind === 'write')
    command.option('--yes', 'taken by every command that writes; this one does not ask');
  if (operation.permission === 'public') {
    command.option('--url <address>', 'base address of the portal (default: the address of the profile)');
  }
  addCommonOptions(command);
  command.addHelpText(
    'after',
    exampleText(spec.examples.map((example) => `portico api ${noun} ${verb} ${example}`.trim())),
  );
  command.action(async (...given: unknown[]) => {
    const flags = command.opts<ClientOptions & Record<string, unknown>>();
    await runOperation({
      operation,
      keys: Object.fromEntries(
        keys.map((name, index) => [name, given[index]]).filter(([, value]) => value !== undefined),
      ),
      query: namedValues(
        flags,
        Object.keys(operation.query)
          .filter(
            (name) => !SPECIAL.has(name) && name !== 'fields' && !(operation.paging === 'page' && PAGE_WORDS.has(name)),
          )
          .concat(operation.paging === 'stream' ? ['pageToken'] : []),
      ),
      named: namedBody(
        operation,
        flags,
        fields.map(([name]) => name),
      ),
      flags,
    });
  });
}

/** Adds the verb that writes a list to a file. */
function addExport(parent: Command, noun: string, operation: Operation): void {
  const method = exportMethod(operation);
  const verb = kebab(method);
  const command = reads(parent.command(verb))
    .summary(`${operation.summary}: as a file`)
    .description(
      `${operation.summary}, as CSV, lines of JSON or a workbook, with labels, names and times as people read them. At most ${exportLimits.rows} rows.`,
    );
  const keys = keysOf(operation);
  for (const argument of keys.map((name) => argumentFor(operation, name))) command.addArgument(argument);
  const fields = operation.body === null ? [] : (bodyFields[operation.body] ?? []);
  const own = new Set([...SPECIAL, ...PAGE_WORDS, ...Object.keys(operation.pathParams)]);
  addBodyOptions(command, fields, own);
  if (/^listCommunityPosts/.test(operation.id)) addWhereOptions(command);
  command.option('--data <json>', 'the body of the list as JSON, @file or -; the other options win over it', parseJson);
  addExportOptions(command);
  const arguments_ = keys.map((_, index) => ['2', '4711'][index] ?? '1').join(' ');
  const example = (rest: string) => `portico api ${noun} ${verb} ${arguments_} ${rest}`.replaceAll(/ +/g, ' ');
  command.addHelpText('after', exampleText([example('--format xlsx -o list.xlsx'), example('--format ndjson')]));
  command.action(async (...given: unknown[]) => {
    const flags = command.opts<ExportFlags & Record<string, unknown>>();
    const names = fields.map(([name]) => name).filter((name) => !own.has(name));
    const named = namedBody(operation, flags, names);
    const path = Object.fromEntries(keys.map((name, index) => [name, given[index]]));
    await writeExport(flags, ({ client }, options) => {
      const group = client[operation.domain] as unknown as Record<
        string,
        (input: object, options: object) => Promise<ReadableStream<Uint8Array>>
      >;
      return (group[method] as NonNullable<(typeof group)[string]>)({ ...path, ...named }, options);
    });
  });
}

/** The summary for the list of verbs. */
function summaryOf({ summary, deprecated }: Operation): string {
  return `${summary}${deprecated ? ' (deprecated)' : ''}`;
}

function descriptionOf(operation: Operation): string {
  return `${summaryOf(operation)}. ${operation.description.replaceAll('`', '')}`;
}

/** Tokens are read from the form; the group is an argument, although the operation takes many. */
function keysOf(operation: Operation): string[] {
  if (operation.id === 'editGroupMembers') return ['groupId'];
  return Object.keys(operation.pathParams).filter((name) => name !== tokenNameOf(operation));
}

/** Arguments that the client library also finds by name. */
const NAMED_ARGUMENT = /(?:^c|C)ommunityId$|(?:^u|U)serId$/;

function argumentFor(operation: Operation, name: string): Argument {
  if (operation.id === 'editGroupMembers')
    return new Argument('[group-id]', 'the group, if it is a group').argParser(parseInteger);
  // People know transitions by their names.
  if (operation.id === 'executePostWorkflowOperation' && name === 'workflowOperationId') {
    return new Argument('<transition>', 'the transition by name, external id or number');
  }
  if (NAMED_ARGUMENT.test(name))
    return new Argument(
      `<${kebab(name)}>`,
      `the ${/user/i.test(name) ? 'person' : 'community'}, by name or number`,
    ).argParser((text) => (/^-?\d+$/.test(text) ? parseInteger(text) : text));
  const argument = new Argument(`<${kebab(name)}>`);
  return operation.pathParams[name] === 'int64' ? argument.argParser(parseInteger) : argument;
}

function writeSpecial(operation: Operation): ReadonlySet<string> {
  return operation.paging === 'stream' ? new Set() : SPECIAL;
}

function takesToken(operation: Operation): boolean {
  if (operation.id === 'editGroupMembers') return true;
  const form = operation.command.form !== undefined || operation.method !== 'POST';
  return form && tokenNameOf(operation) !== undefined;
}

function addMemberOptions(command: Command): void {
  const ids = (text: string) => text.split(',').map(parseInteger);
  command
    .option('--add-user-ids <number,…>', 'users who become members of the group', ids)
    .option('--delete-user-ids <number,…>', 'users who cease to be members of the group', ids);
}

function addListOptions(command: Command): void {
  command
    .option('--all', 'all pages, not only the first')
    .option('--limit <number>', 'at most this many, over as many pages as it takes', parsePositive)
    .option('--count', 'only how many there are')
    .option('--page-token <token>', 'continue from the page that returned this token');
}

function namedBody(
  operation: Operation,
  flags: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const data = flags['data'] ?? {};
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new UsageError('--data must be a JSON object.');
  const named: Record<string, unknown> = {
    ...data,
    ...namedValues(
      flags,
      names.filter((name) => !SPECIAL.has(name)),
    ),
  };
  if (operation.id === 'editGroupMembers') Object.assign(named, namedValues(flags, ['addUserIds', 'deleteUserIds']));
  const member = operation.command.customFields;
  if (member && Array.isArray(flags['field'])) {
    named[member] = { ...((named[member] as object | undefined) ?? {}), ...fieldValues(flags['field'] as string[]) };
  }
  if (Array.isArray(flags['where'])) named['where'] = conditions(flags['where'] as string[]);
  if (Array.isArray(flags['state'])) named['state'] = flags['state'];
  if (Array.isArray(flags['hashtag'])) named['hashtags'] = flags['hashtag'];
  return named;
}

/** The examples at the end of a help text. */
function exampleText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
