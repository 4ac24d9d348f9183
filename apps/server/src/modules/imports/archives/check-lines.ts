/** Checks the lines of an archive: every member has its type and its bounds, as in a request. */
import { communityArchiveLimits as limits } from '@portico/contract';
import { storableText } from '@portico/platform/text';
import {
  type ArchivedComment,
  type ArchivedEvent,
  type ArchivedFile,
  type ArchivedMeeting,
  type ArchivedPerson,
  type ArchivedPost,
  ENTRIES,
  EVENT_KINDS,
} from './format.ts';
import { ArchiveFault } from './open-archive.ts';

/** Longest name, title, note and key, in UTF-16 units. Verbs check the exact limits of texts. */
const MOST = { name: 1_000, title: 10_000, notes: 10_000, key: 1_000, parts: 100, files: 1_000, values: 1_000 };
const MOST_NUMBER = 2 ** 31 - 1;

/** Reads the members of an object of a line. Each method names a member; unknown members are refused. */
class Members {
  readonly #object: Record<string, unknown>;
  readonly #path: string;
  readonly #fail: (fault: string) => never;
  readonly #left: Set<string>;

  constructor(value: unknown, path: string, fail: (fault: string) => never) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(`${path || 'it'} is no object`);
    this.#object = value as Record<string, unknown>;
    this.#path = path === '' ? '' : `${path}.`;
    this.#fail = fail;
    this.#left = new Set(Object.keys(this.#object));
  }

  /** @throws ArchiveFault for members that were not read */
  end(): void {
    const [name] = this.#left;
    if (name !== undefined) this.#fail(`there is no member "${this.#path}${name.slice(0, 100).toWellFormed()}"`);
  }

  text(name: string, most: number): string {
    const value = this.#take(name);
    if (typeof value !== 'string' || value.length > most) this.#wrong(name, `a text of at most ${most} characters`);
    if (storableText(value as string) !== value) this.#wrong(name, 'a text that can be stored');
    return value as string;
  }

  integer(name: string, least: number, most: number): number {
    const value = this.#take(name);
    if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
      this.#wrong(name, `a whole number from ${least} to ${most}`);
    return value as number;
  }

  word<T extends string>(name: string, words: readonly T[]): T {
    const value = this.#take(name);
    if (!words.includes(value as T)) this.#wrong(name, `one of: ${words.join(', ')}`);
    return value as T;
  }

  flag(name: string): boolean {
    const value = this.#take(name);
    if (typeof value !== 'boolean') this.#wrong(name, 'true or false');
    return value as boolean;
  }

  list(name: string, most: number): unknown[] {
    const value = this.#take(name);
    if (!Array.isArray(value) || value.length > most) this.#wrong(name, `a list of at most ${most}`);
    return value as unknown[];
  }

  object(name: string, most: number): Record<string, unknown> {
    const value = this.#take(name);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > most)
      this.#wrong(name, `an object of at most ${most} members`);
    return value as Record<string, unknown>;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  at(name: string, index: number): string {
    return `${this.#path}${name}[${index + 1}]`;
  }

  #take(name: string): unknown {
    this.#left.delete(name);
    return this.#object[name];
  }

  #wrong(name: string, expected: string): never {
    return this.#fail(`"${this.#path}${name}" must be ${expected}`);
  }
}

/** Facts with which lines are checked. */
export interface LineFacts {
  /** Keys of people. */
  readonly people: ReadonlySet<string>;
  hasFile(number: number): boolean;
  /** Latest time: that of the import. Epoch milliseconds. */
  readonly latest: number;
}

/** Reads a line of people. @throws ArchiveFault */
export function readPerson(value: unknown, line: number): ArchivedPerson {
  const members = new Members(value, '', failing(ENTRIES.people, line));
  const person: ArchivedPerson = {
    key: members.text('key', MOST.key),
    firstName: members.text('firstName', MOST.name),
    lastName: members.text('lastName', MOST.name),
    ...(members.has('email') && { email: members.text('email', MOST.name) }),
    ...(members.has('userName') && { userName: members.text('userName', MOST.name) }),
  };
  members.end();
  if (!/^p[1-9]\d{0,5}$/.test(person.key)) throw new ArchiveFault(ENTRIES.people, '"key" must be like p17', line);
  return person;
}

const failing =
  (entry: string, line: number) =>
  (fault: string): never => {
    throw new ArchiveFault(entry, fault, line);
  };

/** Reads a line of posts. @throws ArchiveFault */
export function readPost(value: unknown, line: number, facts: LineFacts): ArchivedPost {
  const fail = failing(ENTRIES.posts, line);
  const reading = { fail, facts, files: new Set<number>() };
  const members = new Members(value, '', fail);
  const post: ArchivedPost = {
    number: members.integer('number', 1, MOST_NUMBER),
    by: who(members, 'by', reading),
    at: time(members, 'at', reading),
    modifiedBy: who(members, 'modifiedBy', reading),
    modifiedAt: time(members, 'modifiedAt', reading),
    ...(members.has('title') && { title: members.text('title', MOST.title) }),
    ...(members.has('text') && {
      text: members.list('text', Number.MAX_SAFE_INTEGER) as ArchivedPost['text'] & object,
    }),
    visibility: members.word('visibility', ['public', 'private']),
    ...(members.has('announcement') && { announcement: members.flag('announcement') }),
    ...(members.has('pinned') && { pinned: members.flag('pinned') }),
    ...(members.has('state') && { state: members.text('state', MOST.key) }),
    ...(members.has('values') && { values: valuesIn(members, 'values') }),
    ...(members.has('screenValues') && { screenValues: valuesIn(members, 'screenValues') }),
    ...(members.has('event') && { event: readMeeting(members.object('event', 5), fail) }),
    ...(members.has('files') && { files: readFiles(members, '', reading) }),
    ...readParts(members, {}, reading),
  };
  members.end();
  return post;
}

/** Reads a further line of a post. @returns the post with its comments and events @throws ArchiveFault */
export function readMore(post: ArchivedPost, value: unknown, line: number, facts: LineFacts): ArchivedPost {
  const fail = failing(ENTRIES.posts, line);
  const members = new Members(value, '', fail);
  members.integer('number', post.number, post.number);
  const more = readParts(members, post, { fail, facts, files: new Set<number>() });
  members.end();
  return { ...post, ...more };
}

/** @param before comments and events of the lines before */
function readParts(
  members: Members,
  before: Pick<ArchivedPost, 'comments' | 'history'>,
  reading: Reading,
): Pick<ArchivedPost, 'comments' | 'history'> {
  const { comments = [], history = [] } = before;
  return {
    ...(members.has('comments') && {
      comments: [
        ...comments,
        ...members
          .list('comments', limits.comments - comments.length)
          .map((comment, index) =>
            readComment(comment, members.at('comments', index), comments.length + index, reading),
          ),
      ],
    }),
    ...(members.has('history') && {
      history: [
        ...history,
        ...members
          .list('history', limits.events - history.length)
          .map((event, index) => readEvent(event, members.at('history', index), reading)),
      ],
    }),
  };
}

interface Reading {
  readonly fail: (fault: string) => never;
  readonly facts: LineFacts;
  /** Files that the line has named. */
  readonly files: Set<number>;
}

function who(members: Members, name: string, { facts, fail }: Reading): string {
  const key = members.text(name, MOST.key);
  if (!facts.people.has(key)) fail(`"${name}" names nobody of ${ENTRIES.people}`);
  return key;
}

function time(members: Members, name: string, { facts, fail }: Reading): number {
  const at = members.integer(name, 0, Number.MAX_SAFE_INTEGER);
  if (at > facts.latest) fail(`"${name}" is later than the import`);
  return at;
}

const valuesIn = (members: Members, name: string) =>
  members.object(name, MOST.values) as ArchivedPost['values'] & object;

function readMeeting(value: unknown, fail: (fault: string) => never): ArchivedMeeting {
  const members = new Members(value, 'event', fail);
  const meeting: ArchivedMeeting = {
    start: members.text('start', MOST.name),
    ...(members.has('end') && { end: members.text('end', MOST.name) }),
    ...(members.has('timezone') && { timezone: members.text('timezone', MOST.name) }),
    ...(members.has('allDay') && { allDay: members.flag('allDay') }),
    ...(members.has('location') && { location: members.text('location', MOST.title) }),
  };
  members.end();
  return meeting;
}

function readFiles(members: Members, path: string, { fail, facts, files }: Reading): ArchivedFile[] {
  return members.list('files', MOST.files).map((value, index) => {
    const place = `${path}${members.at('files', index)}`;
    const file = new Members(value, place, fail);
    const read = { file: file.integer('file', 1, limits.files), name: file.text('name', MOST.name) };
    file.end();
    if (!facts.hasFile(read.file)) fail(`"${place}.file" names no entry`);
    if (files.has(read.file)) fail(`"${place}.file" is named twice`);
    files.add(read.file);
    return read;
  });
}

function readComment(value: unknown, path: string, index: number, reading: Reading): ArchivedComment {
  const members = new Members(value, path, reading.fail);
  const comment: ArchivedComment = {
    by: who(members, 'by', reading),
    at: time(members, 'at', reading),
    text: members.list('text', Number.MAX_SAFE_INTEGER) as ArchivedComment['text'] & object,
    // An answer follows its comment.
    ...(members.has('answers') && { answers: members.integer('answers', 1, index) }),
    ...(members.has('files') && { files: readFiles(members, '', reading) }),
  };
  members.end();
  return comment;
}

function readEvent(value: unknown, path: string, reading: Reading): ArchivedEvent {
  const members = new Members(value, path, reading.fail);
  const event: ArchivedEvent = {
    kind: members.word('kind', EVENT_KINDS),
    by: who(members, 'by', reading),
    at: time(members, 'at', reading),
    ...(members.has('transition') && { transition: members.text('transition', MOST.key) }),
    ...(members.has('titleBefore') && { titleBefore: members.text('titleBefore', MOST.title) }),
    ...(members.has('titleAfter') && { titleAfter: members.text('titleAfter', MOST.title) }),
    ...(members.has('notes') && { notes: members.text('notes', MOST.notes) }),
    ...(members.has('parts') && {
      parts: members.list('parts', MOST.parts).map((part) => {
        if (typeof part !== 'string' || part.length > MOST.key) reading.fail(`"${path}.parts" must name parts`);
        return part as string;
      }),
    }),
  };
  members.end();
  return event;
}
