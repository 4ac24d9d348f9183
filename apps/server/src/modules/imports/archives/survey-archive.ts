/** Reads an archive whole before anything is written, and matches its people. */
import { type CommunityFile, communityArchiveLimits as limits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../../columns.ts';
import { type LineFacts, readPerson } from './check-lines.ts';
import { type ArchivedPerson, ENTRIES } from './format.ts';
import { ArchiveFault, type CommunityArchive } from './open-archive.ts';
import { postsIn } from './post-lines.ts';

const u = sqlColumns('users', 'u');

/** Content of an archive. */
export interface ArchiveSurvey {
  readonly file: CommunityFile;
  readonly people: readonly ArchivedPerson[];
  readonly posts: number;
  readonly comments: number;
  readonly events: number;
  /** Greatest number of a post. */
  readonly lastNumber: number;
}

/**
 * Checks every line of an archive.
 * @param latest time of the import: no time of the archive is later
 * @throws ArchiveFault
 */
export async function surveyArchive(archive: CommunityArchive, latest: number): Promise<ArchiveSurvey> {
  const people = await readPeople(archive);
  const facts = factsOf(archive, people, latest);
  const files = new Set<number>();
  let [posts, comments, events, last] = [0, 0, 0, 0];
  for await (const { line, post } of postsIn(archive, facts)) {
    if (post.number <= last) throw new ArchiveFault(ENTRIES.posts, '"number" does not rise', line);
    last = post.number;
    if (++posts > limits.posts)
      throw new ArchiveFault(ENTRIES.posts, `there are more than ${limits.posts} posts`, line);
    comments += post.comments?.length ?? 0;
    events += post.history?.length ?? 0;
    for (const { file } of [...(post.files ?? []), ...(post.comments ?? []).flatMap((one) => one.files ?? [])]) {
      if (files.has(file)) throw new ArchiveFault(ENTRIES.posts, `another line has the file ${file}`, line);
      files.add(file);
    }
  }
  return { file: await readDefinition(archive), people, posts, comments, events, lastNumber: last };
}

async function readDefinition(archive: CommunityArchive): Promise<CommunityFile> {
  const { $schema: _, ...file } = (await archive.definition()) as CommunityFile;
  return file;
}

/** The facts with which the lines of posts are checked. */
export const factsOf = (archive: CommunityArchive, people: readonly ArchivedPerson[], latest: number): LineFacts => ({
  people: new Set(people.map(({ key }) => key)),
  hasFile: (number) => archive.hasFile(number),
  latest,
});

/** Reads the people of an archive. @throws ArchiveFault */
async function readPeople(archive: CommunityArchive): Promise<ArchivedPerson[]> {
  const people = new Map<string, ArchivedPerson>();
  for await (const { line, value } of archive.lines('people')) {
    const person = readPerson(value, line);
    if (people.has(person.key)) throw new ArchiveFault(ENTRIES.people, `${person.key} is there twice`, line);
    people.set(person.key, person);
    if (people.size > limits.people)
      throw new ArchiveFault(ENTRIES.people, `there are more than ${limits.people} people`, line);
  }
  return [...people.values()];
}

/** A match of a person with a user. */
interface PersonMatch {
  readonly userId: number;
  readonly by: 'email' | 'userName';
}

/** Finds the users with the addresses and user names of people, by their keys. */
export async function matchPeople(
  db: TenantExecutor,
  people: readonly ArchivedPerson[],
): Promise<Map<string, PersonMatch>> {
  const lower = (texts: readonly (string | undefined)[]) => [
    ...new Set(texts.flatMap((text) => text?.trim().toLowerCase() || [])),
  ];
  const emails = lower(people.map(({ email }) => email));
  const names = lower(people.map(({ userName }) => userName));
  const rows = await db.query<{ id: number; email: string | null; userName: string | null }>(
    `SELECT ${u.id}, lower(${u.contact_email}) AS email, lower(${u.custom_username}) AS "userName" FROM users u
      WHERE u.tenant_id = $1 AND ${u.deleted_at} IS NULL AND NOT ${u.system_account}
        AND (lower(${u.contact_email}) = ANY ($2::text[]) OR lower(${u.custom_username}) = ANY ($3::text[]))
      ORDER BY ${u.id} DESC`,
    [db.tenantId, emails, names],
  );
  const byEmail = new Map(rows.flatMap(({ email, id }) => (email === null ? [] : [[email, id] as const])));
  const byName = new Map(rows.flatMap(({ userName, id }) => (userName === null ? [] : [[userName, id] as const])));
  const matched = new Map<string, PersonMatch>();
  for (const { key, email, userName } of people) {
    const ofEmail = email === undefined ? undefined : byEmail.get(email.trim().toLowerCase());
    const ofName = userName === undefined ? undefined : byName.get(userName.trim().toLowerCase());
    if (ofEmail !== undefined) matched.set(key, { userId: ofEmail, by: 'email' });
    else if (ofName !== undefined) matched.set(key, { userId: ofName, by: 'userName' });
  }
  return matched;
}
