/**
 * The measured filters of lists, each with an equivalent in plain SQL over the posts themselves:
 * without value rows, plans, or other structures of the product.
 */
import { FilterType, fieldTypeName, fieldTypes } from '@portico/contract';
import type { Dataset, DatasetField, DatasetPerson, NumberRange, PersonKind } from '../dataset/dataset.ts';

/** A filter of a list. */
export interface Filter {
  readonly name: string;
  /** Kind of cost: values are looked up, texts are searched, marks depend on the caller. */
  readonly kind: 'value' | 'text' | 'mark';
  /** Members of the body; the members of several filters are merged. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Plain SQL of a boolean about `p`, a row of posts. */
  readonly where: string;
}

const operators = new Map(Object.entries(FilterType).map(([name, code]) => [code, name]));

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The value at a share of the values. */
function atShare(range: NumberRange | undefined, share: number): number | null {
  const nearest = range?.quantiles.toSorted((a, b) => Math.abs(a.share - share) - Math.abs(b.share - share))[0];
  return nearest?.value ?? null;
}

/** A filter on a field. */
function onField(
  field: DatasetField,
  operator: FilterType,
  label: string,
  parameters: readonly unknown[],
  where: string,
  kind: Filter['kind'] = 'value',
): Filter {
  const entity = field.entity ? ` of ${field.entity}s` : '';
  return {
    name: `${fieldTypeName(field.type)}${entity} ${operators.get(operator)}${label ? ` ${label}` : ''}`,
    kind,
    body: { postFieldFilters: [{ columnId: field.id, typeId: operator, parameters }] },
    where,
  };
}

function* fieldFilters(field: DatasetField, seen: (alias: string) => string): Generator<Filter> {
  const held = `p.custom_data ->> '${field.id}'`;
  const { kind, operators: allowed } = fieldTypes[field.type];
  const has = (operator: FilterType) => allowed.includes(operator);
  const { EQUAL, INTERVAL, LIKE, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY } = FilterType;
  const empty = `NOT (p.custom_data ? '${field.id}')`;
  if (has(IS_EMPTY)) yield onField(field, IS_EMPTY, '', [], empty);
  if (kind === 'number' || kind === 'day' || kind === 'instant') {
    const number = `(${held})::numeric`;
    const among = (values: readonly number[]) => `${number} IN (${values.join(', ')})`;
    const [common, rare] = [field.common?.id, field.rare?.id];
    for (const [label, value] of [
      ['common', common],
      ['rare', rare],
    ] as const) {
      if (value === undefined) continue;
      yield onField(field, EQUAL, label, [value], among([value]));
    }
    for (const [label, values] of [
      ['common', [common, rare]],
      ['rare', [rare]],
    ] as const) {
      const wanted = values.filter((value) => value !== undefined);
      if (wanted.length === 0) continue;
      if (has(IN)) yield onField(field, IN, label, wanted, among(wanted));
      if (has(IS_NULL_OR_IN)) yield onField(field, IS_NULL_OR_IN, label, wanted, `(${empty} OR ${among(wanted)})`);
    }
    for (const [label, from, to] of [
      ['wide', 0.1, 0.9],
      ['narrow', 0.5, undefined],
    ] as const) {
      const low = atShare(field.range, from);
      // A narrow interval holds the value at the middle, or the values from there to the next
      // quantile within a thousandth.
      const high = to === undefined ? narrowEnd(field.range, low) : atShare(field.range, to);
      if (low === null || high === null) continue;
      yield onField(field, INTERVAL, label, [low, high], `${number} BETWEEN ${low} AND ${high}`);
    }
  } else if (kind === 'text' || kind === 'richText') {
    if (field.exact !== undefined) {
      const exactly =
        kind === 'richText' ? `strpos(${held}, ${literal(field.exact)}) > 0` : `${held} = ${literal(field.exact)}`;
      yield onField(field, EQUAL, 'rare', [field.exact], exactly);
    }
    for (const operator of [LIKE, CONTAINS]) {
      for (const label of ['common', 'rare'] as const) {
        const word = field.words?.[label].word;
        if (word !== undefined && has(operator))
          yield onField(field, operator, label, [word], `lower(${held}) LIKE ${literal(`%${word}%`)}`, 'text');
      }
    }
  } else if (kind === 'flag') {
    for (const { id } of field.values ?? [])
      yield onField(field, EQUAL, id === 1 ? 'true' : 'false', [id === 1], `${held} = '${id === 1}'`);
  } else {
    yield* referenceFilters(field, has, empty, seen);
  }
}

function narrowEnd(range: NumberRange | undefined, low: number | null): number | null {
  if (!range || low === null) return null;
  return low + Math.max(0, Math.floor((range.max - range.min) / 2_000));
}

function* referenceFilters(
  field: DatasetField,
  has: (operator: FilterType) => boolean,
  empty: string,
  seen: (alias: string) => string,
): Generator<Filter> {
  const { EQUAL, IN, CONTAINS, IS_NULL_OR_IN } = FilterType;
  const { list } = fieldTypes[field.type];
  const value = `p.custom_data -> '${field.id}'`;
  // A post that the caller does not see is an unknown id.
  const known = (id: number) =>
    field.entity === 'post'
      ? ` AND EXISTS (SELECT FROM posts r WHERE r.tenant_id = p.tenant_id AND r.id = ${id} AND ${seen('r')})`
      : '';
  const holds = (id: number) => `(${value} ${list ? '@>' : '='} '${id}'::jsonb${known(id)})`;
  const only = (id: number) => `(${value} = '${list ? `[${id}]` : id}'::jsonb${known(id)})`;
  const values = field.values ?? [];
  for (const [label, some] of [
    ['common', values.slice(0, 3)],
    ['rare', values.slice(-3)],
  ] as const) {
    const ids = some.map(({ id }) => id);
    const one = label === 'common' ? ids[0] : ids.at(-1);
    if (one === undefined) continue;
    const any = ids.map(holds).join(' OR ');
    if (has(EQUAL)) yield onField(field, EQUAL, label, [one], only(one));
    if (has(IN)) yield onField(field, IN, label, ids, `(${any})`);
    if (has(CONTAINS)) yield onField(field, CONTAINS, label, [one], holds(one));
    if (has(IS_NULL_OR_IN)) yield onField(field, IS_NULL_OR_IN, label, ids, `(${empty} OR ${any})`);
  }
}

/** Plain SQL of "the person sees this live post". */
export function visibleSql(dataset: Dataset, kind: PersonKind): (alias: string) => string {
  const person = dataset.people[kind];
  const manages = ['serviceAccount', 'admin', 'manager'].includes(kind);
  return (alias) =>
    `${alias}.deleted_at IS NULL AND NOT ${alias}.draft${
      manages
        ? ''
        : ` AND (${alias}.visibility = 2 OR EXISTS (SELECT FROM post_grants g WHERE g.tenant_id = ${alias}.tenant_id AND g.post_id = ${alias}.id AND g.principal IN (${principalsOf(person)})))`
    }`;
}

function principalsOf(person: DatasetPerson): string {
  return [person.userId, ...person.groupIds.map((id) => -id)].join(', ');
}

const ROLE_CODES: Readonly<Record<PersonKind, number>> = {
  serviceAccount: 1,
  admin: 1,
  manager: 1,
  contributor: 2,
  reader: 3,
  outsider: 0,
};

function* postFilters(dataset: Dataset, kind: PersonKind): Generator<Filter> {
  const { community } = dataset;
  const person = dataset.people[kind];
  const of = (table: string, where: string) =>
    `EXISTS (SELECT FROM ${table} x WHERE x.tenant_id = p.tenant_id AND x.post_id = p.id AND ${where})`;
  const value = (name: string, body: Filter['body'], where: string): Filter => ({ name, kind: 'value', body, where });
  for (const label of ['common', 'medium', 'rare'] as const) {
    const { word } = community.words[label];
    const pattern = literal(`%${word}%`);
    yield {
      name: `containsText ${label}`,
      kind: 'text',
      body: { containsText: word },
      where: of('post_search', `x.doc LIKE ${pattern}`),
    };
    if (label !== 'medium')
      yield { name: `title ${label}`, kind: 'text', body: { title: word }, where: `lower(p.title) LIKE ${pattern}` };
  }
  const ends = <T>(list: readonly T[]) =>
    [
      ['common', list[0]],
      ['rare', list.at(-1)],
    ] as const;
  for (const [label, tag] of ends(community.hashtags))
    if (tag) yield value(`hashtag ${label}`, { hashtagIds: [tag.id] }, of('post_hashtags', `x.hashtag_id = ${tag.id}`));
  for (const [label, state] of ends(community.states.toSorted((a, b) => b.count - a.count)))
    if (state) yield value(`state ${label}`, { currentWorkflowStatusIds: [state.id] }, `p.state_id = ${state.id}`);
  for (const [label, creator] of ends(community.creators))
    if (creator) yield value(`creator ${label}`, { createdByUserIds: [creator.id] }, `p.creator_id = ${creator.id}`);
  const since = atShare(community.createdAt, 0.1);
  const from = atShare(community.createdAt, 0.5);
  const at = (ms: number) => `timestamptz 'epoch' + ${ms} * interval '1 millisecond'`;
  if (since !== null) yield value('created since', { creationTimestampFrom: since }, `p.created_at >= ${at(since)}`);
  if (from !== null) {
    const to = from + Math.floor((community.createdAt.max - community.createdAt.min) / 2_000);
    yield value(
      'created within',
      { creationTimestampFrom: from, creationTimestampTo: to },
      `p.created_at BETWEEN ${at(from)} AND ${at(to)}`,
    );
  }
  yield value('private', { visibility: 1 }, 'p.visibility = 1');
  yield value('events', { postTypes: [2] }, 'p.type = 2');
  yield value('pinned', { onlyPinned: true }, 'p.pinned');
  const principals = principalsOf(person);
  const task = of('tasks', `x.deleted_at IS NULL AND x.closed_at IS NULL AND x.assignee IN (${principals})`);
  const groups = `'{${person.groupIds.join(',')}}'::bigint[]`;
  const transition = `EXISTS (SELECT FROM workflow_transitions t WHERE t.tenant_id = p.tenant_id AND t.from_state_id = p.state_id AND NOT t.deleted
     AND (${ROLE_CODES[kind]} = ANY (t.roles) OR t.group_ids && ${groups} OR (t.by_author AND p.creator_id = ${person.userId})))`;
  const mark = (name: string, where: string): Filter => ({ name, kind: 'mark', body: { [name]: true }, where });
  yield mark('toManage', `(${transition} OR ${task})`);
  yield mark('mentioned', of('post_mentions', `x.user_id = ${person.userId}`));
  yield mark('followedByMe', of('post_watchers', `x.principal = ${person.userId}`));
}

/**
 * Every filter: each operator of each type of field (and of each kind of object referred to), with
 * common and rare values.
 */
export function allFilters(dataset: Dataset, kind: PersonKind): readonly Filter[] {
  const fields = new Map<string, DatasetField>();
  for (const field of dataset.community.fields) {
    const key = `${field.type} ${field.entity ?? ''}`;
    if (field.searchable && !fields.has(key)) fields.set(key, field);
  }
  return [
    ...[...fields.values()].flatMap((field) => [...fieldFilters(field, visibleSql(dataset, kind))]),
    ...postFilters(dataset, kind),
  ];
}

/** Several filters at once. */
export function combined(filters: readonly Filter[]): Pick<Filter, 'body' | 'where'> {
  const body: Record<string, unknown> = {};
  for (const filter of filters) {
    for (const [name, value] of Object.entries(filter.body))
      body[name] = Array.isArray(value) && Array.isArray(body[name]) ? [...(body[name] as unknown[]), ...value] : value;
  }
  return { body, where: filters.map(({ where }) => `(${where})`).join(' AND ') };
}
