/**
 * Tells systemd how the service is: that it serves, that it stops, and that it is alive (`Type=notify`, `WatchdogSec=`).
 * Node.js has no datagram sockets of Unix, so `systemd-notify` sends each message.
 */
import { execFile } from 'node:child_process';
import type { Log } from '../kernel/scope.ts';

/** Signs of life within the time after which the watchdog of systemd ends the service. */
const BEATS = 3;
/** Milliseconds after which a message that nobody takes is given up. */
const PATIENCE_MS = 10_000;

interface ServiceManager {
  /** The service serves. Begins with the signs of life. @param status one line for `systemctl status` */
  ready(status: string): void;
  stopping(): void;
}

/**
 * Reads `NOTIFY_SOCKET` and `WATCHDOG_USEC`, and removes them from the environment: processes that the service starts do
 * not speak for it.
 * @returns a manager that does nothing where systemd does not wait for messages
 */
export function findServiceManager(env: NodeJS.ProcessEnv, log: Log): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (!socket) return { ready: () => undefined, stopping: () => undefined };
  let warned = false;
  const tell = (...messages: string[]) => {
    const options = { env: { ...env, NOTIFY_SOCKET: socket }, timeout: PATIENCE_MS };
    execFile('systemd-notify', messages, options, (error) => {
      if (!error || warned) return;
      warned = true;
      log.warn({ reason: error.message }, 'systemd could not be told about the service');
    });
  };
  const beatMs = Number(microseconds ?? 0) / 1_000 / BEATS;
  return {
    ready(status) {
      tell('READY=1', `STATUS=${status}`);
      // The timer is late while the event loop is blocked, which the watchdog then notices.
      if (beatMs >= 1) setInterval(() => tell('WATCHDOG=1'), beatMs).unref();
    },
    stopping: () => tell('STOPPING=1'),
  };
}
