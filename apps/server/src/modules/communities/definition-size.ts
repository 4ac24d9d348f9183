/**
 * Limits the texts and lists of a definition together: reading, presenting and storing a definition
 * takes time and memory in proportion to them.
 */
import { definitionLimits } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import { type DefinitionList, definitionRows } from './definition-rows.ts';

/** Lengths of texts are known without reading them. */
const texts = (...columns: string[]) => columns.map((column) => `coalesce(octet_length(r.${column}), 0)`);
const json = (...columns: string[]) => columns.map((column) => `coalesce(octet_length(r.${column}::text), 0)`);
const ids = (...columns: string[]) => columns.map((column) => `8 * coalesce(cardinality(r.${column}), 0)`);

/** Bytes of a row whose number no other limit bounds, beside its texts and lists. */
const ROW = '100';

/** SQL of the terms of the bytes of a row `r`. */
const TERMS: Readonly<Record<'community' | DefinitionList, readonly string[]>> = {
  community: texts('name', 'description'),
  fields: [
    ...texts('label', 'description', 'external_id', 'section'),
    ...json('metadata', 'conditions', 'translations', 'section_translations', 'default_value'),
    ...ids('visible_roles'),
  ],
  values: [...texts('label', 'external_id'), ...json('translations'), ...ids('parent_ids')],
  validations: texts('parameter'),
  states: [
    ROW,
    ...texts('name', 'description', 'external_id'),
    ...json('metadata'),
    ...ids('edit_roles', 'edit_group_ids', 'edit_field_ids'),
  ],
  transitions: [
    ROW,
    ...texts('name', 'external_id'),
    ...json('metadata', 'conditions', 'sets'),
    ...ids('roles', 'group_ids', 'field_ids'),
  ],
  screens: [ROW, ...texts('name', 'message')],
  screenFields: ['8'],
  views: [ROW, ...texts('name'), ...ids('field_ids')],
};

type Part = keyof typeof TERMS;
/** Bytes of each part of a definition. */
type Sizes = Readonly<Record<Part, number>>;

const PARTS = Object.keys(TERMS) as Part[];
const bytesOf = (part: Part) => `coalesce(sum((${TERMS[part].join(' + ')})::bigint), 0)::bigint`;

/** SQL of {@link Sizes} of the community `c` as it is. */
const PRESENT = PARTS.map((part) => {
  const rows = part === 'community' ? '(SELECT c.name, c.description) r' : definitionRows[part];
  return `(SELECT ${bytesOf(part)} FROM ${rows}) AS "${part}"`;
});

const ROW_TYPES: Readonly<Record<Part, string>> = {
  community: 'communities',
  fields: 'fields',
  values: 'field_enum_values',
  validations: 'field_validations',
  states: 'workflow_states',
  transitions: 'workflow_transitions',
  screens: 'workflow_screens',
  screenFields: 'workflow_screen_fields',
  views: 'post_views',
};

/** SQL of {@link Sizes} of the stored version `d`. */
const STORED = PARTS.map((part) => {
  const populate = part === 'community' ? 'jsonb_populate_record' : 'jsonb_populate_recordset';
  return `(SELECT ${bytesOf(part)} FROM ${populate}(NULL::${ROW_TYPES[part]}, d.definition -> '${part}') r) AS "${part}"`;
});

const total = (sizes: Sizes) => PARTS.reduce((sum, part) => sum + sizes[part], 0);

/**
 * Refuses definitions above the limit, after the statements that changed them. A definition that
 * was above it before may change as long as it does not grow.
 * @throws ValidationError TEXT_TOO_LONG, with the bytes of each part
 */
export async function refuseTooLarge({ tx }: Pick<WriteScope, 'tx'>, communityIds: readonly number[]): Promise<void> {
  const most = definitionLimits.together;
  const present = await tx.query<Sizes & { id: number }>(
    `SELECT * FROM (SELECT c.id, ${PRESENT.join(', ')} FROM communities c
                     WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[])) sizes
      WHERE ${PARTS.map((part) => `"${part}"`).join(' + ')} > $3::bigint ORDER BY id`,
    [tx.tenantId, communityIds, most],
  );
  for (const { id, ...sizes } of present) {
    const before = await sizeBefore(tx, id);
    if (total(sizes) <= before) continue;
    const parts = PARTS.filter((part) => sizes[part] > 0).map((part) => `${part} ${sizes[part]}`);
    throw invalid(
      '',
      'TEXT_TOO_LONG',
      `The definition of a community has at most ${most} bytes of texts and lists together; community ${id} had ${before}, and would have ${total(sizes)} (${parts.join(', ')}).`,
      [most, total(sizes)],
    );
  }
}

/** Returns the bytes of the version that the transaction saved before it changed the community. */
async function sizeBefore(tx: TenantTx, communityId: number): Promise<number> {
  const [stored] = await tx.query<Sizes>(
    `SELECT ${STORED.join(', ')} FROM definition_versions d
      WHERE d.tenant_id = $1 AND d.community_id = $2 ORDER BY d.version DESC LIMIT 1`,
    [tx.tenantId, communityId],
  );
  return stored ? total(stored) : 0;
}
