/** Objects that metadata of fields, and relations, name: by id in definitions, by key in files. */
import type { CommunityFile, CommunityFileField } from '@portico/contract';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { findCommunities, loadCommunityKeys } from './community-files.repository.ts';

type Kind = 'community' | 'group';
type Metadata = Readonly<Record<string, string>>;

/** What a key of the metadata names. */
const KINDS: readonly (readonly [string, Kind])[] = [
  ['community_id', 'community'],
  ['user_picker_from_group', 'group'],
];

/** An id, as files have it that were written by hand, or where the object is not seen or gone. */
const isId = (text: string) => /^\d{1,15}$/.test(text);

/** Ids that fields name. */
export function referencesOf(fields: readonly { readonly metadata: Metadata }[], kind: Kind): number[] {
  return fields.flatMap(({ metadata }) =>
    KINDS.flatMap(([key, named]) => (named === kind && isId(metadata[key] ?? '') ? [Number(metadata[key])] : [])),
  );
}

const fieldsIn = ({ fields = [], workflow }: CommunityFile): (readonly [string, CommunityFileField])[] => [
  ...fields.map((field, index) => [`file.fields[${index}]`, field] as const),
  ...(workflow?.screenFields ?? []).map((field, index) => [`file.workflow.screenFields[${index}]`, field] as const),
];

/** Names by which a file calls objects of a kind in metadata of fields. */
export function namesOf(file: CommunityFile, kind: Kind): string[] {
  return fieldsIn(file).flatMap(([, { metadata }]) =>
    KINDS.flatMap(([key, named]) => {
      const text = named === kind ? (metadata?.[key] ?? '') : '';
      return text.trim() === '' || isId(text) ? [] : [text];
    }),
  );
}

/**
 * Keys of the communities that fields and relations name, and ids of those that a file names.
 * @param sees communities that the caller does not see are as if they were not there
 */
export async function communityKeys(
  db: TenantExecutor,
  ids: readonly number[],
  file: CommunityFile | undefined,
  sees: (communityId: number) => boolean,
) {
  const keys = await loadCommunityKeys(db, ids.filter(sees));
  const related = file?.relations?.flatMap(({ to }) => to ?? []) ?? [];
  const found = await findCommunities(db, file ? [...namesOf(file, 'community'), ...related] : []);
  return { keys, ids: new Map([...found].filter(([, id]) => sees(id))) };
}

/** Metadata of a field as a file has them. */
export function describeReferences(
  metadata: Metadata,
  keys: { groups: ReadonlyMap<number, string>; communities: ReadonlyMap<number, string> },
): Record<string, string> {
  const described = { ...metadata };
  for (const [key, kind] of KINDS) {
    const known = kind === 'group' ? keys.groups : keys.communities;
    const name = known.get(Number(metadata[key]));
    // A name that reads as an id would be taken for one.
    if (name !== undefined && !isId(name)) described[key] = name;
  }
  return described;
}

/** Metadata of a field of a file as its form has them. */
export function resolveReferences(
  metadata: Metadata,
  ids: { groups: ReadonlyMap<string, number>; communities: ReadonlyMap<string, number> },
): Record<string, string> {
  const resolved = { ...metadata };
  for (const [key, kind] of KINDS) {
    const id = (kind === 'group' ? ids.groups : ids.communities).get(metadata[key] ?? '');
    if (id !== undefined && !isId(metadata[key] ?? '')) resolved[key] = String(id);
  }
  return resolved;
}

/** @throws ValidationError for communities that there are not, or that the caller does not see */
export function refuseUnknown(file: CommunityFile, communities: ReadonlyMap<string, number>): void {
  const unknown = (field: string): FieldError => ({
    field,
    code: 'UNKNOWN_REFERENCE',
    defaultMessage: 'There is no such community; apply its file first.',
  });
  const errors = fieldsIn(file).flatMap(([path, { metadata = {} }]) =>
    KINDS.flatMap(([key, kind]) => {
      const text = metadata[key] ?? '';
      if (kind !== 'community' || text.trim() === '' || isId(text) || communities.has(text)) return [];
      return unknown(`${path}.metadata.${key}`);
    }),
  );
  for (const [index, { to = '' }] of (file.relations ?? []).entries())
    if (!communities.has(to)) errors.push(unknown(`file.relations[${index}].to`));
  if (errors.length > 0) throw new ValidationError(errors);
}
