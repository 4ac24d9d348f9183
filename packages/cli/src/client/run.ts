/** Runs a client command: input from flags, the call, the answer printed. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface as createLineReader } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import {
  type CreateCustomPostRequest,
  fieldsWithIds,
  type Operation,
  type OperationId,
  postDetailFields,
  postListFields,
  type RefusedGroupMembers,
  TextFormat,
} from '@portico/contract';
import { CommandError, exitCodes, UsageError } from '../errors.ts';
import { type OutputFormat, printObject, RowPrinter } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';
import { decoded } from '../text-files.ts';
import { type EditFlow, editFlow, explainConflict, tokenNameOf, withNamed } from './edit.ts';

type Values = Record<string, unknown>;

/** The arguments and flags of a client command, parsed. */
export interface ClientOptions extends CommonOptions {
  output: OutputFormat;
  fields?: string[];
  all?: boolean;
  limit?: number;
  count?: boolean;
  pageToken?: string;
  dryRun?: boolean;
  /** Source of the lines: `@file` or `-`. */
  lines?: string;
  yes?: boolean;
  attach?: string[];
  occToken?: number;
  idempotencyKey?: string;
  /** Address of the portal, for operations without a sign-in. */
  url?: string;
}

/** The request of a command. */
interface Intent {
  operation: Operation;
  /** Path parameters. */
  keys: Values;
  /** Query parameters from the command line. */
  query: Values;
  /** Body values from the command line, including names of custom fields. */
  named: Values;
  flags: ClientOptions;
}

/** Runs one operation from its arguments to its output. */
export async function runOperation(intent: Intent): Promise<void> {
  const { operation, flags } = intent;
  if (operation.command.confirms && !flags.dryRun) await confirm(intent);
  const session = await openSession(flags, operation.permission === 'public');
  if (operation.kind === 'write' && flags.dryRun) intent.query['dryRun'] = true;
  const asked = askedFields(operation, flags.fields);
  if (asked) intent.query['fields'] = asked;
  if (flags.lines !== undefined) return createLines(session, intent, flags.lines);
  if (operation.paging === 'page') return printList(session, intent);
  return printAnswer(
    intent,
    operation.kind === 'read' ? await call(session, intent, intent.named) : await performWrite(session, intent),
  );
}

/** Creates posts from lines of JSON and prints the outcome of each as it arrives. */
async function createLines({ client, options }: Session, { keys, flags, operation }: Intent, from: string) {
  const posts = async function* () {
    // Lines are lost that are read before somebody waits for them.
    const input = from === '-' ? process.stdin : createReadStream(from.replace(/^@/, ''));
    // One character for each byte: each line is decoded by itself, and U+2028 ends none.
    input.setEncoding('latin1');
    const reader = createLineReader({ input, crlfDelay: Number.POSITIVE_INFINITY });
    let number = 0;
    for await (const line of reader) {
      number += 1;
      const text = decoded(`line ${number} of ${from}`, Buffer.from(line, 'latin1'));
      if (text.trim() === '') continue;
      try {
        yield JSON.parse(text) as CreateCustomPostRequest;
      } catch (error) {
        throw new UsageError(`line ${number} of ${from} is not JSON: ${(error as Error).message}`);
      }
    }
  };
  const printer = new RowPrinter({ format: flags.output, fields: flags.fields, columns: operation.command.columns });
  const { dryRun = false, idempotencyKey } = flags;
  const outcomes = client.posts.createAll(keys['communityId'] as number, posts(), {
    ...options,
    dryRun,
    idempotencyKey,
  });
  const bar = new ProgressBar(process.stderr);
  const silent = printsAsItGoes(flags);
  let written = 0;
  try {
    for await (const outcome of outcomes) {
      if (outcome.outcome === 'ERROR' || outcome.outcome === 'NOT_RUN') process.exitCode = exitCodes.failed;
      printer.add(outcome);
      written += 1;
      if (!silent) bar.show(`${written} so far`, undefined);
    }
  } finally {
    bar.clear();
  }
  await printer.end();
}

/**
 * Returns the members to request from operations that support it: the first parts of the paths. If
 * a path begins with an unknown member, it is most likely misspelt: the whole answer is requested,
 * so that near names can be suggested.
 */
function askedFields({ id, query }: Operation, paths: readonly string[] | undefined): string[] | undefined {
  if (!paths || query['fields'] === undefined) return undefined;
  const known: readonly string[] = id.startsWith('getPost') ? postDetailFields : postListFields;
  const asked = paths.map((path) => {
    const [name = '', field] = path.split('.');
    if (!known.includes(name)) return undefined;
    const single = (fieldsWithIds as readonly string[]).includes(name) && /^\d+$/.test(field ?? '');
    return single ? `${name}.${field}` : name;
  });
  return asked.includes(undefined) ? undefined : [...new Set(asked as string[])];
}

function call(session: Session, { operation, keys, query, flags }: Intent, body: Values): Promise<unknown> {
  const options = { ...session.options, idempotencyKey: flags.idempotencyKey };
  return session.client.call(operation.id as OperationId, { ...keys, ...query, ...body } as never, options);
}

/** Sends a write, from the present values of its form where it has one. */
export async function performWrite(session: Session, intent: Intent): Promise<unknown> {
  const { id, command } = intent.operation;
  const member = command.attachments;
  if (member && intent.flags.attach) {
    const uploaded = intent.flags.dryRun ? [] : await uploadAll(session, intent.flags.attach);
    intent.named[member] = [...((intent.named[member] as unknown[] | undefined) ?? []), ...uploaded];
  }
  if (command.plainText) setFormat(intent.named, command.plainText);
  for (const [name, value] of Object.entries(command.defaults ?? {})) intent.named[name] ??= value;
  if (id === 'executePostWorkflowOperation') await resolveTransition(session, intent);
  if (id === 'editGroupMembers') return editMembers(session, intent);
  const { writableValues } = await import('@portico/sdk');
  const flow = editFlow(intent.operation, writableValues);
  if (flow) return edit(session, intent, flow);
  const token = tokenNameOf(intent.operation);
  if (token !== undefined && intent.flags.occToken !== undefined) intent.named[token] = intent.flags.occToken;
  return call(session, intent, intent.named);
}

/** Text is plain unless it is a delta: people do not write deltas by hand. */
function setFormat(named: Values, [text, format]: readonly [string, string]): void {
  if (typeof named[text] !== 'string' || named[format] !== undefined) return;
  let delta: unknown;
  try {
    delta = JSON.parse(named[text]);
  } catch {
    delta = undefined; // not JSON, so plain text
  }
  const isDelta = Array.isArray(delta) || Array.isArray((delta as { ops?: unknown } | null | undefined)?.ops);
  named[format] = isDelta ? TextFormat.DELTA : TextFormat.PLAIN_TEXT;
}

async function edit(session: Session, intent: Intent, flow: EditFlow): Promise<unknown> {
  const { keys, named, flags, operation } = intent;
  if (operation.command.needsValue && Object.keys(named).length === 0) {
    throw new UsageError('Nothing to change: give at least one flag (see --help).');
  }
  const form = await flow.read(session.client, keys, session.options).catch((error: Error) => {
    const other = operation.command.otherVerb;
    if (error.name === 'NotFoundError' && other) {
      const key = Object.values(keys)[0];
      process.stderr.write(`It may be of another kind: try "portico api posts ${other} ${key}".\n`);
    }
    throw error;
  });
  const token = flags.occToken ?? (form[flow.tokenName] as number | undefined);
  const before = flow.body(form);
  const body = withNamed(operation.id as OperationId, before, named);
  if (token !== undefined) body[flow.tokenName] = token;
  try {
    return await call(session, intent, body);
  } catch (error) {
    if ((error as Error).name !== 'ConflictError') throw error;
    const now = flow.body(await flow.read(session.client, keys, session.options));
    process.stderr.write(`${explainConflict(before, now, named, error as Parameters<typeof explainConflict>[3])}\n`);
    throw error;
  }
}

/** A single group through the operation for many: a stale token is a conflict here too. */
async function editMembers(session: Session, intent: Intent): Promise<unknown> {
  const { keys, named, flags } = intent;
  if (named['groupMembers'] !== undefined) return call(session, { ...intent, keys: {} }, named);
  const groupId = keys['groupId'];
  if (groupId === undefined) throw new UsageError('Give a group, or --group-members.');
  const occToken =
    flags.occToken ??
    (await session.client.groups.readForEdit({ groupId: groupId as number }, session.options)).occToken;
  const { addUserIds, deleteUserIds } = named;
  const answer = (await call(
    session,
    { ...intent, keys: {} },
    { groupMembers: [{ id: groupId, occToken, addUserIds, deleteUserIds }] },
  )) as {
    concurrencyErrorGroups?: unknown[];
    refusedGroups?: RefusedGroupMembers[];
  };
  if ((answer.concurrencyErrorGroups ?? []).length > 0) {
    process.exitCode = exitCodes.conflict;
    process.stderr.write(
      'Somebody else changed the group after it was read. Nothing was written; run the command again.\n',
    );
  }
  for (const { validationErrors } of answer.refusedGroups ?? []) {
    process.exitCode = exitCodes.validation;
    for (const { code, defaultMessage } of validationErrors?.list ?? [])
      process.stderr.write(`${code}: ${defaultMessage}\n`);
  }
  return answer;
}

/** A transition by its number, its name or its external id. */
async function resolveTransition({ client, options }: Session, { keys }: Intent): Promise<void> {
  const given = String(keys['workflowOperationId']);
  if (/^-?\d+$/.test(given)) {
    keys['workflowOperationId'] = Number(given);
    return;
  }
  const [{ findNamed, unknownName }, { workflowPermittedOperations = [] }] = await Promise.all([
    import('@portico/sdk'),
    client.posts.capabilities({ postId: keys['postId'] as number }, options),
  ]);
  const transitions = workflowPermittedOperations.map(({ id, name, externalId }) => ({ id, label: name, externalId }));
  const found = findNamed(transitions, given);
  if (found?.id === undefined) throw unknownName('transition that is possible now', transitions, given);
  keys['workflowOperationId'] = found.id;
}

/** Uploads files, with a bar on a terminal. @throws UsageError for a file that cannot be read */
export async function uploadAll(
  session: Session,
  paths: readonly string[],
): Promise<{ name: string; contentRef: string }[]> {
  for (const path of paths) await stat(path).catch((error: Error) => Promise.reject(new UsageError(error.message)));
  const uploaded: { name: string; contentRef: string }[] = [];
  for (const path of paths) uploaded.push(await uploadFile(session, path, {}));
  return uploaded;
}

/** Uploads one file, with a bar on a terminal. */
export async function uploadFile(
  { client, options }: Session,
  path: string,
  flags: { name?: string; contentType?: string },
): Promise<{ name: string; contentRef: string }> {
  const bar = new ProgressBar(process.stderr);
  try {
    return await client.files.upload(path, {
      ...flags,
      ...(options.signal && { signal: options.signal }),
      onProgress: ({ sentBytes, totalBytes }) =>
        bar.show(`Uploading ${path}`, totalBytes === 0 ? 1 : sentBytes / totalBytes),
    });
  } finally {
    bar.clear();
  }
}

async function confirm({ operation, keys, flags }: Intent): Promise<void> {
  if (flags.yes) return;
  const what = `${operation.summary} (${Object.entries(keys)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')})`;
  await confirmed(what);
}

/**
 * Asks on the terminal.
 * @param advice the message where there is no terminal
 * @throws UsageError without a terminal; CommandError for any answer but yes
 */
export async function confirmed(
  what: string,
  advice = `${what}? There is no terminal to confirm on. Add --yes to continue.`,
): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(advice);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${what}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Cancelled.');
  } finally {
    prompt.close();
  }
}

/** Whether rows appear on the terminal one by one, which shows the progress. */
const printsAsItGoes = ({ output }: Pick<ClientOptions, 'output'>) =>
  process.stdout.isTTY && (output === 'ndjson' || output === 'csv');

async function printList(session: Session, intent: Intent): Promise<void> {
  const { flags, operation } = intent;
  if (flags.count) {
    const page = (await call(session, intent, { ...intent.named, pageSize: 1, calculateTotalItemsCount: true })) as {
      totalItemsCount?: number;
    };
    if (typeof page.totalItemsCount !== 'number') throw new CommandError('The server did not return a total.');
    process.stdout.write(`${page.totalItemsCount}\n`);
    return;
  }
  const printer = new RowPrinter({
    format: flags.output,
    fields: flags.fields,
    columns: operation.command.columns,
  });
  const bar = new ProgressBar(process.stderr);
  const silent = printsAsItGoes(flags);
  const limit = flags.limit ?? (flags.all ? Number.POSITIVE_INFINITY : undefined);
  let left = limit ?? Number.POSITIVE_INFINITY;
  let pageToken = flags.pageToken;
  let shown = 0;
  try {
    do {
      const page = (await call(session, intent, { ...intent.named, pageToken })) as {
        items?: unknown[];
        nextPageToken?: string;
      };
      for (const item of (page.items ?? []).slice(0, left)) printer.add(item);
      const taken = Math.min(left, page.items?.length ?? 0);
      left -= taken;
      shown += taken;
      pageToken = page.nextPageToken || undefined;
      if (limit !== undefined && pageToken && !silent)
        bar.show(`${shown} so far`, Number.isFinite(limit) ? shown / limit : undefined);
    } while (limit !== undefined && left > 0 && pageToken);
  } finally {
    bar.clear();
  }
  await printer.end();
  if (pageToken && limit === undefined) process.stderr.write(`More results: --all, or --page-token ${pageToken}\n`);
}

async function printAnswer({ operation, flags }: Intent, answer: unknown): Promise<void> {
  const { rows: member, object, columns } = operation.command;
  const print = { format: flags.output, fields: flags.fields };
  if (answer === undefined) {
    if (flags.output === 'table') process.stdout.write('Done.\n');
    return;
  }
  if (flags.dryRun && (flags.output === 'table' || flags.output === 'csv') && !flags.fields) {
    return printDryRun((answer as { dryRun?: DryRunAnswer }).dryRun ?? {});
  }
  if (member !== undefined) {
    const rows = (answer as Values)[member];
    const printer = new RowPrinter({ ...print, columns });
    for (const row of Array.isArray(rows) ? rows : []) printer.add(row);
    await printer.end();
    if (operation.paging === 'stream') tellTokens(answer as Values);
    return;
  }
  // Data formats show the whole answer; a table shows its object.
  const whole = flags.fields !== undefined || flags.output !== 'table' || object === undefined;
  await printObject(whole ? answer : (answer as Values)[object], print);
}

function tellTokens({ nextPageToken, nextSyncToken }: Values): void {
  if (nextPageToken) process.stderr.write(`More results: --page-token ${nextPageToken}\n`);
  else if (nextSyncToken) process.stderr.write(`To continue later: --sync-token ${nextSyncToken}\n`);
}

interface DryRunAnswer {
  changes?: { action?: string; entity?: string; id?: number; fields?: string[] }[];
  notifications?: { userId?: number; description?: string }[];
  workflow?: { fromState?: { name?: string }; toState?: { name?: string }; operation?: { name?: string } };
}

/** Prints the changes that a dry run reports. */
export function printDryRun({ changes = [], notifications = [], workflow }: DryRunAnswer): void {
  process.stdout.write(changes.length === 0 ? 'No changes.\n' : 'This would change:\n');
  for (const { action, entity, id, fields } of changes) {
    process.stdout.write(
      `  ${action} ${entity}${id === undefined ? '' : ` ${id}`}${fields?.length ? `: ${fields.join(', ')}` : ''}\n`,
    );
  }
  if (workflow) {
    const { fromState, toState, operation } = workflow;
    const step = operation?.name === undefined ? '' : ` by ${operation.name}`;
    process.stdout.write(`  workflow${step}: ${fromState?.name ?? 'new'} → ${toState?.name ?? 'no state'}\n`);
  }
  for (const { userId, description } of notifications) {
    process.stdout.write(`  ${userId === undefined ? 'tell' : `tell user ${userId}`}: ${description}\n`);
  }
}
