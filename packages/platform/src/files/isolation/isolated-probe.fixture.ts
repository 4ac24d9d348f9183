/** A script that tries the requested attempts, in the place of one that reads files. */
import { createSocket } from 'node:dgram';
import { symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { answerJobs } from './isolated-child.ts';

/**
 * A single attempt. `readNatively` and `writeNatively` run in a native package, which the
 * permissions of Node.js do not bind.
 */
export interface ProbeJob {
  readonly read?: string;
  readonly write?: string;
  /** A picture. */
  readonly readNatively?: string;
  readonly writeNatively?: string;
  /** The id of a process to signal. */
  readonly signal?: number;
  /** The port of this machine to send a datagram to. */
  readonly send?: number;
  /** Makes a link. */
  readonly link?: { readonly from: string; readonly to: string };
  /** Takes no notice of the end of its parent. */
  readonly stay?: boolean;
}

export interface ProbeAnswer {
  /** Content of the file. */
  readonly text: string;
  readonly uid: number | undefined;
  readonly groups: readonly number[];
  readonly environment: readonly string[];
}

answerJobs<ProbeJob, ProbeAnswer>(async (job) => {
  if (job.write !== undefined) writeFileSync(job.write, 'written');
  if (job.link) symlinkSync(job.link.to, job.link.from);
  if (job.signal !== undefined) process.kill(job.signal, 0);
  if (job.send !== undefined) await sendDatagram(job.send);
  if (job.stay) process.removeAllListeners('disconnect');
  if (job.readNatively !== undefined) await (await native())(job.readNatively).metadata();
  if (job.writeNatively !== undefined) {
    const picture = { width: 1, height: 1, channels: 3, background: 'red' } as const;
    await (await native())({ create: picture }).png().toFile(job.writeNatively);
  }
  return {
    text: job.read === undefined ? '' : await readFile(job.read, 'utf8'),
    uid: process.getuid?.(),
    groups: process.getgroups?.() ?? [],
    environment: Object.keys(process.env),
  };
});

async function native() {
  return (await import('sharp')).default;
}

async function sendDatagram(port: number): Promise<void> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send('heard', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    socket.close();
  }
}
