/**
 * Objects to which metadata of fields, and relations, refer: by id in definitions, by key in files.
 */
import type { CommunityFile, CommunityFileField } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { FieldErrors } from '../../../kernel/errors.ts';
import { findCommunities, loadCommunityKeys } from './community-files.repository.ts';

type Kind = 'community' | 'group';
type Metadata = Readonly<Record<string, string>>;

/** Kinds of objects to which the keys of the metadata refer. */
const KINDS: readonly (readonly [string, Kind])[] = [
  ['community_id', 'community'],
  ['user_picker_from_group', 'group'],
];

/**
 * Returns whether a text is an id: in a file written by hand, or for an object that is deleted or
 * not visible.
 */
const isId = (text: string) => /^\d{1,15}$/.test(text);

/** Returns the ids to which fields refer. */
export function referencesOf(fields: readonly { readonly metadata: Metadata }[], kind: Kind): number[] {
  return fields.flatMap(({ metadata }) =>
    KINDS.flatMap(([key, named]) => (named === kind && isId(metadata[key] ?? '') ? [Number(metadata[key])] : [])),
  );
}

const fieldsIn = ({ fields = [], workflow }: CommunityFile): (readonly [string, CommunityFileField])[] => [
  ...fields.map((field, index) => [`file.fields[${index}]`, field] as const),
  ...(workflow?.screenFields ?? []).map((field, index) => [`file.workflow.screenFields[${index}]`, field] as const),
];

/** Returns the names of objects of a kind in the metadata of the fields of a file. */
export function namesOf(file: CommunityFile, kind: Kind): string[] {
  return fieldsIn(file).flatMap(([, { metadata }]) =>
    KINDS.flatMap(([key, named]) => {
      const text = named === kind ? (metadata?.[key] ?? '') : '';
      return text.trim() === '' || isId(text) ? [] : [text];
    }),
  );
}

/**
 * Returns the keys of the communities to which fields and relations refer, and the ids of the
 * communities in a file.
 * @param sees decides visibility; invisible communities are treated as nonexistent
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

/** Returns the metadata of a field in the form of a file. */
export function describeReferences(
  metadata: Metadata,
  keys: { groups: ReadonlyMap<number, string>; communities: ReadonlyMap<number, string> },
): Record<string, string> {
  const described = { ...metadata };
  for (const [key, kind] of KINDS) {
    const known = kind === 'group' ? keys.groups : keys.communities;
    const name = known.get(Number(metadata[key]));
    // A name of digits would be read as an id.
    if (name !== undefined && !isId(name)) described[key] = name;
  }
  return described;
}

/** Returns the metadata of a field of a file in the form of the interface. */
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

/** @throws ValidationError for communities that do not exist or that the caller does not see */
export function refuseUnknown(file: CommunityFile, communities: ReadonlyMap<string, number>): void {
  const errors = new FieldErrors();
  const unknown = (field: string) =>
    errors.add(field, 'UNKNOWN_REFERENCE', 'There is no such community; apply its file first.');
  for (const [path, { metadata = {} }] of fieldsIn(file))
    for (const [key, kind] of KINDS) {
      const text = metadata[key] ?? '';
      if (kind !== 'community' || text.trim() === '' || isId(text) || communities.has(text)) continue;
      unknown(`${path}.metadata.${key}`);
    }
  for (const [index, { to = '' }] of (file.relations ?? []).entries())
    if (!communities.has(to)) unknown(`file.relations[${index}].to`);
  errors.throwIfAny();
}
