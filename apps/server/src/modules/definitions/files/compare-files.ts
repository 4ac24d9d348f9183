/** Compares a community with a file that is to be applied to it. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CommunityFile,
  CommunityFileCatalog,
  CommunityPlanChange,
  CommunityPlanProperty,
} from '@portico/contract';
import { defaultScenarios, viewDefaults } from './describe-views.ts';
import { defaultRun, fieldDefaults, settingDefaults } from './file-names.ts';
import type { RenamedKeys } from './file-types.ts';

type Kind = NonNullable<CommunityPlanChange['kind']>;
type Item = Readonly<Record<string, unknown>>;

/** Properties that are compared as separate objects. */
const OWN_OBJECTS = new Set(['key', 'entries', 'states', 'transitions', 'screens', 'screenFields']);

/** Defaults of omitted properties of each kind of object, except switches. */
const defaultsOf: Readonly<Partial<Record<Kind, (item: Item) => Item>>> = {
  community: () => settingDefaults,
  field: fieldDefaults,
  screenField: fieldDefaults,
  transition: () => ({ run: defaultRun }),
  view: () => ({ ...viewDefaults, scenarios: defaultScenarios }),
};

function propertiesThatDiffer(kind: Kind, before: Item, after: Item): CommunityPlanProperty[] {
  const defaults = defaultsOf[kind] ?? ((): Item => ({}));
  const [of, into] = [defaults(before), defaults(after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !OWN_OBJECTS.has(name) && !isDeepStrictEqual(before[name], after[name]))
    .flatMap((name) => {
      const was = before[name] ?? of[name] ?? opposite(after[name]);
      const is = after[name] ?? into[name] ?? opposite(before[name]);
      return isDeepStrictEqual(was, is)
        ? []
        : {
            name,
            ...(was !== undefined && { before: JSON.stringify(was) }),
            ...(is !== undefined && { after: JSON.stringify(is) }),
          };
    });
}

/**
 * Returns the omitted value of a switch: a file contains a switch only if it differs from its
 * default.
 */
const opposite = (value: unknown) => (typeof value === 'boolean' ? !value : undefined);

/** Returns the change of the order of objects in both lists. @param name of the change */
function orderChange(
  name: string,
  before: readonly { key?: string }[] = [],
  after: readonly { key?: string }[] = [],
): CommunityPlanProperty[] {
  const [was, is] = [before, after].map((objects) => objects.map(({ key = '' }) => key)) as [string[], string[]];
  const [known, wanted] = [new Set(was), new Set(is)];
  const [kept, both] = [was.filter((key) => wanted.has(key)), is.filter((key) => known.has(key))];
  return isDeepStrictEqual(both, kept) ? [] : [{ name, before: JSON.stringify(kept), after: JSON.stringify(both) }];
}

interface Lists {
  readonly kind: Kind;
  readonly before: readonly object[] | undefined;
  readonly after: readonly object[] | undefined;
  readonly nameOf?: (item: never) => string | undefined;
  /** Whether omitted objects stay unchanged. */
  readonly keeps?: boolean;
  /** New keys by the former ones. */
  readonly renamed?: ReadonlyMap<string, string>;
  readonly within?: string;
}

function compareLists(lists: Lists): CommunityPlanChange[] {
  const { kind, before = [], after = [], nameOf, keeps, within, renamed } = lists;
  const formerOf = new Map([...(renamed ?? [])].map(([from, to]) => [to, from]));
  const keyOf = (item: object) => (nameOf ? nameOf(item as never) : (item as { key?: string }).key) ?? '';
  const place = within === undefined ? {} : { within };
  const present = new Map(before.map((item) => [keyOf(item), item as Item]));
  const wanted = new Map(after.map((item) => [keyOf(item), item as Item]));
  const changes: CommunityPlanChange[] = [];
  for (const [key, item] of wanted) {
    const known = present.get(key);
    if (!known) changes.push({ action: 'create', kind, key, ...place });
    else {
      const former = formerOf.get(key);
      const properties = [
        ...(former === undefined ? [] : [{ name: 'key', before: JSON.stringify(former), after: JSON.stringify(key) }]),
        ...propertiesThatDiffer(kind, known, item),
      ];
      if (properties.length > 0) changes.push({ action: 'change', kind, key, ...place, properties });
    }
  }
  if (!keeps)
    for (const key of present.keys()) if (!wanted.has(key)) changes.push({ action: 'remove', kind, key, ...place });
  return changes;
}

/** Returns the change of a catalog itself, the order of its entries included. */
function compareCatalog(known: CommunityFileCatalog | undefined, catalog: CommunityFileCatalog): CommunityPlanChange[] {
  if (!known) return [{ action: 'create', kind: 'catalog', key: catalog.key ?? '' }];
  const properties = [
    ...propertiesThatDiffer('catalog', known as Item, catalog as Item),
    ...orderChange('entryOrder', known.entries, catalog.entries),
  ];
  return properties.length === 0 ? [] : [{ action: 'change', kind: 'catalog', key: catalog.key ?? '', properties }];
}

/**
 * Returns hashtags with their external ids. @param others external ids of hashtags without one in
 * the file
 */
const hashtagsOf = (
  { hashtags = [], hashtagExternalIds = {} }: Partial<CommunityFile>,
  others: Readonly<Record<string, string>> = {},
) => {
  const ids = new Map([...Object.entries(others), ...Object.entries(hashtagExternalIds)]);
  return hashtags.map((name) => ({ name, ...(ids.has(name) && { externalId: ids.get(name)! }) }));
};

/**
 * Returns all changes that applying the file would make, in the order in which they are made.
 * @param before the present community; only workspace and catalogs if it does not exist
 */
export function compareFiles(
  before: Partial<CommunityFile>,
  after: CommunityFile,
  newGroups: readonly { readonly name: string; readonly nearest?: string }[],
  renamed?: RenamedKeys,
): CommunityPlanChange[] {
  const community = after.community ?? {};
  const key = community.key ?? '';
  const [flow, wanted] = [before.workflow, after.workflow];
  const changes: CommunityPlanChange[] = [
    ...(before.workspace ? [] : [{ action: 'create', kind: 'workspace', key: after.workspace?.key ?? '' } as const]),
    ...newGroups.map(({ name, nearest }) => {
      const like = nearest === undefined ? {} : { nearest };
      return { action: 'create', kind: 'group', key: name, ...like } as const;
    }),
  ];
  changes.push(...compareLists({ kind: 'role', before: before.roles, after: after.roles, keeps: true }));
  for (const catalog of after.catalogs ?? []) {
    const known = before.catalogs?.find((other) => other.key === catalog.key);
    changes.push(
      ...compareCatalog(known, catalog),
      ...compareLists({
        kind: 'entry',
        before: known?.entries,
        after: catalog.entries,
        keeps: true,
        within: catalog.key ?? '',
      }),
    );
  }
  const settings = before.community
    ? [
        ...propertiesThatDiffer('community', before.community as Item, community as Item),
        ...orderChange('fieldOrder', before.fields, after.fields),
      ]
    : [];
  if (!before.community) changes.push({ action: 'create', kind: 'community', key });
  else if (settings.length > 0) changes.push({ action: 'change', kind: 'community', key, properties: settings });
  const byGroup = ({ group }: { group?: string }) => group;
  const byName = ({ name }: { name?: string }) => name;
  changes.push(
    ...compareLists({ kind: 'groupRole', before: before.groupRoles, after: after.groupRoles, nameOf: byGroup }),
    ...compareLists({
      kind: 'hashtag',
      before: hashtagsOf(before),
      // An omitted external id does not change.
      after: hashtagsOf(after, before.hashtagExternalIds),
      nameOf: byName,
      keeps: true,
    }),
    ...compareLists({ kind: 'field', before: before.fields, after: after.fields, renamed: renamed?.field }),
  );
  if (!flow && wanted) changes.push({ action: 'create', kind: 'workflow', key: wanted.title ?? '' });
  if (flow && !wanted) changes.push({ action: 'remove', kind: 'workflow', key: flow.title ?? '' });
  if (flow && wanted) {
    const properties = [
      ...propertiesThatDiffer('workflow', flow as Item, wanted as Item),
      ...orderChange('stateOrder', flow.states, wanted.states),
      ...orderChange('transitionOrder', flow.transitions, wanted.transitions),
    ];
    if (properties.length > 0)
      changes.push({ action: 'change', kind: 'workflow', key: wanted.title ?? '', properties });
  }
  if (wanted)
    changes.push(
      ...compareLists({
        kind: 'screenField',
        before: flow?.screenFields,
        after: wanted.screenFields,
        renamed: renamed?.screenField,
      }),
      ...compareLists({ kind: 'screen', before: flow?.screens, after: wanted.screens, nameOf: byName }),
      ...compareLists({ kind: 'state', before: flow?.states, after: wanted.states, renamed: renamed?.state }),
      ...compareLists({
        kind: 'transition',
        before: flow?.transitions,
        after: wanted.transitions,
        renamed: renamed?.transition,
      }),
    );
  // If omitted, they do not change: files from before their introduction do not mention them.
  if (after.views)
    changes.push(...compareLists({ kind: 'view', before: before.views, after: after.views, nameOf: byName }));
  if (after.relations)
    changes.push(
      ...compareLists({ kind: 'relation', before: before.relations, after: after.relations, nameOf: byName }),
    );
  if (after.templates)
    changes.push(
      ...compareLists({ kind: 'template', before: before.templates, after: after.templates, nameOf: byName }),
    );
  return changes;
}
