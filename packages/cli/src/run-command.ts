/** Runs one command: loads what its words need, and turns failures into one sentence and an exit code. */
import { describeFailure, exitCodes } from './errors.ts';

/** @param words the arguments of the command line. Sets `process.exitCode` where the command fails */
export async function runCommand(words: readonly string[]): Promise<void> {
  const { programFor, wholeProgram } = await import('./program.ts');
  try {
    if (words[0] === '__complete') {
      const { completions } = await import('./commands/completion.ts');
      for (const word of completions(await wholeProgram(), words.slice(1))) process.stdout.write(`${word}\n`);
      return;
    }
    const noun = words[0] === 'help' ? words[1] : words[0];
    await (await programFor(noun)).parseAsync([...words], { from: 'user' });
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
