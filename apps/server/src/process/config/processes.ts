/** The number of processes that serve on this machine. */
import { availableParallelism, totalmem } from 'node:os';

/** Most processes where the number is not set. */
const MOST = 4;
/** A machine with less memory has one. Bytes. */
const LEAST_MEMORY = 1024 ** 3;
/** Fewest database connections of a process where the number is not set. */
const LEAST_CONNECTIONS = 2;

/** The part of a machine that the service may use. */
interface Machine {
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
}

/** This machine, or the part of it that the service may use. */
export function thisMachine(): Machine {
  // 0, or a number beyond the machine, where nothing constrains the process.
  const constrained = process.constrainedMemory();
  return {
    cores: availableParallelism(),
    memory: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem(),
  };
}

/**
 * The number of processes where none is set: one for each core; with the embedded database, which needs cores as well, half of them.
 * @param connections database connections, where their number is set
 */
export function defaultProcesses(
  { cores, memory }: Machine,
  { embedded, connections = Number.POSITIVE_INFINITY }: { embedded: boolean; connections?: number | undefined },
): number {
  if (memory < LEAST_MEMORY) return 1;
  const most = Math.min(embedded ? cores / 2 : cores, connections / LEAST_CONNECTIONS, MOST);
  return Math.max(1, Math.floor(most));
}
