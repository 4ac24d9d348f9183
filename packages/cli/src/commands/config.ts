import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { printTable } from '../output.ts';
import { configurationPath, type Profile, readConfiguration, settingNames, writeConfiguration } from '../profiles.ts';

/** `portico config …`: profiles. */
export function configCommand(program: Command): void {
  const config = program.command('config').description('Profiles: which portal, and how to sign in there');
  config
    .command('list')
    .description('List the profiles; the current one is marked')
    .addHelpText('after', '\nExamples:\n  $ portico config list\n  $ PORTICO_CONFIG=./portico.json portico config list')
    .action(() => {
      const { current, profiles } = readConfiguration();
      printTable(
        Object.entries(profiles).map(([name, profile]) => ({
          current: name === current ? '*' : '',
          name,
          url: profile.url,
          'signs in by': profile.keyFile ?? profile.tokenVariable ?? profile.providerTokenVariable,
        })),
      );
    });
  config
    .command('show')
    .description('Show the settings of a profile as JSON')
    .argument('[profile]', 'default: the current one')
    .addHelpText('after', '\nExamples:\n  $ portico config show\n  $ portico config show lab')
    .action((name?: string) => {
      const configuration = readConfiguration();
      process.stdout.write(
        `${JSON.stringify(existing(configuration.profiles, name ?? configuration.current), null, 2)}\n`,
      );
    });
  config
    .command('set')
    .description(`Change a setting of a profile: ${settingNames.join(', ')}; an empty value removes it`)
    .argument('<setting>')
    .argument('<value>')
    .option('--profile <name>', 'default: the current one; created if missing')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico config set timeoutMs 60000\n  $ portico config set url https://portal.acme.example --profile acme',
    )
    .action((setting: string, value: string, flags: { profile?: string }) => {
      if (!settingNames.some((name) => name === setting)) {
        throw new UsageError(`There is no setting "${setting}"; there are: ${settingNames.join(', ')}.`);
      }
      const configuration = readConfiguration();
      const name = flags.profile ?? configuration.current ?? 'default';
      const profile: Record<string, unknown> = { ...configuration.profiles[name] };
      if (value === '') delete profile[setting];
      else profile[setting] = setting === 'timeoutMs' ? milliseconds(value) : value;
      configuration.profiles[name] = profile as Profile;
      configuration.current ??= name;
      writeConfiguration(configuration);
    });
  config
    .command('use')
    .description('Switch to a profile')
    .argument('<profile>')
    .addHelpText('after', '\nExamples:\n  $ portico config use lab\n  $ portico config use default')
    .action((name: string) => {
      const configuration = readConfiguration();
      existing(configuration.profiles, name);
      writeConfiguration({ ...configuration, current: name });
    });
  config
    .command('remove')
    .description('Remove a profile; key files are kept')
    .argument('<profile>')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico config remove lab\n  $ portico logout --profile lab && portico config remove lab',
    )
    .action((name: string) => {
      const { current, profiles } = readConfiguration();
      existing(profiles, name);
      delete profiles[name];
      writeConfiguration({ ...(current !== name && current !== undefined && { current }), profiles });
    });
  config
    .command('path')
    .description('Print the path of the profiles file')
    .addHelpText('after', '\nExamples:\n  $ portico config path\n  $ cat "$(portico config path)"')
    .action(() => {
      process.stdout.write(`${configurationPath()}\n`);
    });
}

function existing(profiles: Readonly<Record<string, Profile>>, name: string | undefined): Profile {
  const profile = name === undefined ? undefined : profiles[name];
  if (profile) return profile;
  const known = Object.keys(profiles);
  throw new UsageError(
    `There is no profile${name === undefined ? '' : ` "${name}"`}${known.length > 0 ? `; there are: ${known.join(', ')}` : '; "portico login" creates one'}.`,
  );
}

function milliseconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('timeoutMs must be a number of milliseconds.');
  return Number(text);
}
