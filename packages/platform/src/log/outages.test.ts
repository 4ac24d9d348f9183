import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, StatementCancelled } from '../db/pg-errors.ts';
import { StorageFullError, StorageUnavailableError } from '../files/storage.ts';
import { type OutageLine, Outages } from './outages.ts';

const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' });

describe('an outage', () => {
  let told: [OutageLine, string][];
  let outages: Outages;
  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    outages = new Outages((line, message) => told.push([line, message]));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told at once, then once a second with a count, without a stack', () => {
    for (let index = 0; index < 100; index++) expect(outages.take({ err: refused() }, 'request failed')).toBe(true);
    expect(outages.take({ err: refused() }, 'not ready')).toBe(true);
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([
      [{ outage: true, count: 1, reason: 'connect ECONNREFUSED 127.0.0.1:5432' }, 'unavailable: request failed'],
      [
        { outage: true, count: 100, reason: 'connect ECONNREFUSED 127.0.0.1:5432' },
        'unavailable: request failed (99 times), not ready',
      ],
    ]);
    // The outage is over: no further line comes, and the next outage is logged at once.
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(2);
    outages.take({ err: refused() }, 'request failed');
    expect(told).toHaveLength(3);
  });

  it('is the only thing that is held back', () => {
    expect(outages.take({ err: new Error('a fault') }, 'request failed')).toBe(false);
    expect(outages.take({ operation: 'x' }, 'answered')).toBe(false);
    expect(outages.take('Server listening', undefined)).toBe(false);
    expect(told).toEqual([]);
    expect(outages.take({ outage: true, reason: 'terminated' }, 'a connection was lost')).toBe(true);
    expect(outages.take({ err: new Error('the store is down'), code: 'UNAVAILABLE' }, 'request failed')).toBe(true);
    const away = new DatabaseUnavailable('no connection could be made', refused());
    expect(outages.take({ err: away, task: 'remove uploads' }, 'background work failed')).toBe(true);
    outages.flush();
    expect(outages.take({ err: new StorageUnavailableError(refused()) }, 'background work failed')).toBe(true);
    outages.flush();
    expect(outages.take({ err: new StorageFullError('no space left') }, 'background work failed')).toBe(true);
    // The disk of the database server.
    const extend = Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' });
    expect(outages.take({ err: extend }, 'work after an answer failed')).toBe(true);
    outages.flush();
    expect(outages.take({ err: new StatementCancelled('SELECT 1', refused()) }, 'background work failed')).toBe(false);
    outages.flush();
    expect(told.map(([line]) => line.reason)).toEqual([
      'terminated',
      'no connection could be made: connect ECONNREFUSED 127.0.0.1:5432',
      'the storage of files does not answer as it should: connect ECONNREFUSED 127.0.0.1:5432',
      'no space left',
      'could not extend file',
    ]);
  });
});
