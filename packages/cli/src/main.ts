/** `portico`: load what the words need, run it, turn failures into one sentence and an exit code. */
import { describeFailure, exitCodes } from './errors.ts';
import { version } from './version.ts';

const words = process.argv.slice(2);

// `portico … | head` closes our output before we are through; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

if (words[0] === '--version' || words[0] === '-V') process.stdout.write(`${version}\n`);
else await run();

async function run(): Promise<void> {
  const { programFor, wholeProgram } = await import('./program.ts');
  try {
    if (words[0] === '__complete') {
      const { completions } = await import('./commands/completion.ts');
      for (const word of completions(await wholeProgram(), words.slice(1))) process.stdout.write(`${word}\n`);
      return;
    }
    const noun = words[0] === 'help' ? words[1] : words[0];
    await (await programFor(noun)).parseAsync();
  } catch (error) {
    process.exitCode = await failureCode(error);
  }
}

async function failureCode(error: unknown): Promise<number> {
  if (error instanceof Error && error.name === 'Interrupted') return 130;
  // Commander has said already what is wrong with the words.
  if (error instanceof Error && error.name === 'CommanderError') {
    return (error as Error & { exitCode: number }).exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  const { exitCode, text } = describeFailure(error);
  const { red } = await import('./output.ts');
  process.stderr.write(`${red('portico:')} ${text}\n`);
  return exitCode;
}
