/** Errors of the command line and their exit codes (`portico help` lists them). */

/** Exit codes by kind of failure. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  authentication: 3,
  permission: 4,
  notFound: 5,
  validation: 6,
  network: 7,
  server: 8,
  conflict: 9,
  internal: 10,
  upload: 11,
  rateLimited: 12,
} as const;

/** Meaning of each exit code, for the reference page and the help. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  failed: 'failed in a way that has no code of its own; an operator command failed',
  usage:
    'wrong arguments or flags, missing or wrong configuration, a name that does not exist; nothing was sent or written',
  authentication: 'not signed in, or the sign-in was refused (401)',
  permission: 'the caller lacks the permission (403)',
  notFound: 'it does not exist, or the caller may not see it (404)',
  validation: 'the request was refused; all errors are listed (400)',
  network: 'no answer: no connection, or a timeout',
  server: 'the server failed (5xx)',
  conflict: 'somebody else changed it first (409)',
  internal: 'a bug in this program',
  upload: 'the storage refused the file',
  rateLimited: 'too many requests (429)',
};

/**
 * A mistake that the user of the command can fix: wrong arguments, a missing file, a name in use.
 */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A failure with a message of one sentence and exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** Exit codes of the client library's errors, by the names of their classes. */
const CLIENT_ERRORS: Readonly<Record<string, number>> = {
  ConfigurationError: exitCodes.usage,
  UnknownNameError: exitCodes.usage,
  AuthenticationError: exitCodes.authentication,
  PermissionError: exitCodes.permission,
  NotFoundError: exitCodes.notFound,
  ValidationError: exitCodes.validation,
  NetworkError: exitCodes.network,
  TimeoutError: exitCodes.network,
  ServerError: exitCodes.server,
  ConflictError: exitCodes.conflict,
  UpdateConflictError: exitCodes.conflict,
  UploadError: exitCodes.upload,
  RateLimitedError: exitCodes.rateLimited,
  ResponseError: exitCodes.failed,
};

/** Names of other errors with messages for the person at the terminal. */
const USER_MESSAGES = new Set([
  'UsageError',
  'CommandError',
  'TenantError',
  'OperatorError',
  'ConfigError',
  'MigrationError',
  'DatabaseError',
  'EmbeddedPostgresError',
  'PorticoError',
  'ValidationError',
  'MappingError',
]);

/** Returns the exit code of a failure and the text for stderr. */
export function describeFailure(error: unknown): { exitCode: number; text: string } {
  if (!(error instanceof Error)) return { exitCode: exitCodes.internal, text: String(error) };
  // The client library's errors all have their operation; the server's, which share some names, do
  // not.
  if ('operation' in error && Object.hasOwn(CLIENT_ERRORS, error.name)) {
    return { exitCode: CLIENT_ERRORS[error.name] as number, text: describeClientError(error as ClientFailure) };
  }
  if (error.name === 'UsageError') return { exitCode: exitCodes.usage, text: error.message };
  if (USER_MESSAGES.has(error.name) || typeof (error as { code?: unknown }).code === 'string') {
    return { exitCode: exitCodes.failed, text: error.message };
  }
  return { exitCode: exitCodes.internal, text: error.stack ?? error.message };
}

interface ClientFailure extends Error {
  status?: number;
  code?: string;
  requestId?: string;
  operation?: string;
  retryAfterSeconds?: number;
  body?: unknown;
  errors?: readonly { field?: string; code?: string; defaultMessage?: string }[];
  conflicts?: readonly { member: string; before: unknown; present: unknown }[];
}

/** The address of a field on the wire, where the message begins with its label. */
const FIELD_BEFORE_LABEL = /^(?:customData|screenData)\.\d+: (?=[^:]+: )/;

function describeClientError(error: ClientFailure): string {
  const lines = [error.name === 'ValidationError' ? messageOf(error) : withoutOperation(error)];
  for (const { member, before, present } of error.conflicts ?? [])
    lines.push(`  ${member}: was ${JSON.stringify(before) ?? 'empty'}, is now ${JSON.stringify(present) ?? 'empty'}`);
  const faults = (error.errors ?? []).map(({ field, defaultMessage, code }) => ({
    told: `${field ?? '(request)'}: ${defaultMessage ?? 'refused'}`,
    code,
  }));
  // Servers also put the faults into the message.
  if (faults.length > 0 && lines[0] === faults.map(({ told }) => told).join(' ')) lines.shift();
  for (const { told, code } of faults)
    lines.push(`  ${told.replace(FIELD_BEFORE_LABEL, '')}${code ? ` [${code}]` : ''}`);
  if (lines[0]?.startsWith('  ')) lines.unshift('The request was refused:');
  if (error.name === 'UploadError' && error.code) lines[0] += ` [${error.code}]`;
  if (error.name === 'AuthenticationError' && error.operation && !error.operation.startsWith('createAccessToken')) {
    lines.push('  The saved token was deleted. The next command signs in again, unless a fixed token is configured.');
  }
  if (error.retryAfterSeconds !== undefined) {
    lines.push(`  Try again in ${Math.ceil(error.retryAfterSeconds)} s.`);
  }
  if (error.requestId) lines.push(`  request id ${error.requestId}`);
  return lines.join('\n');
}

/** The message without the id of the operation, which the client library puts first. */
function withoutOperation({ message, operation }: ClientFailure): string {
  return operation !== undefined && message.startsWith(`${operation}: `)
    ? message.slice(operation.length + 2)
    : message;
}

function messageOf(error: ClientFailure): string {
  const message = (error.body as { message?: unknown } | undefined)?.message;
  return typeof message === 'string' ? message : error.message;
}
