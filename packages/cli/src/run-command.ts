/** Runs one command: loads what its arguments need, and turns failures into one sentence and an exit code. */
import { describeFailure, exitCodes } from './errors.ts';

/** @param args the arguments of the command line. Sets `process.exitCode` where the command fails */
export async function runCommand(args: readonly string[]): Promise<void> {
  const { wholeProgram } = await import('./program.ts');
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
    // `portico help posts list` means `portico api posts list --help`.
    await runWords(args[0] === 'help' ? [...args.slice(1), '--help'] : args);
  } catch (error) {
    process.exitCode = await failureCode(error);
  }
}

/**
 * Runs the command that the words name, also by its former name, which is told on standard error.
 * @throws the failure of the command; UsageError for an unknown word
 */
export async function runWords(args: readonly string[]): Promise<void> {
  const [{ programFor }, { currentWords }, { refuseUnknownWord }, { refuseFormerFlags }] = await Promise.all([
    import('./program.ts'),
    import('./former-names.ts'),
    import('./words.ts'),
    import('./people/former-flags.ts'),
  ]);
  const { words, notice } = await currentWords(args);
  if (notice !== undefined) process.stderr.write(`${notice}\n`);
  const program = await programFor(words);
  await refuseUnknownWord(program, words);
  await refuseFormerFlags(words);
  await program.parseAsync([...words], { from: 'user' });
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
