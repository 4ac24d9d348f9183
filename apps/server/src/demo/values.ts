/** Values of custom fields that obey the fields' own rules. */
import { FieldType, ValidationType } from '@portico/contract';
import { typeOf } from '../modules/fields/index.ts';
import type { Random } from '../platform/random.ts';
import type { TextSpec } from './content.ts';
import { type DemoContext, HOUR, type MadeField } from './demo-context.ts';
import type { FieldSpec } from './read-community.ts';
import { richText } from './texts.ts';

/** Context that the values of one post depend on. */
interface ValueContext {
  /** When the post was written. Epoch milliseconds. */
  at: number;
  texts: TextSpec;
  /** Share of the fields that are filled though they need not be. */
  filled: number;
  /** Whether fields may be written that forms do not show. */
  trusted: boolean;
  /** Key of the community that fields without `community_id` refer to. */
  community: string;
}

/** Values by field id as text, in the written form (docs/decisions/values.md). */
export function fieldValues(
  demo: DemoContext,
  fields: ReadonlyMap<string, MadeField>,
  context: ValueContext,
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const chosen = new Map<string, string>();
  for (const [key, field] of fields) {
    const { spec } = field;
    const rules = new Set(spec.rules.map(([rule]) => ValidationType[rule]));
    const demanded =
      spec.required === true || rules.has(ValidationType.REQUIRED) || rules.has(ValidationType.MIN_COUNT);
    const needed = demanded && !rules.has(ValidationType.CONDITIONAL);
    if (!context.trusted && (spec.hidden || spec.readonly)) continue;
    if (!needed && !demo.random.chance(context.filled)) continue;
    if (spec.parent !== undefined && !chosen.has(spec.parent)) continue;
    const value = writtenValue(demo, field, context, chosen, key);
    if (value !== undefined) data[String(field.id)] = value;
  }
  return data;
}

function writtenValue(
  demo: DemoContext,
  field: MadeField,
  context: ValueContext,
  chosen: Map<string, string>,
  key: string,
): unknown {
  const { spec } = field;
  const { random } = demo;
  const own = generators[spec.sample];
  if (own) return own(random, context, spec);
  const type = typeOf({ type: FieldType[spec.type] });
  if (type.kind === 'richText') return richText(random, context.texts.sentences);
  if (type.kind === 'objects') return entities(demo, spec, context);
  const options =
    type.kind === 'choice'
      ? optionsOf(demo, field, spec.parent === undefined ? undefined : chosen.get(spec.parent))
      : [];
  const value = type.sample({
    random,
    at: context.at,
    sentences: context.texts.sentences,
    site: `https://docs.alveria.example/${key}`,
    ids: options.map(({ id }) => id),
    metadata: spec.metadata,
  });
  const choice = options.find(({ id }) => id === value);
  if (choice) chosen.set(key, choice.key);
  return choice && spec.catalog !== undefined ? [choice.id] : value;
}

/** Fields whose values look unlike the samples of their type, by `sample` or key. */
const generators: Readonly<Record<string, (random: Random, context: ValueContext, spec: FieldSpec) => unknown>> = {
  floor: (random) => random.int(1, 6),
  // Budgets of projects are in thousands, with a ceiling.
  projectBudget: (random, _context, { metadata }) =>
    Number(((random.int(40, 9_800) + random.next()) / 10).toFixed(Number(metadata?.decimal_digits ?? 2))),
  since: (random, { at }) => at - random.int(1, 40) * HOUR,
  seen: (random, { at }) => at - random.int(1, 40) * HOUR,
  serial: (random) => `${letter(random)}${letter(random)}-${random.int(1000, 9999)}`,
  code: (random) => `P-${random.int(100, 999)}`,
  contact: (random) => `${random.pick(['ordini', 'sales', 'info'])}@supplier${random.int(1, 40)}.example`,
  offer: (random) => `https://shop.supplier${random.int(1, 40)}.example/item/${random.int(1000, 9999)}`,
  order: (random) => `OA-${random.int(10_000, 99_999)}`,
  origin: (random) => random.pick(['Mail', 'Telephone', 'Service portal', 'Walk-in']),
};

const letter = (random: Random) => 'ABCDEFGHKLMNPRSTUVWX'[random.int(0, 18)];

interface Option {
  id: number;
  key: string;
}

/** Returns the values to choose from, below the value of the parent field if there is one. */
function optionsOf(demo: DemoContext, { spec, values }: MadeField, parentKey: string | undefined): Option[] {
  const fits = (below: readonly string[] | undefined) =>
    parentKey === undefined || below === undefined || below.length === 0 || below.includes(parentKey);
  if (spec.catalog !== undefined) {
    const entries = demo.catalogs.get(spec.catalog)?.entries ?? [];
    return entries.filter((entry) => !entry.deleted && fits(entry.parentKeys));
  }
  return spec.values.flatMap(({ key, below }) => (!fits(below) ? [] : [{ id: values.get(key) as number, key }]));
}

function entities(demo: DemoContext, spec: FieldSpec, context: ValueContext): number[] | undefined {
  const { random } = demo;
  const limit = Number(spec.rules.find(([rule]) => rule === 'MAX_COUNT')?.[1] ?? 3);
  switch (spec.metadata.generic_entity_list_config_id) {
    case 'core.group':
      return random
        .some(['itdesk', 'buyers', 'facility', 'tech', 'ops', 'hr'], random.int(1, 2))
        .map((key) => demo.groups.get(key) as number);
    case 'communication.post': {
      const target = spec.metadata.community_id ?? context.community;
      const posts = demo.posts.get(target) ?? [];
      return posts.length === 0 ? undefined : random.some(posts, random.int(1, Math.min(limit, 2)));
    }
    default: {
      const from = spec.metadata.user_picker_from_group ?? 'everyone';
      return random.some(demo.unlicensed(demo.members.get(from) ?? []), random.int(1, limit));
    }
  }
}
