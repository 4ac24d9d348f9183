/** SQL of calendars and of guests of events. */
import { createHash } from 'node:crypto';
import { EventAnswer, type InvitationType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Parameters, WriteScope } from '../../../kernel/access/index.ts';
import { versionSql } from '../../../kernel/tenant-versions.ts';
import { sqlColumns } from '../../columns.ts';

const communities = sqlColumns('communities');
const users = sqlColumns('users');
const u = sqlColumns('users', 'u');

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** A calendar with a secret address. Times are epoch milliseconds. */
interface FeedRow {
  id: number;
  communityId: number | null;
  createdAt: number;
}

/**
 * Join with the owner `u` of the calendar `f`, whose sign-ins have not ended since its address was
 * created. The tidy job ties addresses from before the version was recorded to the present version.
 */
const OF_SIGNED_IN = `JOIN users u ON u.tenant_id = f.tenant_id AND ${u.id} = f.user_id
     AND coalesce(f.session_version, ${u.session_version}) = ${u.session_version}`;

export function feedsOf(db: TenantExecutor, userId: number): Promise<FeedRow[]> {
  return db.query<FeedRow>(
    `SELECT f.id, f.community_id AS "communityId", f.created_at AS "createdAt" FROM calendar_feeds f ${OF_SIGNED_IN}
      WHERE f.tenant_id = $1 AND f.user_id = $2 ORDER BY f.community_id NULLS FIRST`,
    [db.tenantId, userId],
  );
}

/**
 * Sets the secret of a calendar of the caller. The calendar ends with the sign-in of the request,
 * or without one with the present sign-ins of the account.
 * @returns its id
 */
export async function writeFeed(write: WriteScope, communityId: number | null, secret: string): Promise<number> {
  const { tx, actor, sessionVersion } = write;
  const present = await tx.query<{ id: number }>(
    'SELECT id FROM calendar_feeds WHERE tenant_id = $1 AND user_id = $2 AND community_id IS NOT DISTINCT FROM $3',
    [tx.tenantId, actor.userId, communityId],
  );
  const [user] = await tx.query<{ sessionVersion: number }>(
    `SELECT ${users.session_version} AS "sessionVersion" FROM users WHERE tenant_id = $1 AND ${users.id} = $2`,
    [tx.tenantId, actor.userId],
  );
  await tx.beginChange(
    'calendar_feeds',
    present.map(({ id }) => id),
  );
  const [row] = await tx.create<{ id: number }>(
    'calendar_feeds',
    `INSERT INTO calendar_feeds (tenant_id, user_id, community_id, secret_hash, created_at, session_version)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT calendar_feeds__calendar
       DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at, session_version = excluded.session_version
     RETURNING id`,
    [
      tx.tenantId,
      actor.userId,
      communityId,
      hashOf(secret),
      new Date(write.now),
      sessionVersion ?? user!.sessionVersion,
    ],
  );
  return row!.id;
}

/** @returns whether the caller had the calendar */
export async function deleteFeed(write: WriteScope, feedId: number): Promise<boolean> {
  const { tx, actor } = write;
  const rows = await tx.change(
    'calendar_feeds',
    [feedId],
    'DELETE FROM calendar_feeds WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [tx.tenantId, actor.userId, feedId],
  );
  return rows === 1;
}

/**
 * Deletes addresses whose sign-ins have ended. Ties addresses from before the version was recorded
 * to the present sign-ins.
 */
export async function forgetFeeds(db: TenantExecutor): Promise<void> {
  await db.execute(
    `DELETE FROM calendar_feeds f USING users u
      WHERE f.tenant_id = $1 AND u.tenant_id = $1 AND u.id = f.user_id AND f.session_version <> u.session_version`,
    [db.tenantId],
  );
  await db.execute(
    `UPDATE calendar_feeds f SET session_version = ${u.session_version} FROM users u
      WHERE f.tenant_id = $1 AND u.tenant_id = $1 AND ${u.id} = f.user_id AND f.session_version IS NULL`,
    [db.tenantId],
  );
}

/** Returns the calendar of a secret, with the version of the tenant's access rules. */
export async function findFeed(
  db: TenantExecutor,
  secret: string,
): Promise<{ userId: number; communityId: number | null; accessVersion: number } | undefined> {
  const [row] = await db.query<{ userId: number; communityId: number | null; accessVersion: number }>(
    `SELECT f.user_id AS "userId", f.community_id AS "communityId", ${versionSql('access_version')} AS "accessVersion"
       FROM calendar_feeds f ${OF_SIGNED_IN} JOIN tenant_versions v ON v.tenant_id = f.tenant_id
      WHERE f.tenant_id = $1 AND f.secret_hash = $2`,
    [db.tenantId, hashOf(secret)],
  );
  return row;
}

/** An event in a calendar. Times are epoch milliseconds. */
export interface EventRow {
  id: number;
  communityId: number;
  title: string | null;
  text: string | null;
  startAt: number;
  endAt: number | null;
  allDay: boolean;
  location: string | null;
  version: number;
  createdAt: number;
  modifiedAt: number;
}

/** Returns the present name of a community. */
export async function communityName(db: TenantExecutor, communityId: number): Promise<string> {
  const [row] = await db.query<{ name: string }>(
    `SELECT ${communities.name} FROM communities WHERE tenant_id = $1 AND ${communities.id} = $2`,
    [db.tenantId, communityId],
  );
  return row?.name ?? '';
}

/**
 * Returns events in the order of their start.
 * @param where conditions on `p`
 * @param most maximum number of events, and maximum characters of the text of each
 */
export function readEvents(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
  most: { readonly events: number; readonly characters: number },
): Promise<EventRow[]> {
  return db.query<EventRow>(
    `SELECT p.id, p.community_id AS "communityId", p.title,
            left(p.description_text, ${parameters.add(most.characters)}) AS text, p.event_start_at AS "startAt",
            p.event_end_at AS "endAt", coalesce(p.event_all_day, false) AS "allDay", p.event_location AS location, p.version,
            p.created_at AS "createdAt", p.modified_at AS "modifiedAt"
       FROM posts p WHERE p.tenant_id = $1 AND ${where.join(' AND ')}
      ORDER BY p.event_start_at, p.id LIMIT ${parameters.add(most.events)}`,
    parameters.values,
  );
}

/**
 * Returns SQL of a boolean: the user has written the event `p`, is invited to it or has answered,
 * and has not declined.
 */
export function concernsSql(userId: number, principals: readonly number[], parameters: Parameters): string {
  const me = `${parameters.add(userId)}::bigint`;
  return `(p.creator_id = ${me}
    OR EXISTS (SELECT FROM event_invitations i WHERE i.tenant_id = $1 AND i.post_id = p.id
                  AND i.principal = ANY (${parameters.add(principals)}::bigint[]))
    OR EXISTS (SELECT FROM event_answers a WHERE a.tenant_id = $1 AND a.post_id = p.id AND a.user_id = ${me}))
   AND NOT EXISTS (SELECT FROM event_answers n WHERE n.tenant_id = $1 AND n.post_id = p.id AND n.user_id = ${me}
                      AND n.type_id = ${EventAnswer.NO})`;
}

/** A guest of an event: a person with an invitation or an answer. */
interface GuestRow {
  userId: number;
  invitation: InvitationType | null;
  answer: EventAnswer | null;
  notes: string | null;
  answeredAt: number | null;
}

/** SQL of the guests of the event `$2`. */
const GUESTS = `SELECT coalesce(i.principal, a.user_id) AS user_id, i.type_id AS invitation, a.type_id AS answer, a.notes, a.answered_at
    FROM (SELECT principal, type_id FROM event_invitations WHERE tenant_id = $1 AND post_id = $2 AND principal > 0) i
    FULL JOIN (SELECT user_id, type_id, notes, answered_at FROM event_answers WHERE tenant_id = $1 AND post_id = $2) a
      ON a.user_id = i.principal`;

/**
 * Returns a page of guests by id. @param answers only guests with these answers; 0 for guests
 * without an answer
 */
export function pageOfGuests(
  db: TenantExecutor,
  postId: number,
  answers: readonly number[] | undefined,
  after: number,
  limit: number,
): Promise<GuestRow[]> {
  return db.query<GuestRow>(
    `SELECT g.user_id AS "userId", g.invitation, g.answer, g.notes, g.answered_at AS "answeredAt"
       FROM (${GUESTS}) g JOIN users u ON u.tenant_id = $1 AND ${u.id} = g.user_id AND ${u.deleted_at} IS NULL
      WHERE g.user_id > $4 AND ($3::smallint[] IS NULL OR coalesce(g.answer, 0) = ANY ($3::smallint[]))
      ORDER BY g.user_id LIMIT $5`,
    [db.tenantId, postId, answers ?? null, after, limit],
  );
}

interface GuestCounts {
  yes: number;
  maybe: number;
  no: number;
  unanswered: number;
}

export async function countGuests(db: TenantExecutor, postId: number): Promise<GuestCounts> {
  const [row] = await db.query<GuestCounts>(
    `SELECT count(*) FILTER (WHERE g.answer = ${EventAnswer.YES}) AS yes,
            count(*) FILTER (WHERE g.answer = ${EventAnswer.MAYBE}) AS maybe,
            count(*) FILTER (WHERE g.answer = ${EventAnswer.NO}) AS no,
            count(*) FILTER (WHERE g.answer IS NULL) AS unanswered
       FROM (${GUESTS}) g JOIN users u ON u.tenant_id = $1 AND ${u.id} = g.user_id AND ${u.deleted_at} IS NULL`,
    [db.tenantId, postId],
  );
  return row!;
}

/** Returns the groups that an event invites. */
export async function invitedGroups(db: TenantExecutor, postId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT -principal AS id FROM event_invitations WHERE tenant_id = $1 AND post_id = $2 AND principal < 0 ORDER BY 1`,
    [db.tenantId, postId],
  );
  return rows.map(({ id }) => id);
}
