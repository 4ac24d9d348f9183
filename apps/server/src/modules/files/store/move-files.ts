/** Files that a restored installation keeps under another key. */

/** SQL that replaces the keys `$1` by `$2` in the rows of all tenants, for an owner that sees them. */
export const moveFilesSql: readonly string[] = [
  `UPDATE file_contents t SET storage_key = m.become
     FROM unnest($1::text[], $2::text[]) AS m (key, become) WHERE t.storage_key = m.key`,
  `UPDATE file_previews t SET storage_key = m.become
     FROM unnest($1::text[], $2::text[]) AS m (key, become) WHERE t.storage_key = m.key`,
];
