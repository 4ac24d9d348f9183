/**
 * Names in the file of a community for the numeric codes of the interface, and defaults of omitted
 * properties.
 */
import {
  type CommunityFileAccess,
  type CommunityFileField,
  type CommunityFileRule,
  type CommunityFileSettings,
  FieldType,
} from '@portico/contract';
import { typeOf } from '../../fields/index.ts';

/** Returns the name of a code in its table, such as `ENUM_LIST`. */
export function nameOf<T extends Readonly<Record<string, number>>>(codes: T, code: number): string & keyof T {
  const entry = Object.entries(codes).find(([, value]) => value === code);
  if (!entry) throw new Error(`no name for code ${code}`);
  return entry[0] as string & keyof T;
}

/** Names of built-in roles in a file. */
export const roleWords = ['MANAGER', 'CONTRIBUTOR', 'READER', 'GUEST'] as const;

/** Defaults of the switches of a community, which a file omits. */
export const settingDefaults = {
  draft: false,
  workspaceMemberRole: 'READER',
  titleEnabled: 'OPTIONAL',
  descriptionEnabled: 'OPTIONAL',
  watchersEnabled: 'OPTIONAL',
  watchersVisibleInPreview: true,
  manualAuthorEnabled: false,
  hashTagEnabled: true,
  attachmentEnabled: true,
  likeEnabled: true,
  offlineEnabled: false,
  customFieldsEnabled: true,
  acknowledgeTaskEnabled: false,
  eventsEnabled: true,
  initStateChoiceEnabled: false,
  commentsHiddenFromReaders: false,
  defaultPostVisibility: 'PUBLIC',
  versionRetentionDays: 365,
} as const satisfies Partial<CommunityFileSettings>;

/** Returns defaults of the properties of a field, which a file omits. */
export function fieldDefaults({ type, ...field }: Pick<CommunityFileField, 'type' | 'readonly'>) {
  const byDefault = type !== undefined && typeOf({ type: FieldType[type] }).readonlyByDefault === true;
  const readonly = field.readonly ?? byDefault;
  return {
    required: false,
    readonly: byDefault,
    searchable: true,
    sortable: false,
    visibleInPreview: true,
    visibleInDetail: true,
    visibleInCreate: !readonly,
    visibleInEdit: !readonly,
  };
}

/** Returns the rules of a field without the rule that its conditions imply. */
export function withoutImplied(
  rules: readonly CommunityFileRule[],
  conditions: readonly unknown[] = [],
): CommunityFileRule[] {
  return rules.filter(({ rule }) => conditions.length === 0 || rule !== 'CONDITIONAL');
}

/** Default access to a transition. */
export const defaultRun: CommunityFileAccess = { roles: ['CONTRIBUTOR'] };

/** Returns an object without members that are undefined, empty or equal to their default. */
export function withoutDefaults<T extends object>(object: T, defaults: Partial<Record<keyof T, unknown>> = {}): T {
  const kept = Object.entries(object).filter(([name, value]) => {
    if (value === undefined || value === null || value === '' || value === false) {
      return value === false && defaults[name as keyof T] === true;
    }
    if (typeof value === 'object' && Object.keys(value).length === 0) return false;
    return value !== defaults[name as keyof T];
  });
  return Object.fromEntries(kept) as T;
}

interface Named {
  readonly id: number;
  readonly externalId: string | null;
  readonly name: string;
}

/**
 * Returns the key of each object: its external id, else its name, with a number if an earlier
 * object has the same name.
 * @returns keys by id
 */
export function keysOf(objects: readonly Named[]): Map<number, string> {
  const taken = new Set(objects.flatMap(({ externalId }) => externalId ?? []));
  /** First number that may be free, by name: a list may hold ten thousand equal names. */
  const numbers = new Map<string, number>();
  return new Map(
    objects.map(({ id, externalId, name }) => {
      if (externalId !== null) return [id, externalId];
      let key = name;
      let n = numbers.get(name) ?? 1;
      if (n > 1) key = `${name} ${n}`;
      while (taken.has(key)) key = `${name} ${++n}`;
      numbers.set(name, n);
      taken.add(key);
      return [id, key];
    }),
  );
}

/** Ids by key. */
export const idsByKey = (keys: ReadonlyMap<number, string>) => new Map([...keys].map(([id, key]) => [key, id]));
