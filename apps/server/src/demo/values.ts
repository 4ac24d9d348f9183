/** Values of custom fields that obey the fields' own rules. */
import { FieldType, ValidationType } from '@portico/contract';
import type { FieldSpec, TextSpec } from './content-types.ts';
import { DAY, type DemoContext, HOUR, type MadeField } from './demo-context.ts';
import { richText } from './texts.ts';

/** What the values of one post depend on. */
export interface ValueContext {
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
    const rules = new Set(spec.validations?.map(([type]) => ValidationType[type]));
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
  switch (FieldType[spec.type]) {
    case FieldType.INT:
      return random.int(1, key === 'floor' ? 6 : 48);
    case FieldType.BIGINT:
      return random.chance(0.2) ? `90071992547${random.int(40_993, 99_999)}` : random.int(20_000_000, 89_999_999);
    case FieldType.DECIMAL: {
      // Budgets of projects are in thousands, with a ceiling.
      const amount = (random.int(40, 9_800) + random.next()) / (key === 'budget' ? 10 : 1);
      return Number(amount.toFixed(Number(spec.metadata?.decimal_digits ?? 2)));
    }
    case FieldType.DATE:
      return Math.floor((context.at + random.int(3, 60) * DAY) / DAY) * DAY;
    case FieldType.DATETIME:
      return key === 'since' || key === 'seen'
        ? context.at - random.int(1, 40) * HOUR
        : context.at + random.int(2, 90) * DAY;
    case FieldType.STRING:
      return stringOf(demo, key);
    case FieldType.TEXT_AREA:
      return random.some(context.texts.sentences, 2).join('\n');
    case FieldType.FLAG:
      return random.chance(0.3);
    case FieldType.DELTA_AREA:
      return richText(random, context.texts.sentences);
    case FieldType.FEEDBACK:
      return random.int(1, Number(spec.metadata?.feedback_max_value ?? 5));
    case FieldType.LINK:
      return `https://docs.alveria.example/${key}/${random.int(1000, 9999)}`;
    case FieldType.ENUM:
    case FieldType.HIERARCHICAL_ENUM: {
      const options = optionsOf(demo, field, spec.parent === undefined ? undefined : chosen.get(spec.parent));
      if (options.length === 0) return undefined;
      const choice = random.pick(options);
      chosen.set(key, choice.key);
      return spec.catalog === undefined ? choice.id : [choice.id];
    }
    case FieldType.ENUM_LIST: {
      const options = optionsOf(demo, field, undefined);
      return random.some(options, random.int(1, Math.min(3, options.length))).map(({ id }) => id);
    }
    case FieldType.GENERIC_ENTITY_LIST:
      return entities(demo, spec, context);
  }
}

interface Option {
  id: number;
  key: string;
}

/** What can be chosen, below the value of the field above if there is one. */
function optionsOf(demo: DemoContext, { spec, values }: MadeField, parentKey: string | undefined): Option[] {
  const fits = (below: readonly string[] | undefined) =>
    parentKey === undefined || below === undefined || below.length === 0 || below.includes(parentKey);
  if (spec.catalog !== undefined) {
    const entries = demo.catalogs.get(spec.catalog)?.entries ?? [];
    return entries.filter((entry) => !entry.deleted && fits(entry.parentKeys));
  }
  return (spec.values ?? []).flatMap(({ key, below, deleted }) =>
    deleted || !fits(below) ? [] : [{ id: values.get(key) as number, key }],
  );
}

function stringOf(demo: DemoContext, key: string): string {
  const { random } = demo;
  const letters = 'ABCDEFGHKLMNPRSTUVWX';
  switch (key) {
    case 'serial':
      return `${letters[random.int(0, 18)]}${letters[random.int(0, 18)]}-${random.int(1000, 9999)}`;
    case 'code':
      return `P-${random.int(100, 999)}`;
    case 'contact':
      return `${random.pick(['ordini', 'sales', 'info'])}@supplier${random.int(1, 40)}.example`;
    case 'offer':
      return `https://shop.supplier${random.int(1, 40)}.example/item/${random.int(1000, 9999)}`;
    case 'order':
      return `OA-${random.int(10_000, 99_999)}`;
    default:
      return random.pick(['Mail', 'Telephone', 'Service portal', 'Walk-in']);
  }
}

function entities(demo: DemoContext, spec: FieldSpec, context: ValueContext): number[] | undefined {
  const { random } = demo;
  const limit = Number(spec.validations?.find(([type]) => type === 'MAX_COUNT')?.[1] ?? 3);
  switch (spec.metadata?.generic_entity_list_config_id) {
    case 'core.group':
      return random
        .some(['itdesk', 'buyers', 'facility', 'tech', 'ops', 'hr'], random.int(1, 2))
        .map((key) => demo.groups.get(key) as number);
    case 'communication.post': {
      const target = spec.metadata.community_id?.split(':')[1] ?? context.community;
      const posts = demo.posts.get(target) ?? [];
      return posts.length === 0 ? undefined : random.some(posts, random.int(1, Math.min(limit, 2)));
    }
    default: {
      const from = spec.metadata?.user_picker_from_group?.split(':')[1] ?? 'everyone';
      return random.some(demo.members.get(from) ?? [], random.int(1, limit));
    }
  }
}
