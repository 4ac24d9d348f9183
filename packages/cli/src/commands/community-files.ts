/** `portico api communities export|plan|apply|schema`: communities as files. */
import { writeFileSync } from 'node:fs';
import type {
  CommunityFile,
  CommunityFileFieldChange,
  CommunityPlanChange,
  PlanCommunityResponse,
} from '@portico/contract';
import { type Command, Option } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { confirmed } from '../client/run.ts';
import { UsageError } from '../errors.ts';
import { type CommonOptions, openSession } from '../session.ts';
import { readNamedFile } from '../text-files.ts';

/** The file that `plan --out` writes and `apply` carries out: the community file and its plan. */
interface PlanFile extends PlanCommunityResponse {
  file: CommunityFile;
}

const MARKS = { create: '+', change: '~', remove: '-' } as const;

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
      const text = (await import('yaml')).stringify(await client.communities.exportFile({ communityId }, options), {
        lineWidth: 120,
      });
      if (file === undefined) process.stdout.write(text);
      else writeFileSync(file, text);
    });

  const plan = communities
    .command('plan')
    .argument('<file>', 'the community as a YAML file')
    .summary('Print the changes that applying a file would make')
    .description('Compare a file with the community that its key names, and print each difference. Changes nothing.')
    .option('--out <path>', 'write the plan to a file, for apply');
  addCommonOptions(plan)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities plan purchasing.yaml\n  $ portico api communities plan purchasing.yaml --out purchasing.plan.json',
    )
    .action(async (path: string) => {
      const { out, ...flags } = plan.opts<CommonOptions & { out?: string }>();
      const { client, options } = await openSession(flags);
      const { file } = await readPlan(path);
      const answer = await client.communities.planFile({ file }, options);
      process.stdout.write(planText(answer));
      if (out !== undefined) writeFileSync(out, `${JSON.stringify({ file, ...answer }, null, 2)}\n`);
    });

  const apply = communities
    .command('apply')
    .argument('<file>', 'a plan that was written by plan --out, or the community as a YAML file')
    .summary('Apply a file to a community')
    .description(
      'Apply a plan: exactly the changes that it shows, or none if something has changed ' +
        'since. A YAML file is planned first, and the plan is shown.',
    )
    .addOption(
      new Option('--on-existing <choice>', 'treatment of posts in states that the file omits').choices(['keep']),
    )
    .option('--field <key=choice>', fieldChoices('posts'), fieldChange('field'))
    .option('--screen-field <key=choice>', fieldChoices('screens'), fieldChange('screenField'))
    .option('--yes', 'do not ask for confirmation')
    .option('--dry-run', 'print the changes, and change nothing');
  addCommonOptions(apply)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities apply purchasing.plan.json\n  $ portico api communities apply purchasing.yaml --yes\n  $ portico api communities apply purchasing.yaml --field note=map:remarks --field amount=clear',
    )
    .action(async (path: string) => {
      const {
        onExisting,
        field = [],
        screenField = [],
        yes,
        dryRun,
        ...flags
      } = apply.opts<
        CommonOptions & {
          onExisting?: 'keep';
          field?: CommunityFileFieldChange[];
          screenField?: CommunityFileFieldChange[];
          yes?: boolean;
          dryRun?: boolean;
        }
      >();
      const fieldChanges = [...field, ...screenField];
      const { client, options } = await openSession(flags);
      const { file, ...planned } = await readPlan(path);
      const shown = planned.planToken === undefined ? await client.communities.planFile({ file }, options) : planned;
      process.stdout.write(planText(shown));
      if (!yes && !dryRun) await confirmed('Apply it');
      const { communityId } = await client.communities.applyFile(
        {
          file,
          ...(shown.planToken !== undefined && { planToken: shown.planToken }),
          ...(onExisting && { onExisting }),
          ...(fieldChanges.length > 0 && { fieldChanges }),
          ...(dryRun && { dryRun }),
        },
        options,
      );
      process.stdout.write(dryRun ? 'Nothing was changed.\n' : `Applied to community ${communityId}.\n`);
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

/** A YAML file of a community, or a plan in JSON, which is YAML too. */
async function readPlan(path: string): Promise<PlanFile> {
  const text = readNamedFile(path);
  let content: unknown;
  try {
    content = (await import('yaml')).parse(text);
  } catch (error) {
    // The parser's stack overflowed.
    if ((error as { code?: string }).code === 'RESOURCE_EXHAUSTION')
      throw new UsageError(`${path} is nested deeper than the 64 levels that a file of a community may have.`);
    throw new UsageError(`${path} is not YAML: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`${path} does not define a community.`);
  return 'planToken' in content ? (content as PlanFile) : { file: content as CommunityFile };
}

function planText({ changes = [], changesCount = changes.length }: PlanCommunityResponse): string {
  if (changesCount === 0) return 'No changes: the community matches the file.\n';
  const lines = changes.flatMap(changeLines);
  if (changesCount > changes.length) lines.push(`  … and ${changesCount - changes.length} more`);
  const counts = (['create', 'change', 'remove'] as const).map(
    (action) => `${changes.filter((change) => change.action === action).length} to ${action}`,
  );
  return `${lines.join('\n')}\nPlan: ${counts.join(', ')}.\n`;
}

function changeLines({
  action = 'change',
  kind,
  key,
  within,
  properties = [],
  postsCount = 0,
}: CommunityPlanChange): string[] {
  const place = within === undefined ? '' : ` in ${within}`;
  const what = kind === 'state' ? 'posts are in it' : 'values in posts can no longer be chosen';
  const touched = postsCount === 0 ? '' : ` (${postsCount} ${what})`;
  return [
    `  ${MARKS[action]} ${kind} ${key}${place}${touched}`,
    ...properties.map(({ name, before, after }) => `      ${name}: ${before ?? '(none)'} → ${after ?? '(none)'}`),
  ];
}
