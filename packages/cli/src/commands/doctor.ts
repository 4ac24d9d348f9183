import { type Command, Option } from 'commander';
import { CommandError } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { bold, type OutputFormat, outputFormats, printObject, red } from '../output.ts';

/** Width of the longest name of an area, and a space. */
const AREA_WIDTH = 15;

/** `portico doctor`: the state of the installation on one screen. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('Examine this installation')
    .description(
      'Examine this installation and say what is wrong and how to correct it: configuration, service, permissions, room, database, versions, indexes, tenants, backups, clock, storage and mail. Run it as the user of the service with its environment, whether or not the service runs.',
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExit codes: 0 when there is no problem, also with warnings; 1 when there is a problem.\n\nExamples:\n  $ portico doctor\n  $ portico doctor --output json',
    )
    .action(async ({ output }: { output: OutputFormat }) => {
      const { examine } = await loadOperator();
      const findings: { area: string; state: string; found: string; remedy?: string }[] = [];
      for await (const finding of examine()) {
        findings.push(finding);
        if (output !== 'table') continue;
        const { area, state, found, remedy } = finding;
        const mark = { ok: bold('ok     '), warning: bold('WARNING'), problem: red('PROBLEM', process.stdout) }[state];
        process.stdout.write(`${mark}  ${area.padEnd(AREA_WIDTH)}${found}\n`);
        if (remedy !== undefined) process.stdout.write(`${' '.repeat(9 + AREA_WIDTH)}${remedy}\n`);
      }
      if (output !== 'table') await printObject(findings, { format: output });
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0)
        throw new CommandError(problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`);
    });
}
