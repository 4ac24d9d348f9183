/** Runs one command: loads what its arguments need, and turns failures into one sentence and an exit code. */
import { describeFailure, exitCodes } from './errors.ts';

/** @param args the arguments of the command line. Sets `process.exitCode` where the command fails */
export async function runCommand(args: readonly string[]): Promise<void> {
  const { programFor, wholeProgram } = await import('./program.ts');
  try {
    if (args[0] === '__complete') {
      const { completions } = await import('./commands/completion.ts');
      for (const word of completions(await wholeProgram(), args.slice(1))) process.stdout.write(`${word}\n`);
      return;
    }
    if (args[0] === 'help' && args[1] === '--all') {
      const { referencePage } = await import('./reference.ts');
      process.stdout.write(await referencePage());
      return;
    }
    // `portico help posts list` means `portico posts list --help`.
    const words = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
    await (await programFor(words[0])).parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = await failureCode(error);
  }
}

async function failureCode(error: unknown): Promise<number> {
  if (error instanceof Error && error.name === 'Interrupted') return 130;
  // Commander has said already what is wrong with the arguments.
  if (error instanceof Error && error.name === 'CommanderError') {
    return (error as Error & { exitCode: number }).exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  const { UndecodedFileError } = await import('./text-files.ts');
  const told = error instanceof UndecodedFileError ? await error.explained() : error;
  const { exitCode, text } = describeFailure(told);
  const { red } = await import('./output.ts');
  process.stderr.write(`${red('portico:')} ${text}\n`);
  return exitCode;
}
