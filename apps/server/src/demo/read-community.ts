/** The file of a community of the demo, and its story, as the generators of content read them. */
import { type CommunityFile, type CommunityFileAccess, type CommunityFileField, FieldType } from '@portico/contract';
import { typeOf } from '../modules/fields/index.ts';
import type { StorySpec } from './content.ts';

type Type = NonNullable<CommunityFileField['type']>;
type Rule = NonNullable<NonNullable<CommunityFileField['rules']>[number]['rule']>;

/** A field of posts or screens. */
export interface FieldSpec {
  key: string;
  type: Type;
  required: boolean;
  /** Written by the system alone. */
  readonly: boolean;
  /** Neither in forms nor in the detail. */
  hidden: boolean;
  /** Values that can be chosen, with the keys of values of the field above. */
  values: readonly { key: string; below: readonly string[] }[];
  /** Key of a catalog, as in `workspaces.yaml`. */
  catalog: string | undefined;
  /** Key of the field above, for hierarchical fields. */
  parent: string | undefined;
  /** As in the file; communities and groups by their keys in the demo. */
  metadata: Readonly<Record<string, string>>;
  /** Name of the generator of its values. */
  sample: string;
  rules: readonly (readonly [Rule, string | null])[];
}

/** Holders of a permission: holders of roles, members of groups, the author of the post. */
interface WhoSpec {
  roles: readonly string[];
  /** Keys of groups. */
  groups: readonly string[];
}

export interface TransitionSpec {
  key: string;
  from: string;
  to: string;
  /** Name of the screen. */
  screen: string | undefined;
  who: WhoSpec;
}

export interface CommunitySpec extends StorySpec {
  /** As `portico community apply` takes it. */
  file: CommunityFile;
  /** Key of the workspace. */
  workspace: string;
  color: string;
  draft: boolean;
  isPrivate: boolean;
  watched: boolean;
  liked: boolean;
  acknowledged: boolean;
  /** Keys of groups, by their role. */
  managers: readonly string[];
  contributors: readonly string[];
  readers: readonly string[];
  fields: readonly FieldSpec[];
  workflow:
    | {
        fields: readonly FieldSpec[];
        /** By name. */
        screens: ReadonlyMap<string, readonly { key: string; required: boolean }[]>;
        states: readonly { key: string; initial: boolean; screen: string | undefined; editors: WhoSpec }[];
        transitions: readonly TransitionSpec[];
      }
    | undefined;
}

/** The key of an object in the demo: in files it is part of the external id, as in `COM-projects`. */
const keyOf = (externalId = ''): string => externalId.replace(/^[A-Z]+-/, '');

export function specOf(
  file: CommunityFile,
  story: StorySpec,
  groups: readonly { key: string; name: string }[],
): CommunitySpec {
  const groupKeys = new Map(groups.map(({ key, name }) => [name, key]));
  const groupKey = (name = '') => groupKeys.get(name) ?? name;
  const { community = {}, workflow } = file;
  const inRole = (role: string) =>
    (file.groupRoles ?? []).flatMap((held) => (held.role === role ? [groupKey(held.group)] : []));
  const who = ({ roles = [], groups: names = [] }: CommunityFileAccess = {}): WhoSpec => ({
    roles,
    groups: names.map(groupKey),
  });
  const fieldOf = (field: CommunityFileField): FieldSpec => {
    const { key = '', type, required = false, visibleInDetail = true, catalog, parent } = field;
    const { values = [], rules = [], metadata = {} } = field;
    const { community_id: target, user_picker_from_group: group } = metadata;
    return {
      key,
      type: type!,
      required,
      readonly: field.readonly ?? typeOf({ type: FieldType[type!] }).readonlyByDefault === true,
      hidden: !visibleInDetail,
      values: values.map((value) => ({ key: value.key ?? '', below: value.parents ?? [] })),
      catalog: catalog && keyOf(catalog),
      parent,
      metadata: {
        ...metadata,
        ...(target !== undefined && { community_id: keyOf(target) }),
        ...(group !== undefined && { user_picker_from_group: groupKey(group) }),
      },
      sample: story.samples?.[key] ?? key,
      rules: rules.map(({ rule, parameter = null }) => [rule as Rule, parameter] as const),
    };
  };
  return {
    ...story,
    file,
    workspace: keyOf(file.workspace?.key),
    color: community.color ?? '',
    draft: community.draft ?? false,
    isPrivate: community.defaultPostVisibility === 'PRIVATE',
    watched: community.watchersEnabled !== 'DISABLED',
    liked: community.likeEnabled ?? true,
    acknowledged: community.acknowledgeTaskEnabled ?? false,
    managers: inRole('MANAGER'),
    contributors: inRole('CONTRIBUTOR'),
    readers: inRole('READER'),
    fields: (file.fields ?? []).map(fieldOf),
    workflow: workflow && {
      fields: (workflow.screenFields ?? []).map(fieldOf),
      screens: new Map(
        (workflow.screens ?? []).map(({ name = '', fields = [] }) => [
          name,
          fields.map(({ field = '', required = false }) => ({ key: field, required })),
        ]),
      ),
      states: (workflow.states ?? []).map(({ key = '', initial = false, screen, edit }) => ({
        key,
        initial,
        screen,
        editors: who(edit),
      })),
      transitions: (workflow.transitions ?? []).map(({ key = '', from = '', to = '', screen, run }) => ({
        key,
        from,
        to,
        screen,
        who: who(run),
      })),
    },
  };
}
