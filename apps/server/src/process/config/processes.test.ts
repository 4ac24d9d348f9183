import { expect, test } from 'vitest';
import { defaultProcesses } from './processes.ts';

const GIB = 1024 ** 3;

test.each([
  [{ cores: 1, memory: 8 * GIB }, { embedded: false }, 1],
  [{ cores: 2, memory: 8 * GIB }, { embedded: true }, 1],
  [{ cores: 2, memory: 8 * GIB }, { embedded: false }, 2],
  [{ cores: 7, memory: 8 * GIB }, { embedded: true }, 3],
  [{ cores: 64, memory: 8 * GIB }, { embedded: true }, 4],
  [{ cores: 64, memory: GIB - 1 }, { embedded: false }, 1],
  [{ cores: 8, memory: GIB }, { embedded: false, connections: 5 }, 2],
  [{ cores: 8, memory: GIB }, { embedded: false, connections: 1 }, 1],
])('on %o with %o there are %i', (machine, database, processes) => {
  expect(defaultProcesses(machine, database)).toBe(processes);
});
