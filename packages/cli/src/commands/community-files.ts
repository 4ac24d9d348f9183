/** `portico api communities export|plan|apply|schema`: communities as files. */
import { writeFileSync } from 'node:fs';
import type { CommunityFileFieldChange, CommunityFileStateChange, PlanCommunityRequest } from '@portico/contract';
import { type Command, Option } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { confirmed } from '../client/run.ts';
import { UsageError } from '../errors.ts';
import { type CommonOptions, openSession } from '../session.ts';
import { planText } from './community-plan-text.ts';
import { CHANGES, exitWithChanges, locating, readCommunitySource } from './community-source.ts';

/**
 * Help of an option for the treatment of values.
 * @param form the form of the fields
 */
const fieldChoices = (form: string) =>
  `treatment of the values of a field of ${form} that the file omits or gives another type: ` +
  'keep, clear, or map:KEY to another field; repeatable';

/** Reads `key=choice`, repeatedly. */
const fieldChange =
  (member: 'field' | 'screenField') =>
  (text: string, before: CommunityFileFieldChange[] = []): CommunityFileFieldChange[] => {
    const [, key, choice, into] = /^(.+)=(keep|clear|map):?(.*)$/.exec(text) ?? [];
    if (key === undefined || (choice === 'map') !== (into !== ''))
      throw new UsageError(`"${text}" is not KEY=keep, KEY=clear or KEY=map:KEY.`);
    const onExisting = choice as 'keep' | 'clear' | 'map';
    return [...before, { [member]: key, onExisting, ...(into && { into }) }];
  };

/** Reads `key=choice` of a state, repeatedly. */
function stateChange(text: string, before: CommunityFileStateChange[] = []): CommunityFileStateChange[] {
  const [, state, choice, into] = /^(.+)=(keep|map):?(.*)$/.exec(text) ?? [];
  if (state === undefined || (choice === 'map') !== (into !== ''))
    throw new UsageError(`"${text}" is not KEY=keep or KEY=map:KEY.`);
  return [...before, { state, onExisting: choice as 'keep' | 'map', ...(into && { into }) }];
}

/** Flags that treat data of posts. */
interface TreatmentFlags {
  onExisting?: 'keep';
  field?: CommunityFileFieldChange[];
  screenField?: CommunityFileFieldChange[];
  state?: CommunityFileStateChange[];
}

/** Adds the flags that treat data of posts, for `plan` and `apply`. */
function addTreatmentFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on-existing <choice>',
        'treatment of posts in states, and of values of lists, that the file omits',
      ).choices(['keep']),
    )
    .option('--field <key=choice>', fieldChoices('posts'), fieldChange('field'))
    .option('--screen-field <key=choice>', fieldChoices('screens'), fieldChange('screenField'))
    .option(
      '--state <key=choice>',
      'treatment of the posts in a state that the file omits: keep, or map:KEY to another state; repeatable',
      stateChange,
    );
}

/** Returns the members of a request that treat data of posts. */
function treatments({ onExisting, field = [], screenField = [], state = [] }: TreatmentFlags) {
  const fieldChanges = [...field, ...screenField];
  return {
    ...(onExisting && { onExisting }),
    ...(fieldChanges.length > 0 && { fieldChanges }),
    ...(state.length > 0 && { stateChanges: state }),
  } satisfies Omit<PlanCommunityRequest, 'file'>;
}

/** Returns the message where a file would be applied, unconfirmed and without a terminal. */
function adviceFor(name: string, isPlan: boolean): string {
  const unchanged = `${name} was not applied: there is no terminal to confirm on.`;
  return isPlan
    ? `${unchanged} If somebody has read the plan, add --yes.`
    : `${unchanged} Add --yes to apply it as planned above, or write the plan by "plan --out plan.json", have it read, and apply that file with --yes.`;
}

/** Adds the commands to `portico api communities`. */
export function addCommunityFileCommands(communities: Command): void {
  const write = communities
    .command('export')
    .argument('<community-id>', 'the community', parseInteger)
    .summary('Write a community as a YAML file')
    .description(
      'Write everything that defines a community as a YAML file: fields, workflow, screens, ' +
        'catalogs, roles of groups. The same definition always produces the same file.',
    )
    .option('--file <path>', 'file to write (default: standard output)');
  addCommonOptions(write)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities export 2\n  $ portico api communities export 2 --file purchasing.yaml',
    )
    .action(async (communityId: number) => {
      const { file, ...flags } = write.opts<CommonOptions & { file?: string }>();
      const { client, options } = await openSession(flags);
      const text = (await import('yaml')).stringify(
        await client.communities.exportDefinition({ communityId }, options),
        {
          lineWidth: 120,
        },
      );
      if (file === undefined) process.stdout.write(text);
      else writeFileSync(file, text);
    });

  const plan = communities
    .command('plan')
    .argument('<files...>', 'communities as YAML files; - reads standard input')
    .summary('Print the effects that applying files would have')
    .description(
      'Compare files with the communities that their keys name, and print each difference, data of ' +
        'posts without a place, new faults of the workflow and changed rights. Changes nothing; what ' +
        'apply would refuse is refused.',
    )
    .option('--out <path>', 'write the plan to a file, for apply')
    .option('--exit-code', `exit with ${CHANGES} if a file changes something, with 0 if none does`);
  addTreatmentFlags(plan);
  addCommonOptions(plan)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities plan purchasing.yaml\n  $ portico api communities plan purchasing.yaml --out purchasing.plan.json\n  $ portico api communities plan communities/*.yaml --exit-code',
    )
    .action(async (paths: string[]) => {
      const { out, exitCode, ...flags } = plan.opts<
        CommonOptions & TreatmentFlags & { out?: string; exitCode?: boolean }
      >();
      if (out !== undefined && paths.length > 1) throw new UsageError('--out takes the plan of one file.');
      const { client, options } = await openSession(flags);
      let changes = 0;
      for (const path of paths) {
        const source = await readCommunitySource(path);
        const { file } = source.content;
        const request = { file, ...treatments(flags) };
        const answer = await locating(source, () => client.communities.planDefinition(request, options));
        changes += answer.changesCount ?? 0;
        process.stdout.write(`${paths.length > 1 ? `${source.name}\n` : ''}${planText(answer)}`);
        if (out !== undefined) writeFileSync(out, `${JSON.stringify({ file, ...answer }, null, 2)}\n`);
      }
      if (exitCode) exitWithChanges(changes);
    });

  const apply = communities
    .command('apply')
    .argument(
      '<files...>',
      'plans that were written by plan --out, or communities as YAML files; - reads standard input',
    )
    .summary('Apply files to communities')
    .description(
      'Apply a plan: exactly the changes that it shows, or none if something has changed ' +
        'since. A YAML file is planned first. The plan is printed and confirmed on the terminal; a ' +
        'program without one sends --yes. Several files are applied in turn.',
    );
  addTreatmentFlags(apply)
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .option('--dry-run', 'print the changes, and change nothing');
  addCommonOptions(apply)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities apply purchasing.plan.json\n  $ portico api communities apply purchasing.plan.json --yes\n  $ portico api communities apply purchasing.yaml --yes\n  $ portico api communities apply purchasing.yaml --field note=map:remarks --field amount=clear --state open=map:new',
    )
    .action(async (paths: string[]) => {
      const { yes, dryRun, ...flags } = apply.opts<
        CommonOptions & TreatmentFlags & { yes?: boolean; dryRun?: boolean }
      >();
      const { client, options } = await openSession(flags);
      for (const path of paths) {
        const source = await readCommunitySource(path);
        const { file, ...planned } = source.content;
        const chosen = treatments(flags);
        const shown =
          planned.planToken === undefined
            ? await locating(source, () => client.communities.planDefinition({ file, ...chosen }, options))
            : planned;
        process.stdout.write(`${paths.length > 1 ? `${source.name}\n` : ''}${planText(shown)}`);
        if (!yes && !dryRun) await confirmed('Apply it', adviceFor(source.name, planned.planToken !== undefined));
        const { planToken } = shown;
        const request = { file, ...(planToken !== undefined && { planToken }), ...chosen, ...(dryRun && { dryRun }) };
        const { communityId } = await locating(source, () => client.communities.applyDefinition(request, options));
        process.stdout.write(dryRun ? 'Nothing was changed.\n' : `Applied to community ${communityId}.\n`);
      }
    });

  communities
    .command('schema')
    .summary('Print the JSON Schema of the file of a community')
    .description(
      'Print the JSON Schema by which editors complete and check the file of a community: keep it beside the file as community.schema.json.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities schema\n  $ portico api communities schema > community.schema.json',
    )
    .action(async () => {
      const { communityFileSchema } = await import('@portico/contract/schemas');
      process.stdout.write(`${JSON.stringify(communityFileSchema(), null, 2)}\n`);
    });
}
