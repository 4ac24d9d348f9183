/**
 * Users and groups as embedded in other objects: in posts, comments, tasks, lists of members.
 *
 * Every user sees of another user: names, caption, contact address, whether the account is a
 * service account, blocked or deleted, its external id, whether the profile is private, and
 * licences. Only administrators (the list of users) and the person themselves (current-user-data)
 * see account ids at identity providers and the time of the last access. Deleted users stay visible
 * under their name, with `deleted: true`.
 */
import { type Group, type LicenceSubType, LicenceType, type License, type Tag, type User } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { mapInTurns } from '@portico/platform/turns';
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
  imported: boolean;
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
    ${alias}.deleted_at IS NOT NULL AS deleted, ${alias}.imported_at IS NOT NULL AS imported,
    ${alias}.private_profile AS "privateProfile",
    ${alias}.licence_types AS "licenceTypes", ${alias}.licence_sub_type AS "licenceSubType", ${alias}.photo_content_ref AS "photoContentRef"`;
}

/** Presents a user for all users. Omits properties without a value (docs/decisions/types.md). */
export function presentUser(row: UserViewRow, scope: PhotoScope): User {
  const photo = photoUrl(scope, row.id, row.photoContentRef);
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    caption: row.caption ?? undefined,
    contactEmail: row.contactEmail ?? undefined,
    serviceAccount: row.serviceAccount,
    systemAccount: row.systemAccount,
    // Domain-wide delegation belongs to identity providers' own programs; the portal never acts through it.
    activeDWD: false,
    accountPhotoUrl: photo,
    deleted: row.deleted,
    blocked: row.blocked,
    externalId: row.externalId ?? undefined,
    privateProfile: row.privateProfile,
    imported: row.imported || undefined,
    licences:
      row.licenceTypes.length > 0
        ? row.licenceTypes.map((type) => presentLicence(type, row.licenceSubType))
        : undefined,
  };
}

/** Presents a licence; only one type has levels. */
function presentLicence(type: LicenceType, subType: LicenceSubType | null): License {
  return { id: type, type, subType: type === LicenceType.INTERACTA_I && subType !== null ? subType : undefined };
}

/**
 * Returns users by id, deleted ones included, in one statement. Omits unknown ids (and ids of other
 * tenants).
 * @param db the database, or the transaction of the write that returns them
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
    // Probes an index once per id: with "= ANY", PostgreSQL chooses the index of names, which ends
    // in the id, and reads all of it.
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

/** Extent to which a group is presented. */
interface GroupViewOptions {
  /** True shows removed and invisible labels too, which only administrators see. */
  allTags?: boolean;
}

/** Presents a group for all users. Omits properties without a value (docs/decisions/types.md). */
export function presentGroup(row: GroupViewRow, options: GroupViewOptions = {}): Group {
  const tags = options.allTags ? row.tags : row.tags.filter((tag) => tag.visible && !tag.deleted);
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? undefined,
    description: row.description ?? undefined,
    creationTimestamp: row.createdAt,
    lastModifyTimestamp: row.modifiedAt,
    visible: row.visible,
    systemAccount: row.systemAccount,
    deleted: row.deleted,
    externalId: row.externalId ?? undefined,
    occToken: row.version,
    membersCount: row.membersCount,
    tags: tags.map((tag): Tag => ({ ...tag })),
  };
}

/**
 * Returns groups by id (positive ids, not principals), deleted ones included, in one statement.
 * Omits unknown ids, and labels that only administrators see.
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
