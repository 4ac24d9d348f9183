/** `portico posts move`: to another state, or to another community. */
import { type GetPostDefinitionResponse, operationById } from '@portico/contract';
import type { Command } from 'commander';
import { addFieldOption, collect, fieldValues } from '../client/flags.ts';
import { performWrite } from '../client/run.ts';
import { UsageError } from '../errors.ts';
import { openSession, type Session } from '../session.ts';
import { writes } from '../words.ts';
import { fieldsOf } from './labels.ts';
import { communityNamed, parsePost, withPeople } from './names.ts';
import { addWriteOptions, tellWritten, type WriteFlags } from './written.ts';

interface MoveFlags extends WriteFlags {
  community?: string;
  map?: string[];
}

/** Adds `portico posts move`. */
export function addMove(posts: Command): void {
  const move = writes(posts.command('move'))
    .description('Move a post to another state of its workflow, or with --community to another community.')
    .argument('<post>', 'the post, by number or address', parsePost)
    .argument('[state]', 'the state, or the transition that leads to it, by name, external id or number')
    .option(
      '--map <field=field>',
      'with --community: where the value of a field goes; nothing after = loses it',
      collect,
    )
    .option('--community <name>', 'move it to this community, by name or number; [state] is its state there');
  addFieldOption(move);
  addWriteOptions(move);
  move
    .addHelpText(
      'after',
      `
Fields of --field are those of the screen of the transition.

Examples:
  $ portico posts move 4711 "In progress" --field "Owner=Grace Hopper"
  $ portico posts move 4711 --community Facilities --map "Severity=Urgency" --map "Room=" --dry-run`,
    )
    .action((postId: number, state: string | undefined) => runMove(postId, state, move.opts<MoveFlags>()));
}

async function runMove(postId: number, state: string | undefined, flags: MoveFlags): Promise<void> {
  const session = await openSession(flags);
  if (flags.community !== undefined) return moveToCommunity(session, postId, state, flags);
  if (flags.map) throw new UsageError('--map is for a move to another community: add --community.');
  const { client, options } = session;
  const { workflowPermittedOperations: permitted = [] } = await client.posts.capabilities({ postId }, options);
  const { findNamed, unknownName } = await import('@portico/sdk');
  const targets = permitted.map(({ id, toState }) => ({ id, label: toState?.name, externalId: toState?.externalId }));
  const transitions = permitted.map(({ id, name, externalId }) => ({ id, label: name, externalId }));
  if (permitted.length === 0) throw new UsageError('You can move this post to no state now.');
  if (state === undefined)
    throw new UsageError(
      `Give the state: ${permitted.map(({ name, toState }) => `"${toState?.name}" (${name})`).join(', ')}.`,
    );
  const found = findNamed(targets, state) ?? findNamed(transitions, state);
  if (found?.id === undefined)
    throw unknownName('state that you can move the post to now', [...targets, ...transitions], state);
  const { communityId } = await client.posts.get({ postId, fields: ['communityId'] }, options);
  const screenData = await withPeople(session, communityId as number, fieldValues(flags.field ?? []));
  const answer = await performWrite(session, {
    operation: operationById('executePostWorkflowOperation'),
    keys: { postId, workflowOperationId: found.id },
    query: flags.dryRun ? { dryRun: true } : {},
    named: flags.field ? { screenData } : {},
    flags: { ...flags, output: 'table' },
  });
  const { newCurrentState } = (answer ?? {}) as { newCurrentState?: { name?: string } };
  await tellWritten(session, answer, postId, flags, `Moved to "${newCurrentState?.name ?? state}":`);
}

async function moveToCommunity(
  session: Session,
  postId: number,
  state: string | undefined,
  flags: MoveFlags,
): Promise<void> {
  if (flags.field)
    throw new UsageError('--field is for a move to a state; edit the post after it is in the community.');
  const community = await communityNamed(session, flags.community as string);
  const named: Record<string, unknown> = { communityId: community.id };
  const { requireNamed } = await import('@portico/sdk');
  const target = await session.client.definition(community.id, session.options);
  if (flags.map) named['fieldMapping'] = await mappingOf(session, postId, target, flags.map);
  if (state !== undefined) {
    const { workflowDefinition } = target;
    const states = (workflowDefinition?.states ?? []).map(({ id, name, externalId }) => ({
      id,
      label: name,
      externalId,
    }));
    named['stateId'] = requireNamed('workflow state', states, state).id;
  }
  const answer = await performWrite(session, {
    operation: operationById('movePost'),
    keys: { postId },
    query: flags.dryRun ? { dryRun: true } : {},
    named,
    flags: { ...flags, output: 'table' },
  }).catch((error: Error & { errors?: readonly { code?: string }[] }) => {
    if (error.errors?.some(({ code }) => code === 'MAPPING_REQUIRED'))
      process.stderr.write('Say where values go by --map "Field=Field" ("Field=" loses them), and give the state.\n');
    throw error;
  });
  await tellWritten(session, answer, postId, flags, `Moved to ${community.name}:`);
}

/**
 * Returns the mapping of fields from `A=B`, by labels.
 * @throws UnknownNameError
 */
async function mappingOf(
  { client, options }: Session,
  postId: number,
  target: GetPostDefinitionResponse,
  given: readonly string[],
): Promise<{ fromId?: number; toId?: number }[]> {
  const { findNamed, requireNamed } = await import('@portico/sdk');
  const { communityId } = await client.posts.get({ postId, fields: ['communityId'] }, options);
  const source = fieldsOf(await client.definition(communityId as number, options));
  const { ofPosts, ofScreens } = fieldsOf(target);
  return given.map((text) => {
    const [from = '', ...rest] = text.split('=');
    if (rest.length === 0) throw new UsageError(`"${text}" must be a field, "=" and a field of the other community.`);
    const to = rest.join('=').trim();
    const isOfPosts = findNamed(source.ofPosts, from.trim()) !== undefined;
    const field = requireNamed('field', [...source.ofPosts, ...source.ofScreens], from.trim());
    const toId = to === '' ? undefined : requireNamed('field', isOfPosts ? ofPosts : ofScreens, to).id;
    return { fromId: field.id, ...(toId !== undefined && { toId }) };
  });
}
