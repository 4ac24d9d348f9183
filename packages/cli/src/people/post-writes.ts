/** `portico posts create`, `edit`, `move` and `comment`. */
import { Visibility } from '@portico/contract';
import type { Command } from 'commander';
import { addAttachOption, addFieldOption, CodeOption, fieldValues, readText } from '../client/flags.ts';
import { uploadAll } from '../client/run.ts';
import { UsageError } from '../errors.ts';
import { openSession, type Session } from '../session.ts';
import { writes } from '../words.ts';
import { editPost, editText } from './editor.ts';
import { isFormatted, plainText } from './labels.ts';
import { addMove } from './move-post.ts';
import { communityNamed, parsePost, withPeople } from './names.ts';
import { addWriteOptions, tellWritten, type WriteFlags } from './written.ts';

/** Adds the commands to `portico posts`. */
export function addWritingCommands(posts: Command): void {
  addCreate(posts);
  addEdit(posts);
  addMove(posts);
  addComment(posts);
}

/** Flags of title, text and fields. */
function addContentOptions(command: Command): void {
  command
    .option('--title <text>', 'the title; @file reads it from a file', readText)
    .option('--description <text>', 'the text: plain, or a delta; @file or - reads it', readText)
    .addOption(new CodeOption('--visibility', 'who sees the post', Visibility, false));
  addFieldOption(command);
  addAttachOption(command);
  command.option('--editor', 'write title and text in an editor: PORTICO_EDITOR, VISUAL or EDITOR');
}

function addCreate(posts: Command): void {
  const create = writes(posts.command('create'))
    .description('Create a post. Without a title, an editor opens on a terminal.')
    .argument('<community>', 'the community, by name or number');
  addContentOptions(create);
  create.option('--draft', 'create a draft, which only you see');
  addWriteOptions(create);
  create
    .addHelpText(
      'after',
      `
Examples:
  $ portico posts create "IT Service Desk" --title "Pump leaks" --description "Under the seal." --field Severity=High
  $ portico posts create Purchasing --editor --field "Owner=Grace Hopper" --attach offer.pdf`,
    )
    .action((community: string) => runCreate(community, create.opts<WriteFlags>()));
}

async function runCreate(given: string, flags: WriteFlags): Promise<void> {
  const session = await openSession(flags);
  const { client, options } = session;
  const community = await communityNamed(session, given);
  const content = createdContent(flags);
  const customData = await withPeople(session, community.id, fieldValues(flags.field ?? []));
  const attachments = await attached(session, flags);
  const answer = await client.posts.create(
    {
      communityId: community.id,
      announcement: false,
      ...content,
      ...(Object.keys(customData).length > 0 && { customData: customData as Record<string, string> }),
      ...(attachments && { attachments }),
      ...(flags.visibility !== undefined && { visibility: flags.visibility as 1 | 2 }),
      ...(flags.draft && { draft: true }),
      ...(flags.dryRun && { dryRun: true }),
    },
    options,
  );
  await tellWritten(session, answer, answer.postId, flags, 'Created');
}

/** Title and text from flags, or from an editor on a terminal. */
function createdContent({ title, description, editor }: WriteFlags): { title?: string; description?: string } {
  if (editor || (title === undefined && description === undefined && process.stdin.isTTY)) {
    const edited = editPost({ title: title ?? 'Title', text: description ?? '' });
    return { title: edited.title, description: edited.text };
  }
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

function addEdit(posts: Command): void {
  const edit = writes(posts.command('edit'))
    .description(
      'Change a post. Only named values change; others stay, also those that somebody else changes meanwhile. Without a value, an editor opens on a terminal.',
    )
    .argument('<post>', 'the post, by number or address', parsePost);
  addContentOptions(edit);
  addWriteOptions(edit);
  edit
    .addHelpText(
      'after',
      `
Examples:
  $ portico posts edit 4711 --title "Pump leaks again" --field Severity=High
  $ portico posts edit 4711 --editor`,
    )
    .action((postId: number) => runEdit(postId, edit.opts<WriteFlags>()));
}

async function runEdit(postId: number, flags: WriteFlags): Promise<void> {
  const named = [flags.title, flags.description, flags.field, flags.attach, flags.visibility];
  const nothing = named.every((value) => value === undefined);
  if (nothing && !flags.editor && !process.stdin.isTTY)
    throw new UsageError('Nothing to change: give at least one flag (see --help).');
  const session = await openSession(flags);
  const { client, options } = session;
  const content = flags.editor || nothing ? await editedContent(session, postId, flags) : flags;
  const values = fieldValues(flags.field ?? []);
  const { communityId } = flags.field ? await client.posts.get({ postId, fields: ['communityId'] }, options) : {};
  const customData = communityId === undefined ? {} : await withPeople(session, communityId, values);
  const addAttachments = await attached(session, flags);
  const answer = await client.posts.update(
    postId,
    {
      ...(content.title !== undefined && { title: content.title }),
      ...(content.description !== undefined && { description: content.description }),
      ...(Object.keys(customData).length > 0 && { customData: customData as Record<string, string> }),
      ...(flags.visibility !== undefined && { visibility: flags.visibility as 1 | 2 }),
      ...(addAttachments && { addAttachments }),
      ...(flags.dryRun && { dryRun: true }),
    },
    options,
  );
  await tellWritten(session, answer, postId, flags, 'Changed');
}

/** Title and text of a post after the person edited them. */
async function editedContent({ client, options }: Session, postId: number, flags: WriteFlags) {
  const { title = '', descriptionDelta = '' } = await client.posts.get({ postId }, options);
  if (flags.description === undefined && isFormatted(descriptionDelta))
    throw new UsageError(
      'The text has formats, which an editor of plain text loses. Edit it in the browser (--web), or replace it by --description.',
    );
  const before = { title: flags.title ?? title, text: flags.description ?? plainText(descriptionDelta) };
  const edited = editPost(before);
  return {
    title: edited.title === title ? undefined : edited.title,
    description: edited.text === plainText(descriptionDelta) ? undefined : edited.text,
  };
}

async function attached(session: Session, { attach, dryRun }: WriteFlags) {
  return attach && !dryRun ? uploadAll(session, attach) : undefined;
}

interface CommentFlags extends WriteFlags {
  replyTo?: string;
}

function addComment(posts: Command): void {
  const comment = writes(posts.command('comment'))
    .description('Comment a post. Without a text, an editor opens on a terminal.')
    .argument('<post>', 'the post, by number or address', parsePost)
    .argument('[text]', 'the comment; @file or - reads it', readText)
    .option('--reply-to <comment>', 'answer the comment with this number');
  addAttachOption(comment);
  addWriteOptions(comment);
  comment
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico posts comment 4711 "On order."\n  $ git log -1 --format=%B | portico posts comment 4711 -',
    )
    .action((postId: number, text: string | undefined) => runComment(postId, text, comment.opts<CommentFlags>()));
}

async function runComment(postId: number, given: string | undefined, flags: CommentFlags): Promise<void> {
  if (given === undefined && !process.stdin.isTTY)
    throw new UsageError('Give the comment, or - to read it from standard input.');
  if (flags.replyTo !== undefined && !/^\d{1,15}$/.test(flags.replyTo))
    throw new UsageError('--reply-to takes the number of a comment.');
  const text = (given ?? editText('')).trim();
  if (text === '') throw new UsageError('The comment is empty. Nothing was written.');
  const session = await openSession(flags);
  const attachments = await attached(session, flags);
  const answer = await session.client.comments.create(
    {
      postId,
      comment: text,
      ...(flags.replyTo !== undefined && { parentCommentId: Number(flags.replyTo) }),
      ...(attachments && { attachments }),
      ...(flags.dryRun && { dryRun: true }),
    },
    session.options,
  );
  await tellWritten(session, answer, postId, flags, 'Commented on');
}
