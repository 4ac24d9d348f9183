/**
 * Users and groups as they are shown beside what they made or belong to: in posts, comments, tasks, lists of members.
 *
 * What is shown of one user to another: names, caption, contact address, whether the account is of a program, blocked or
 * deleted, its external id, whether the profile is private, and licences. Account ids at identity providers and the time
 * of the last access are for administrators (the list of users) and for the person themselves (current-user-data) only.
 * Deleted users stay visible under their name, with `deleted: true`.
 */
import { type Group, type LicenceSubType, LicenceType, type License, type Tag, type User } from '@portico/contract';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { mapInTurns } from '../../platform/turns.ts';
import { type PhotoScope, photoUrl } from './photos.ts';

/** A row of `users`, as far as {@link presentUser} needs it; see {@link userViewColumns}. */
export interface UserViewRow {
  id: number;
  firstName: string;
  lastName: string;
  caption: string | null;
  contactEmail: string | null;
  externalId: string | null;
  serviceAccount: boolean;
  systemAccount: boolean;
  blocked: boolean;
  deleted: boolean;
  privateProfile: boolean;
  licenceTypes: LicenceType[];
  licenceSubType: LicenceSubType | null;
  photoContentRef: string | null;
}

/** The columns of {@link UserViewRow}. @param alias alias of `users` in the statement */
export function userViewColumns(alias: string): string {
  return `${alias}.id, ${alias}.first_name AS "firstName", ${alias}.last_name AS "lastName", ${alias}.caption,
    ${alias}.contact_email AS "contactEmail", ${alias}.external_id AS "externalId",
    ${alias}.service_account AS "serviceAccount", ${alias}.system_account AS "systemAccount", ${alias}.blocked,
    ${alias}.deleted_at IS NOT NULL AS deleted, ${alias}.private_profile AS "privateProfile",
    ${alias}.licence_types AS "licenceTypes", ${alias}.licence_sub_type AS "licenceSubType", ${alias}.photo_content_ref AS "photoContentRef"`;
}

/** A user as everyone may see them. Values that are not there are left out (docs/decisions/types.md). */
export function presentUser(row: UserViewRow, scope: PhotoScope): User {
  const photo = photoUrl(scope, row.id, row.photoContentRef);
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    ...(row.caption !== null && { caption: row.caption }),
    ...(row.contactEmail !== null && { contactEmail: row.contactEmail }),
    serviceAccount: row.serviceAccount,
    systemAccount: row.systemAccount,
    // Domain-wide delegation belongs to identity providers' own programs; the portal never acts through it.
    activeDWD: false,
    ...(photo !== undefined && { accountPhotoUrl: photo }),
    deleted: row.deleted,
    blocked: row.blocked,
    ...(row.externalId !== null && { externalId: row.externalId }),
    privateProfile: row.privateProfile,
    ...(row.licenceTypes.length > 0 && {
      licences: row.licenceTypes.map((type) => presentLicence(type, row.licenceSubType)),
    }),
  };
}

/** A licence on the wire; only those of one type have a level. */
function presentLicence(type: LicenceType, subType: LicenceSubType | null): License {
  return { id: type, type, ...(type === LicenceType.INTERACTA_I && subType !== null && { subType }) };
}

/**
 * Users by id, deleted ones included, in one statement. Unknown ids (and those of other tenants) are left out.
 * @param db the database, or the transaction of the write whose answer this is
 * @param ids any number of user ids, repeated or not
 */
export async function loadUserViews(
  scope: PhotoScope,
  db: TenantExecutor,
  ids: Iterable<number>,
): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<UserViewRow>(
    // A probe for each id: with "= ANY" PostgreSQL takes the index of names, which ends in the id, and reads it whole.
    `SELECT ${userViewColumns('u')} FROM unnest($2::bigint[]) AS wanted (id)
       CROSS JOIN LATERAL (SELECT * FROM users x WHERE x.tenant_id = $1 AND x.id = wanted.id OFFSET 0) u`,
    [db.tenantId, wanted],
  );
  return new Map(await mapInTurns(rows, (row) => [row.id, presentUser(row, scope)] as const));
}

/** A row of `groups` with its tags; see {@link groupViewColumns}. */
export interface GroupViewRow {
  id: number;
  version: number;
  name: string;
  email: string | null;
  description: string | null;
  externalId: string | null;
  visible: boolean;
  systemAccount: boolean;
  deleted: boolean;
  createdAt: number;
  modifiedAt: number;
  membersCount: number;
  tags: { id: number; name: string; visible: boolean; deleted: boolean }[];
}

/** The columns of {@link GroupViewRow}; $1 is the tenant. @param alias alias of `groups` in the statement */
export function groupViewColumns(alias: string): string {
  return `${alias}.id, ${alias}.version, ${alias}.name, ${alias}.email, ${alias}.description,
    ${alias}.external_id AS "externalId", ${alias}.visible, ${alias}.system_account AS "systemAccount",
    ${alias}.deleted_at IS NOT NULL AS deleted, ${alias}.created_at AS "createdAt", ${alias}.modified_at AS "modifiedAt",
    ${alias}.members_count AS "membersCount",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'visible', t.visible, 'deleted', t.deleted)
              ORDER BY t.id), '[]')
       FROM group_tags t WHERE t.tenant_id = $1 AND t.group_id = ${alias}.id) AS tags`;
}

/** How much of a group is shown. */
interface GroupViewOptions {
  /** True shows removed and invisible labels too, which only administrators see. */
  allTags?: boolean;
}

/** A group as everyone may see it. Values that are not there are left out (docs/decisions/types.md). */
export function presentGroup(row: GroupViewRow, options: GroupViewOptions = {}): Group {
  const tags = options.allTags ? row.tags : row.tags.filter((tag) => tag.visible && !tag.deleted);
  return {
    id: row.id,
    name: row.name,
    ...(row.email !== null && { email: row.email }),
    ...(row.description !== null && { description: row.description }),
    creationTimestamp: row.createdAt,
    lastModifyTimestamp: row.modifiedAt,
    visible: row.visible,
    systemAccount: row.systemAccount,
    deleted: row.deleted,
    ...(row.externalId !== null && { externalId: row.externalId }),
    occToken: row.version,
    membersCount: row.membersCount,
    tags: tags.map((tag): Tag => ({ ...tag })),
  };
}

/**
 * Groups by id (positive ids, not principals), deleted ones included, in one statement. Unknown ids are left out.
 * Labels that only administrators see are left out too.
 */
export async function loadGroupViews(
  db: TenantExecutor,
  ids: Iterable<number>,
  options: GroupViewOptions = {},
): Promise<Map<number, Group>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<GroupViewRow>(
    `SELECT ${groupViewColumns('g')} FROM groups g WHERE g.tenant_id = $1 AND g.id = ANY ($2::bigint[])`,
    [db.tenantId, wanted],
  );
  return new Map(rows.map((row) => [row.id, presentGroup(row, options)]));
}
