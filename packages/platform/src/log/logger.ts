/** The log of the process: JSON lines, or text on a terminal. */
import { isatty } from 'node:tty';
import { type Logger as PinoLogger, pino } from 'pino';
import { Outages } from './outages.ts';
import { LogOutput } from './output.ts';

/** How long the end of the process waits for a reader of the log. Milliseconds. */
const LAST_LINES_MS = 1_000;

interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto`: text on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'text' | 'json';
  /** Called for every warning and error that is written. */
  count(level: 'warn' | 'error'): void;
}

type Logger = PinoLogger<never, boolean>;

interface ProcessLog {
  readonly logger: Logger;
  /** Writes text that is no line of the log (the output of the start). */
  print(text: string): void;
  /** Flushes the buffer, for at most a second. */
  close(): Promise<void>;
}

/** Opens the log on standard output. */
export async function openLog({ level, format, count }: LoggerOptions): Promise<ProcessLog> {
  const text = format === 'text' || (format === 'auto' && isatty(1));
  // The formatter is loaded only for a terminal.
  const readable = text ? (await import('./readable.ts')).readableLines() : undefined;
  const shown = (line: string) => readable?.(line) ?? line;
  const output = new LogOutput(1, (dropped) => shown(missingLines(dropped)).trimEnd());
  const outages = new Outages((line, message) => logger.warn(line, message));
  const logger = pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // Defence in depth: secrets are redacted should code ever log them.
      redact: {
        paths: [
          'headers.authorization',
          'req.headers.authorization',
          '*.password',
          '*.newPassword',
          '*.accessToken',
          '*.jwtAssertion',
          '*.secret',
        ],
        censor: '[redacted]',
      },
      hooks: {
        logMethod(args, method, rank) {
          if (rank >= 40 && outages.take(args[0], args[1])) return;
          if (rank === 40) count('warn');
          else if (rank >= 50) count('error');
          method.apply(this, args);
        },
      },
    },
    { write: (line: string) => output.write(shown(line)) },
  );
  return {
    logger,
    print: (words) => output.write(words),
    close: async () => {
      outages.flush();
      await output.flush(LAST_LINES_MS);
    },
  };
}

/** A line in the shape of all others; it does not go through the logger, which could not write it. */
function missingLines(lines: number): string {
  const msg = `${lines} ${lines === 1 ? 'line' : 'lines'} of the log could not be written`;
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), pid: process.pid, lines, msg })}\n`;
}

/**
 * Returns the logged form of an error. Only the fields named here: errors of the driver carry the
 * whole connection, and the details of a refusal the values of a row.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const { code, syscall, constraint, table, routine } = error as Error & Record<string, unknown>;
  return {
    type: name,
    message,
    ...Object.fromEntries(
      Object.entries({ code, syscall, constraint, table, routine }).filter(([, value]) => typeof value === 'string'),
    ),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(describeError) }),
  };
}
