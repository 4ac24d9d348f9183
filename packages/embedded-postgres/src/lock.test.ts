import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from './lock.ts';
import { complaintsSince, LOG_LIMIT_BYTES, openLog, rotateLog } from './log-file.ts';
import { processNamespace, processStart } from './processes.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function take(): ReturnType<typeof acquireLock> {
  return acquireLock(directory, 'server');
}

function leave(holder: unknown): void {
  writeFileSync(path.join(directory, 'postgres.lock'), typeof holder === 'string' ? holder : JSON.stringify(holder));
}

describe('the lock of a data directory', () => {
  it('goes to one holder at a time and leaves nothing behind', () => {
    const first = take();
    if (!('lock' in first)) throw new Error('The first attempt got no lock.');
    expect(take()).toMatchObject({ holder: { pid: process.pid, purpose: 'server' } });
    first.lock.release();
    expect(readdirSync(directory)).toEqual([]);
    expect('lock' in take()).toBe(true);
  });

  it('names a living holder without writing, as a full disk requires', () => {
    const first = take();
    utimesSync(directory, 1_000, 1_000);
    expect(take()).toMatchObject({ holder: { pid: process.pid } });
    expect(statSync(directory).mtimeMs).toBe(1_000_000);
    if ('lock' in first) first.lock.release();
  });

  it('is taken over from a dead holder, from a later process with its number, and when it is garbage', () => {
    const started = processStart(process.pid);
    const namespace = processNamespace();
    const stale = [
      { pid: 2 ** 22 + 1, started, namespace, purpose: 'server', token: 'dead' },
      { pid: process.pid, started: 'earlier', namespace, purpose: 'server', token: 'reused' },
      { pid: process.pid, started, namespace: 'pid:[1]', purpose: 'server', token: 'another container' },
      '',
      '{"pid":',
    ];
    for (const holder of stale) {
      leave(holder);
      const taken = take();
      expect('lock' in taken && taken.lock.stillOurs()).toBe(true);
      if ('lock' in taken) taken.lock.release();
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  it('notices that somebody else has taken it since, and does not remove theirs', () => {
    const first = take();
    if (!('lock' in first)) throw new Error('The first attempt got no lock.');
    leave({ pid: 1, started: '', namespace: '', purpose: 'server', token: 'theirs' });
    expect(first.lock.stillOurs()).toBe(false);
    first.lock.release();
    expect(readdirSync(directory)).toEqual(['postgres.lock']);
  });
});

describe('the log', () => {
  it('is put aside when it has grown too large', () => {
    const file = path.join(directory, 'postgres.log');
    rotateLog(file);
    writeFileSync(file, 'x'.repeat(LOG_LIMIT_BYTES));
    rotateLog(file);
    expect(statSync(file).size).toBe(LOG_LIMIT_BYTES);
    writeFileSync(file, 'x', { flag: 'a' });
    rotateLog(file);
    expect([statSync(file).size, statSync(`${file}.1`).size]).toEqual([0, LOG_LIMIT_BYTES + 1]);
  });

  it('yields what the server complained about since its start', () => {
    const file = path.join(directory, 'postgres.log');
    writeFileSync(file, '2026-01-01 [1] FATAL:  an old one\n', { mode: 0o600 });
    const { fd, size } = openLog(file);
    writeFileSync(
      fd,
      '2026-01-01 [2] LOG:  starting\n2026-01-01 [2] FATAL:  no room.\n2026-01-01 [2] HINT:  Make some.\n',
    );
    expect(complaintsSince(file, size)).toBe('no room; Make some');
  });
});
