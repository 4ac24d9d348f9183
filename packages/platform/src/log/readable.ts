/**
 * The log as people read it on a terminal: time, level, sentence; then the other fields of the line
 * in short form.
 */
import { isColorSupported, prettyFactory } from 'pino-pretty';

/** Members that are omitted on a terminal. */
const LEFT_OUT = 'pid,hostname,reqId,outage,count,reason';

/** @returns a function that turns a line of JSON into lines of text */
export function readableLines(): (line: string) => string {
  return prettyFactory({
    colorize: isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: `${LEFT_OUT},tenant,user,operation,method,status,ms`,
    messageFormat: sentence,
  });
}

function sentence(line: Record<string, unknown>, messageKey: string): string {
  const message = String(line[messageKey] ?? '');
  if (message === 'answered') {
    const { method, operation, status, ms, tenant } = line;
    return `${method} ${operation}: ${status} in ${ms} ms${tenant === undefined ? '' : ` (${tenant})`}`;
  }
  return typeof line['reason'] === 'string' ? `${message}: ${line['reason']}` : message;
}
