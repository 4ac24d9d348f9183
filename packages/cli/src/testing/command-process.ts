/**
 * A process for many commands: it runs the arguments that its parent sends, one command after the other, and answers what each
 * printed and how it would have ended. A test that runs hundreds of commands saves the start of a process for each.
 */
import { runCommand } from '../run-command.ts';

/** Called in the order of the messages. */
let last: Promise<unknown> = Promise.resolve();

process.on('message', (args: string[]) => {
  last = last.then(async () => process.send?.(await captured(args)));
});

async function captured(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const keep = (name: keyof typeof printed) => (text: unknown) => {
    printed[name] += String(text);
    return true;
  };
  process.exitCode = undefined;
  process.stdout.write = keep('out');
  process.stderr.write = keep('err');
  await runCommand(args);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  process.removeAllListeners('SIGINT');
  return { code, ...printed };
}
