/**
 * Responses to input that never became a request, written to the socket with the same body as every
 * other error.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@portico/contract';
import { PorticoError } from '../kernel/errors.ts';
import { errorBody } from './error-body.ts';

/** Writes an error and ends the connection. @param message default: that of the code */
export function sendRawError(socket: Socket, code: ErrorCode, message?: string): void {
  const error = new PorticoError(code, message === undefined ? {} : { message });
  const id = randomUUID();
  const body = JSON.stringify(errorBody(error, id));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${id}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
