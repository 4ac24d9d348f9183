/**
 * The demo's content, read from the files in `content/`: what the generator turns into calls of write verbs. Keys name things
 * across files, codes go by their published names.
 */
import { readFileSync } from 'node:fs';
import type {
  FieldType,
  PartUse,
  PostViewScenario,
  RelationCardinality,
  RoleId,
  ValidationType,
  Visibility,
} from '@portico/contract';
import { parse } from 'yaml';

/** Languages in which the demo's people write. */
type Tongue = 'en' | 'it' | 'de' | 'ja';

/** A text by language. */
export type Texts = Readonly<Partial<Record<Tongue, string>>>;

/** A value of a field that keeps its own list. */
interface EnumSpec {
  key: string;
  label: string;
  /** Keys of values of the parent field. */
  below?: readonly string[];
  deleted?: boolean;
}

/**
 * A field of posts or screens. Metadata values `community:KEY` and `group:KEY` stand for the id of what they name.
 */
export interface FieldSpec {
  key: string;
  type: keyof typeof FieldType;
  label: string;
  description?: string;
  required?: boolean;
  /** Written by the system alone. */
  readonly?: boolean;
  /** Neither in forms nor in the detail. */
  hidden?: boolean;
  searchable?: boolean;
  sortable?: boolean;
  preview?: boolean;
  values?: readonly EnumSpec[];
  /** Key of a catalog. */
  catalog?: string;
  /** Key of the field above, for hierarchical fields. */
  parent?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Name of the generator of its values, where the key is not. */
  sample?: string;
  validations?: readonly (readonly [keyof typeof ValidationType, string | null])[];
}

interface ScreenSpec {
  key: string;
  name: string;
  message?: string;
  fields: readonly { key: string; required?: boolean }[];
}

/** A role in a community. */
type CommunityRole = Exclude<keyof typeof RoleId, 'WORKSPACE_ADMINISTRATOR' | 'GUEST'>;

/** Who may: roles, members of groups, the author of the post. */
export interface WhoSpec {
  roles?: readonly CommunityRole[];
  groups?: readonly string[];
  author?: boolean;
}

interface StateSpec {
  key: string;
  name: string;
  description?: string;
  color: string;
  initial?: boolean;
  terminal?: boolean;
  deleted?: boolean;
  metadata?: Readonly<Record<string, string>>;
  screen?: string;
  editors?: WhoSpec;
}

export interface TransitionSpec {
  key: string;
  name: string;
  from: string;
  to: string;
  screen?: string;
  who: WhoSpec;
  metadata?: Readonly<Record<string, string>>;
}

interface WorkflowSpec {
  title: string;
  fields: readonly FieldSpec[];
  screens: readonly ScreenSpec[];
  states: readonly StateSpec[];
  transitions: readonly TransitionSpec[];
}

interface ViewSpec {
  name: string;
  scenarios: readonly (keyof typeof PostViewScenario)[];
  fields: readonly string[];
  description?: boolean;
}

/** A relation from this community to another. */
interface RelationSpec {
  name: string;
  itemName: string;
  target: string;
  cardinality: keyof typeof RelationCardinality;
  required?: boolean;
}

export interface CommunitySpec {
  key: string;
  workspace: string;
  name: string;
  description: string;
  color: string;
  tongue: Tongue;
  draft?: boolean;
  commentsHiddenFromReaders?: boolean;
  titleEnabled?: keyof typeof PartUse;
  descriptionEnabled?: keyof typeof PartUse;
  watchersEnabled?: keyof typeof PartUse;
  likeEnabled?: boolean;
  eventsEnabled?: boolean;
  acknowledgeTaskEnabled?: boolean;
  initStateChoice?: boolean;
  manualAuthor?: boolean;
  offline?: boolean;
  defaultVisibility?: keyof typeof Visibility;
  /** Bytes. */
  attachmentMaxSize?: number;
  /** How much a member of the workspace may here: READER by default; null is nothing. */
  memberRole?: CommunityRole | null;
  managers: readonly string[];
  contributors: readonly string[];
  readers: readonly string[];
  fields: readonly FieldSpec[];
  workflow?: WorkflowSpec;
  hashtags: readonly { name: string; externalId?: string; deleted?: boolean }[];
  views: readonly ViewSpec[];
  relations?: readonly RelationSpec[];
  /** Number of posts by type. */
  posts: { custom: number; event: number; survey: number };
  texts: TextSpec;
}

/** Texts from which posts of a community are put together: each title is a pattern whose {n} picks from slots. */
export interface TextSpec {
  titles: readonly string[];
  slots: readonly (readonly string[])[];
  sentences: readonly string[];
  eventTitles: readonly string[];
  surveyTitles: readonly string[];
  comments: readonly string[];
  replies: readonly string[];
  tasks: readonly string[];
  steps: readonly string[];
}

/** A part of the company that people belong to. */
interface UnitSpec {
  key: string;
  name: string;
  description: string;
}

/** A person: names, language, keys of area and business unit, job. The order decides who is whose manager. */
export type PersonSpec = readonly [first: string, last: string, Tongue, area: string, unit: string, role: string];

/** A group with its members: areas, languages, or positions in `people`. */
interface GroupSpec {
  key: string;
  name: string;
  description: string;
  email?: string;
  externalId?: string;
  /** False: a system group that cannot be mentioned. */
  visible?: boolean;
  tags?: readonly string[];
  deleted?: boolean;
  members: { areas?: readonly string[]; tongues?: readonly Tongue[]; people?: readonly number[]; everyone?: boolean };
}

interface WorkspaceSpec {
  key: string;
  name: string;
  translations: Texts;
  description: Texts;
  color: readonly [number, number, number];
  /** Positions in `people` and keys of groups. */
  administrators: { people: readonly number[]; groups: readonly string[] };
  members: { people: readonly number[]; groups: readonly string[] };
}

interface EntrySpec {
  key: string;
  label: Texts;
  /** Keys of entries of the parent catalog. */
  below?: readonly string[];
  deleted?: boolean;
}

interface CatalogSpec {
  key: string;
  name: Texts;
  parent?: string;
  entries: readonly EntrySpec[];
}

const read = <T>(name: string): T => parse(readFileSync(new URL(`content/${name}.yaml`, import.meta.url), 'utf8')) as T;

export const { areas, businessUnits, people, places, biographies, groups } = read<{
  areas: readonly UnitSpec[];
  businessUnits: readonly UnitSpec[];
  people: readonly PersonSpec[];
  places: Readonly<Record<Tongue, { place: string; timezone: string }>>;
  biographies: Readonly<Record<Tongue, readonly string[]>>;
  groups: readonly GroupSpec[];
}>('people');

export const { workspaces, catalogs } = read<{
  workspaces: readonly WorkspaceSpec[];
  catalogs: readonly CatalogSpec[];
}>('workspaces');

/** In the order in which they are made. */
export const communities = [
  'servicedesk',
  'purchasing',
  'facilities',
  'bacheca',
  'onboarding',
  'training',
  'projects',
  'ideas',
].map((key) => read<CommunitySpec>(key));

/** Positions in {@link people} of those with a part of their own. */
export const cast = {
  administrator: 0,
  /** May not sign in any more. */
  blocked: 47,
  /** Has left; content keeps the name. */
  deleted: 59,
  privateProfiles: [9, 29, 52],
  photographed: [0, 1, 4, 16, 28],
  /** Write no posts; the only ones who have a licence, so that clients that cannot read licences read every author. */
  licensed: [25, 38],
  /** Beside the administrator, who get a password: the head of a department, and somebody without a part of their own. */
  withPassword: [3, 13],
  /** Whoever leads the others. */
  managers: [1, 2, 3, 4, 5, 6, 7, 8],
} as const;
