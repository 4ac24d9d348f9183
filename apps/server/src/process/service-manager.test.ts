/** Messages to systemd, against a socket of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '../kernel/scope.ts';
import { findServiceManager } from './service-manager.ts';

/** Prints each datagram, since Node.js cannot receive any; descriptors that come along are closed, as systemd does. */
const LISTENER = `use Socket; $| = 1;
socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, pack_sockaddr_un($ARGV[0])) or die "bind $!";
print "listening\\n"; while (defined recv($s, my $text, 4096, 0)) { print "$text\\n" }`;

let folder: string;
let listener: ChildProcess;
let received = '';
const warnings: string[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_fields, message) => void warnings.push(message ?? ''),
  error: () => undefined,
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-notify-'));
  received = '';
  warnings.length = 0;
  listener = spawn('perl', ['-e', LISTENER, join(folder, 'socket')], { stdio: ['ignore', 'pipe', 'inherit'] });
  listener.stdout?.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  await expect.poll(() => received).toContain('listening\n');
});
afterEach(async () => {
  listener.kill();
  await once(listener, 'close');
  rmSync(folder, { recursive: true });
});

test('says that the service serves, lives and stops', async () => {
  const env = { ...process.env, NOTIFY_SOCKET: join(folder, 'socket'), WATCHDOG_USEC: '300000', WATCHDOG_PID: '1' };
  const manager = findServiceManager(env, log);
  manager.ready('serves at http://localhost:8080');
  await expect.poll(() => received).toContain('READY=1\nSTATUS=serves at http://localhost:8080\n');
  await expect.poll(() => received.match(/WATCHDOG=1/g)?.length).toBeGreaterThan(1);
  manager.stopping();
  await expect.poll(() => received).toContain('STOPPING=1\n');
  expect(warnings).toEqual([]);
});

test('leaves nothing for processes of the service to speak for it', () => {
  const env = { NOTIFY_SOCKET: join(folder, 'socket'), WATCHDOG_USEC: '300000', WATCHDOG_PID: '1', PATH: 'x' };
  findServiceManager(env, log);
  expect(env).toEqual({ PATH: 'x' });
});

test('logs once that systemd-notify is missing', async () => {
  // The signs of life of the first test go on, and fail once its folder is gone.
  const own: string[] = [];
  const ownLog = { ...log, warn: (_fields: object, message?: string) => void own.push(message ?? '') };
  const manager = findServiceManager({ NOTIFY_SOCKET: join(folder, 'socket'), PATH: folder }, ownLog);
  manager.ready('serves');
  manager.stopping();
  await expect.poll(() => own).toEqual(['systemd could not be told about the service']);
  expect(received).toBe('listening\n');
});
