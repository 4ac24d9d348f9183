/**
 * Contract operation → route. Each operation is registered once, below `/portal/api`; the other prefix is rewritten to
 * it (`http/server.ts`). Every request passes the same steps: tenant, sign-in, input, handler, response.
 */
import { dryRunMediaType, type Operation, type OperationId, operationList, takesIfMatch } from '@portico/contract';
import {
  absentMembers,
  type DeclaredName,
  leaveOutRepeats,
  normaliseBody,
  operationSchemas,
  strictResponse,
} from '@portico/contract/schemas';
import { mainThread, runFor } from '@portico/platform/main-thread';
import { finishInTurns } from '@portico/platform/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countSignInFailure } from '../kernel/audit/index.ts';
import { type FieldError, FieldErrors, invalid, PorticoError, ValidationError } from '../kernel/errors.ts';
import { clientKey, type FailureLimit } from '../kernel/failure-limit.ts';
import { missingFields, requireFields } from '../kernel/missing-fields.ts';
import type { AllHandlers, Line, SessionCookie, Untimed } from '../kernel/operations.ts';
import type { Prepare, Write, WriteRequest } from '../kernel/run-write.ts';
import type { Clock, Scope, TenantScope } from '../kernel/scope.ts';
import { checkText, exactBody, exactBodyParts } from './body.ts';
import { isDryRun, readDryRun } from './dry-run-parameter.ts';
import { hasLines, linesOf } from './lines.ts';
import type { RateLimits } from './rate-limits.ts';
import { keyOf, requesterOf } from './requester.ts';
import type { RunningRequests } from './running-requests.ts';
import { serialiserOf } from './serialise.ts';
import { mustNotBeCrossSite, sessionCookie } from './session-cookie.ts';
import type { UnsentAnswers } from './unsent-answers.ts';
import { type InputCheck, SchemaChecks } from './validation.ts';

/** Dependencies of the routes. */
interface MountOptions {
  handlers: AllHandlers;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** Counts requests of accounts, tenants and client addresses. */
  rateLimits: RateLimits;
  /** Bounds the requests that an account has in progress, and its unsent responses. */
  running: RunningRequests;
  unsent: UnsentAnswers;
  /** Counts failed sign-ins by the address of the client. */
  signIns: { limit: FailureLimit; clock: Clock };
  /** Runs a write with the parameters of every write: `dryRun`, `Idempotency-Key`. */
  runWrite(write: Write): Promise<unknown>;
  /** Told of a tenant that was perhaps written to. */
  wrote(scope: TenantScope): void;
  /**
   * Prepares a write before its transaction begins: takes in the uploads that its body refers to.
   */
  beforeWrite?(scope: Scope, body: unknown): Promise<void>;
  /**
   * For a dry run, checks the same without keeping anything. @returns a function that makes it
   * available within the transaction
   */
  beforeDryRun?(scope: Scope, body: unknown): Promise<Prepare>;
  /** Work to do after the response was sent. */
  afterAnswer(request: FastifyRequest, reply: FastifyReply, work: () => Promise<void>): void;
  /** Checks each answer against the contract before it is sent (development and tests). */
  checkAnswers: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    tenantScope: TenantScope | null;
    signedInScope: Scope | null;
  }
}

/** The prefix under which routes are registered. */
export const MOUNT_PREFIX = '/portal/api';

/** Maximum size in bytes of a body that needs no sign-in: everybody can send it. */
const PUBLIC_BODY_BYTES = 256 * 1024;

type AnyHandler = (request: {
  scope: TenantScope;
  params: unknown;
  query: unknown;
  body: unknown;
  lines: AsyncIterable<Line> | undefined;
  cookie: SessionCookie;
  afterAnswer: (work: () => Promise<void>) => void;
  untimed: Untimed;
}) => Promise<unknown>;

/** Registers every operation of the contract. */
export function mountOperations(app: FastifyInstance, options: MountOptions): void {
  app.decorateRequest('tenantScope', null);
  app.decorateRequest('signedInScope', null);
  for (const operation of operationList) mountOperation(app, operation, options);
}

const checks = new SchemaChecks();
const schemaWork = new Map<OperationId, ReturnType<typeof makeSchemaWork>>();

/**
 * Returns the functions that an operation's schemas compile to. Compiling takes long: it happens
 * once, however many servers a process has.
 */
function schemaWorkOf(operation: Operation) {
  const id = operation.id as OperationId;
  const made = schemaWork.get(id) ?? makeSchemaWork(id, operation);
  schemaWork.set(id, made);
  return made;
}

function makeSchemaWork(id: OperationId, operation: Operation) {
  const specs = operationSchemas[id];
  const strict = strictResponse(id);
  return {
    checkParams: specs.params && checks.input('params', specs.params),
    checkQuery: checks.input('query', specs.querystring),
    checkBody: specs.body && checks.input('body', specs.body),
    checkHeaders: specs.headers && checks.input('query', specs.headers),
    readLines: linesOf(operation, checks),
    checkAnswer: strict ? checks.answer(strict) : undefined,
    serialise: serialiserOf(specs.response[200]),
  };
}

function mountOperation(app: FastifyInstance, operation: Operation, options: MountOptions): void {
  const id = operation.id as OperationId;
  const respond = responder(operation, options);
  app.route({
    method: operation.method,
    url: `${MOUNT_PREFIX}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: { operation },
    ...(operation.permission === 'public' && { bodyLimit: PUBLIC_BODY_BYTES }),
    onRequest: async (request, reply) => {
      // Responses of these hold tokens, passwords, links or upload policies.
      if (operation.permission === 'public' || operation.kind === 'write') reply.header('Cache-Control', 'no-store');
      const { limits } = request;
      if (operation.permission === 'public') await options.rateLimits.anonymous(request, reply);
      const scope = await limits.within(options.tenantScope(request));
      request.tenantScope = scope;
      if (SESSION_OPERATIONS.includes(id)) mustNotBeCrossSite(request, scope);
      if (operation.permission === 'public')
        await options.signIns.limit.check(clientKey(request.ip), options.signIns.clock.now());
      else {
        request.signedInScope = await limits.within(options.signedInScope(request, reply, scope));
        await options.rateLimits.signedIn(request, reply, request.signedInScope);
        const key = keyOf(requesterOf(request));
        options.unsent.check(key);
        const end = await options.running.begin(key);
        if (reply.raw.destroyed) end();
        else reply.raw.once('close', end);
      }
      // The body comes as fast as the client sends it.
      limits.pause();
    },
    handler: (request, reply) => {
      request.limits.resume();
      const requester = requesterOf(request);
      const work = () => runFor(requester, () => respond(request, reply));
      // Lines take as long as the client sends them.
      return operation.permission === 'public' || hasLines(request)
        ? work()
        : options.running.run(keyOf(requester), operation.kind, request.limits.signal, work);
    },
  });
}

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes the part of a route that begins when its body has arrived: input, handler, response. */
function responder(operation: Operation, options: MountOptions): Respond {
  const id = operation.id as OperationId;
  const handler = options.handlers[id] as AnyHandler;
  const { checkAnswer, readLines, serialise, ...inputChecks } = schemaWorkOf(operation);
  const mediaType = operation.responses[200] ? 'application/json' : dryRunMediaType;

  return async (request, reply) => {
    await mainThread.turn(requesterOf(request));
    const { limits } = request;
    const scope = request.signedInScope ?? (request.tenantScope as TenantScope);
    const cookie = sessionCookie(request, reply, scope);
    const lines = readLines?.(request);
    const input = await readInput(request, operation, inputChecks);
    const { missing, ...inputs } = input;
    const run = async (within: TenantScope) => {
      const answer = await handler({
        scope: missing.length > 0 ? { ...within, missing } : within,
        ...inputs,
        lines,
        cookie,
        afterAnswer: (work) => options.afterAnswer(request, reply, work),
        untimed: (work) => limits.untimed(work),
      });
      requireFields({ missing });
      return answer;
    };
    let prepare: Prepare | undefined;
    if (operation.kind === 'write' && input.body !== undefined) {
      // These move files, which takes as long as they are large.
      if (isDryRun(request))
        prepare = await limits.untimed(async () => options.beforeDryRun?.(scope as Scope, input.body));
      else await limits.untimed(async () => options.beforeWrite?.(scope as Scope, input.body));
    }
    const handled = limits.within(
      operation.permission === 'public'
        ? countFailures(request, operation, scope, options, () => run(scope))
        : countConfirmations(request, scope, options, () =>
            operation.kind === 'write'
              ? options.runWrite({
                  operation,
                  request: { ...writeRequestOf(request), lines: lines !== undefined },
                  scope: scope as Scope,
                  work: run,
                  prepare,
                })
              : run(scope),
          ),
    );
    // Also where it failed: it may have written before.
    const answer = await (operation.kind === 'write' || operation.permission === 'public'
      ? handled.finally(() => options.wrote(scope))
      : handled);
    if (options.checkAnswers && answer !== undefined) {
      const problems = [...(checkAnswer?.(answer) ?? []), ...absentMembers(operation, input.query, answer)];
      if (problems.length > 0)
        throw new Error(`the answer of ${id} is not as the contract declares: ${problems.slice(0, 10).join('; ')}`);
    }
    if (answer === undefined) return reply.code(operation.emptyWhenDeleted ? 204 : 200).send();
    const body = await serialise(answer);
    return reply.code(200).header('Content-Type', `${mediaType}; charset=utf-8`).send(body);
  };
}

/** Operations without sign-in that set or remove the cookie of a session. */
const SESSION_OPERATIONS: readonly OperationId[] = ['startSession', 'startSessionByPasskey', 'endSession'];

function writeRequestOf(request: FastifyRequest): WriteRequest {
  const key = request.headers['idempotency-key'];
  return {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: exactBody(request.body),
    dryRun: isDryRun(request),
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
}

/** Operations whose answer does not say whether they succeeded: each call counts as a failed sign-in. */
const ALWAYS_COUNTED: readonly OperationId[] = ['requestPasswordReset'];

/**
 * Runs an operation without sign-in. A rejected request counts for the limit of its address and in
 * the audit log.
 */
async function countFailures<T>(
  request: FastifyRequest,
  operation: Operation,
  scope: TenantScope,
  options: MountOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { limit, clock } = options.signIns;
  const address = clientKey(request.ip);
  if (ALWAYS_COUNTED.includes(operation.id as OperationId)) await limit.note(address, clock.now());
  try {
    return await work();
  } catch (error) {
    if (error instanceof PorticoError && error.status === 401) {
      // Every sign-in with two factors begins with this refusal: counted, people who share an address would use up its limit.
      if (error.code !== 'SECOND_FACTOR_REQUIRED') await limit.note(address, clock.now());
      await countSignInFailure(scope.db, error.account, address, clock.now());
    }
    throw error;
  }
}

/**
 * Runs an operation of a signed-in user. A wrong password or code, sent to confirm something,
 * counts in the audit log.
 */
async function countConfirmations<T>(
  request: FastifyRequest,
  scope: TenantScope,
  { signIns }: MountOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PorticoError && error.account !== undefined)
      await countSignInFailure(scope.db, error.account, clientKey(request.ip), signIns.clock.now());
    throw error;
  }
}

interface InputChecks {
  checkParams: InputCheck | undefined;
  checkQuery: InputCheck;
  checkBody: InputCheck | undefined;
  checkHeaders: InputCheck | undefined;
}

/** Reports every error of path, query and body at once. */
async function readInput(
  request: FastifyRequest,
  operation: Operation,
  checks: InputChecks,
): Promise<{ params: unknown; query: unknown; body: unknown; missing: readonly FieldError[] }> {
  const errors = new FieldErrors();
  if (operation.kind === 'write') readDryRun(request, errors);
  const attempt = (check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      errors.push(...error.errors);
    }
  };
  const params = { ...(request.params as object) };
  const query = { ...(request.query as Record<string, unknown>) };
  for (const source of [params, query]) {
    for (const [name, value] of Object.entries(source)) if (typeof value === 'string') checkText(value, name, errors);
  }
  for (const [name, value] of Object.entries(query)) {
    // An empty query parameter counts as absent; `dryRun` was validated above.
    if (value === '' || name === 'dryRun') delete query[name];
    else if (typeof value === 'string' && operation.query[name]?.type === 'boolean') query[name] = value.toLowerCase();
  }
  const { checkParams, checkBody, checkHeaders } = checks;
  if (checkParams) attempt(() => checkParams(params));
  attempt(() => checks.checkQuery(query));
  if (checkHeaders) attempt(() => checkHeaders(request.headers));
  let body: unknown;
  let missing: readonly FieldError[] = [];
  if (checkBody && operation.body) {
    const type = operation.body as DeclaredName;
    const given = request.body ?? {};
    leaveOutRepeats(type, given);
    attempt(() => checkBody(given));
    // Made here in turns; it is looked up below.
    if (errors.length === 0) await finishInTurns(exactBodyParts(given));
    if (takesIfMatch(operation) && errors.length === 0)
      attempt(() => takeIfMatch(request, given as Record<string, unknown>));
    if (errors.length > 0) {
      const told = new Set(errors.list.map(({ field }) => field));
      errors.push(...missingFields(type, given, operation.lines).filter(({ field }) => !told.has(field)));
    } else {
      const exact = exactBody(given);
      if (exact !== given) leaveOutRepeats(type, exact);
      body = normaliseBody(type, exact, takesIfMatch(operation));
      missing = missingFields(type, body, operation.lines);
    }
  }
  errors.throwIfAny();
  return { params, query, body, missing };
}

/**
 * Puts the token of the header `If-Match` into the body, where a repeated request is recognised by it as well.
 * @throws ValidationError when the body names another one
 */
function takeIfMatch(request: FastifyRequest, body: Record<string, unknown>): void {
  const header = request.headers['if-match'];
  if (header === undefined) return;
  const occToken = Number(header.replaceAll('"', ''));
  if (body['occToken'] !== undefined && body['occToken'] !== null && Number(body['occToken']) !== occToken) {
    throw invalid(
      'if-match',
      'INVALID_VALUE',
      'The token of If-Match is another one than that of the body; send one of them.',
    );
  }
  for (const form of new Set([body, exactBody(body) as Record<string, unknown>])) form['occToken'] = occToken;
  // Without a body the request has nothing yet to hold it.
  request.body = body;
}
