/** The fields of the big community: their values with counts, ranges, words. */
import { entityKind, typeOf } from '@portico/server/testing/dataset';
import type pg from 'pg';
import type { DatasetField, ValueCount } from './dataset.ts';
import type { CommunitySource, PlannedField } from './post-plan.ts';
import { countWords, ends, numbers, rangeOf, SHARES } from './queries.ts';

const LIVE = `post_values v JOIN posts p ON p.tenant_id = v.tenant_id AND p.id = v.post_id
  WHERE v.tenant_id = $1 AND v.field_id = $2 AND p.live`;

export async function describeFields(owner: pg.Client, source: CommunitySource): Promise<DatasetField[]> {
  const described: DatasetField[] = [];
  for (const field of source.fields) described.push(await describeField(owner, source, field));
  return described;
}

async function describeField(owner: pg.Client, source: CommunitySource, { rule, ids, parentId }: PlannedField) {
  const values = [source.tenantId, rule.id];
  const { id, type, searchable, sortable, label: name } = rule;
  const { kind, column } = typeOf(rule);
  const [counts] = await numbers<{ empty: number; filled: number }>(
    owner,
    `SELECT count(*) FILTER (WHERE v.empty) AS empty, count(*) FILTER (WHERE NOT v.empty AND v.ord = 0) AS filled FROM ${LIVE}`,
    values,
  );
  const common = {
    id,
    name,
    type,
    searchable,
    sortable,
    ...counts!,
    ...(kind === 'objects' && { entity: entityKind(rule)! }),
    ...(parentId !== undefined && { parentFieldId: parentId }),
    ...(!rule.readonly && { sample: await sampleOf(owner, source, rule.id) }),
  };
  if (!searchable && !sortable)
    return { ...common, ...(ids.length > 0 && { values: ids.map((value) => ({ id: value, count: 0 })) }) };
  if (column === 'txt') return { ...common, ...(await describeTexts(owner, kind === 'richText', values)) };
  const byCount = await numbers<ValueCount>(
    owner,
    `SELECT v.${column} AS id, count(*) AS count FROM ${LIVE} AND NOT v.empty GROUP BY 1 ORDER BY 2 DESC, 1`,
    values,
  );
  if (column === 'ref' || kind === 'flag') return { ...common, values: ends(byCount) };
  // Among few posts a sparse field may be empty everywhere.
  if (byCount.length === 0) return common;
  const [range] = await numbers<{ min: number; max: number; quantiles: (number | string)[] }>(
    owner,
    `SELECT min(v.${column}) AS min, max(v.${column}) AS max,
            percentile_disc($3::float8[]) WITHIN GROUP (ORDER BY v.${column}) AS quantiles FROM ${LIVE} AND NOT v.empty`,
    [...values, SHARES],
  );
  return { ...common, range: rangeOf(range!), common: byCount[0], rare: byCount.at(-1) };
}

async function describeTexts(owner: pg.Client, rich: boolean, values: unknown[]) {
  const from = `post_texts t JOIN posts p ON p.tenant_id = t.tenant_id AND p.id = t.post_id
    WHERE t.tenant_id = $1 AND t.field_id = $2 AND p.live`;
  const words = await countWords(owner, from, 't.norm', values);
  if (rich) return { words };
  const { rows } = await owner.query<{ text: string }>(
    `SELECT p.custom_data ->> $2::text AS text FROM posts p JOIN post_values v ON v.tenant_id = p.tenant_id AND v.post_id = p.id
      WHERE v.tenant_id = $1 AND v.field_id = $2::bigint AND NOT v.empty AND p.live AND p.visibility = 2 ORDER BY p.id LIMIT 1 OFFSET 20`,
    [values[0], String(values[1])],
  );
  return { words, exact: rows[0]?.text };
}

/** A value that posts have, as a write may send it. */
async function sampleOf(owner: pg.Client, source: CommunitySource, fieldId: number): Promise<unknown> {
  const { rows } = await owner.query<{ value: unknown }>(
    `SELECT custom_data -> $3 AS value FROM posts
      WHERE tenant_id = $1 AND community_id = $2 AND live AND visibility = 2 AND custom_data ? $3 ORDER BY id LIMIT 1 OFFSET 5`,
    [source.tenantId, source.definition.id, String(fieldId)],
  );
  return rows[0]?.value;
}
