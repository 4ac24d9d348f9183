/**
 * The changes of a write in the tables, in the words of a dry run's report: the two must be equal.
 */
import { expect } from 'vitest';
import type { Column } from '../../src/kernel/tables/define-tables.ts';
import { keyOf, objectTables } from '../../src/kernel/tables/registry.ts';
import { tables } from '../../src/modules/tables.ts';
import type { Dump } from './dump.fixture.ts';

type Row = Record<string, unknown>;

export interface TableChange {
  entity: string;
  id?: number;
  action: 'created' | 'modified' | 'deleted';
  fields: string[];
}

/**
 * Tables that a write may change beside the tables of objects and their parts, each with the cause
 * of its changes. A write that changes another table is detected here first.
 */
const FOLLOWING: Readonly<Record<string, string>> = {
  attachment_versions: 'the versions of an attachment, whose number is a field of it',
  audit_entries: 'what the audit log says of changes',
  audit_values: 'what the audit log says of changes of people',
  workflows: 'the workflow of a community',
  workflow_states: 'the workflow of a community',
  workflow_transitions: 'the workflow of a community',
  workflow_screens: 'the workflow of a community',
  workflow_screen_fields: 'the workflow of a community',
  field_enum_values: 'the values of a field of a community',
  field_validations: 'the rules of a field of a community',
  definition_versions: 'what the definition of a community was before',
  definition_changes: 'what goes over the posts of a community',
  deleted_comments: 'what a deleted comment said',
  changes: 'what the stream reads of changes',
  community_counters: 'the last number given to a post',
  file_contents: 'uploaded bytes, which a write takes into use',
  group_search: 'what groups are searched by',
  history_events: 'what the history tells of changes',
  idempotency_keys: 'answers kept for repeats',
  outgoing_mails: 'mails to be sent',
  post_grants: 'who sees a private post, by its watchers, tasks, invitations and fields',
  post_search: 'what posts are searched by',
  post_texts: 'what posts are searched by',
  post_user_state: 'who last viewed, edited, commented when',
  post_values: 'what posts are filtered and ordered by',
  post_versions: 'what the post was before',
  post_view_counts: 'views',
  tenant_versions: 'that rights or definitions changed',
  used_passkey_challenges: 'which challenges were answered',
  stream_state: 'numbers given to changes',
  user_search: 'what users are searched by',
  webhook_bodies: 'messages to be sent',
  webhook_deliveries: 'messages to be sent',
};

const NEITHER = 'FOLLOWING has a changed table that is neither one of objects (`entity`) nor a part of them (`field`)';

const users = (row: Row, those: string, others: string) => (Number(row['principal']) > 0 ? those : others);
/** Field that a row of a part stands for; said here once more, apart from the SQL of the report. */
export const partField: Readonly<Record<string, (row: Row) => string>> = {
  post_watchers: (row) => users(row, 'watcherUsers', 'watcherGroups'),
  task_watchers: (row) => users(row, 'watcherUsers', 'watcherGroups'),
  post_hashtags: () => 'hashtags',
  task_hashtags: () => 'hashtags',
  webhook_secrets: () => 'secret',
  attachment_hashtags: () => 'hashtags',
  post_mentions: (row) => (row['comment_id'] === 0 ? 'mentions' : 'commentMentions'),
  task_mentions: () => 'mentions',
  favourite_views: () => 'favourite',
  default_views: (row) => (row['user_id'] === 0 ? 'defaultForCommunity' : 'defaultForMe'),
  post_likes: () => 'likesCount',
  comment_likes: () => 'likesCount',
  comment_versions: () => 'comment',
  event_invitations: () => 'event.invitations',
  event_answers: () => 'event.participate',
  sub_tasks: () => 'subTasks',
  task_reminders: () => 'reminders',
  group_members: () => 'members',
  community_roles: () => 'roles',
  community_drafts: () => 'definitionDraft',
  fields: () => 'fields',
  standing_roles: () => 'roleId',
  group_standing_roles: () => 'roleId',
  service_account_keys: () => 'keys',
  one_time_links: () => 'links',
  group_tags: () => 'tags',
  identity_provider_groups: () => 'groupMappings',
  user_identities: () => 'identities',
  totp_factors: () => 'secondFactor',
  recovery_codes: () => 'secondFactor',
  user_sessions: () => 'sessions',
  personal_tokens: () => 'personalTokens',
  passkeys: () => 'passkeys',
  outgoing_mails: () => 'mails',
  notification_mails: () => 'notificationMails',
  workspace_members: (row) =>
    row['role_id'] === null ? users(row, 'memberUsers', 'memberGroups') : users(row, 'adminUsers', 'adminGroups'),
};

const rowsOf = (dump: Dump, table: string) => dump.lines(table).map((line) => JSON.parse(line) as Row);
const byId = (rows: Row[], key: string) => new Map(rows.map((row) => [Number(row[key]), row]));
const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value as object).length === 0);

function namesOf(column: Column, old: unknown, fresh: unknown): string[] {
  if (column === null || JSON.stringify(old ?? null) === JSON.stringify(fresh ?? null)) return [];
  if (typeof column === 'string') return [column];
  if ('of' in column) return [old, fresh].filter((value) => typeof value === 'number').map(column.of);
  const [then, now] = [(old ?? {}) as Row, (fresh ?? {}) as Row];
  return Object.keys({ ...then, ...now })
    .filter((key) => JSON.stringify(then[key]) !== JSON.stringify(now[key]))
    .map((key) => `${column.each}.${key}`);
}

/** Differences between two dumps. @returns them sorted */
export function tableChanges(before: Dump, after: Dump): TableChange[] {
  const changedTables = new Set(after.changedSince(before));
  const parts = new Map<string, Set<string>>();
  for (const { name: table, parent, field } of tables.values()) {
    if (field === undefined || parent === undefined || !changedTables.has(table)) continue;
    const [then, now] = [new Set(before.lines(table)), new Set(after.lines(table))];
    for (const line of [...then, ...now].filter((one) => then.has(one) !== now.has(one))) {
      const row = JSON.parse(line) as Row;
      const of = `${parent.table} ${row[parent.column]}`;
      parts.set(of, (parts.get(of) ?? new Set()).add(partField[table]!(row)));
    }
  }
  const changes: TableChange[] = [];
  for (const described of objectTables(tables)) {
    const { name: table, entity, columns } = described;
    const key = keyOf(described);
    const hasParts = [...parts.keys()].some((of) => of.startsWith(`${table} `));
    if (!hasParts && !changedTables.has(table)) continue;
    const [then, now] = [byId(rowsOf(before, table), key), byId(rowsOf(after, table), key)];
    for (const [id, row] of now) {
      const was = then.get(id);
      const names = Object.entries(columns).flatMap(([column, name]) =>
        !was && isNothing(row[column]) ? [] : namesOf(name, was?.[column], row[column]),
      );
      const fields = [...new Set([...names, ...(parts.get(`${table} ${id}`) ?? [])])].sort();
      if (!was) changes.push({ entity, id, action: 'created', fields });
      else if (row['deleted_at'] && !was['deleted_at']) changes.push({ entity, id, action: 'deleted', fields: [] });
      else if (fields.length > 0) changes.push({ entity, id, action: 'modified', fields });
    }
    for (const id of then.keys()) if (!now.has(id)) changes.push({ entity, id, action: 'deleted', fields: [] });
  }
  const refs = new Set(rowsOf(before, 'file_contents').map((row) => row['content_ref']));
  for (const row of rowsOf(after, 'file_contents')) {
    if (!refs.has(row['content_ref'])) changes.push({ entity: 'file', action: 'created', fields: ['contentRef'] });
  }
  for (const table of changedTables) {
    const { entity, field } = tables.get(table)!;
    if (entity === undefined && field === undefined) expect(Object.keys(FOLLOWING), NEITHER).toContain(table);
  }
  return sorted(changes);
}

/** Sorted, and new objects without the ids, which every run makes anew. */
export function sorted(changes: readonly TableChange[]): TableChange[] {
  return changes
    .map(
      ({ id, ...change }): TableChange =>
        change.action === 'created' || id === undefined ? change : { ...change, id },
    )
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
