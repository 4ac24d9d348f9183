/**
 * The demo's content, read from the files in `content/`, from which the generator calls write
 * verbs. Keys name objects across files, codes go by their published names.
 */
import { readFileSync } from 'node:fs';
import type { CommunityFile, PostViewScenario, RelationCardinality } from '@portico/contract';
import { parse } from 'yaml';
import { specOf } from './read-community.ts';

/** Languages in which the demo's people write. */
type Tongue = 'en' | 'it' | 'de' | 'ja';

/** A text by language. */
type Texts = Readonly<Partial<Record<Tongue, string>>>;

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

/** Demo content of a community beside its definition. */
export interface StorySpec {
  key: string;
  tongue: Tongue;
  hashtags: readonly { name: string; externalId?: string; deleted?: boolean }[];
  views: readonly ViewSpec[];
  relations?: readonly RelationSpec[];
  /** Number of posts by type. */
  posts: { custom: number; event: number; survey: number };
  /** Generators of values by field, where they have not the name of the field. */
  samples?: Readonly<Record<string, string>>;
  /** Retired states, and retired values by field. */
  retired?: {
    states?: NonNullable<NonNullable<CommunityFile['workflow']>['states']>;
    values?: Readonly<Record<string, NonNullable<NonNullable<CommunityFile['fields']>[number]['values']>>>;
  };
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

/**
 * A person: names, language, keys of area and business unit, job. The order decides the managers.
 */
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
  color: readonly [number, number, number];
  /** Positions in `people` and keys of groups. */
  administrators: { people: readonly number[]; groups: readonly string[] };
  members: { people: readonly number[]; groups: readonly string[] };
}

interface CatalogSpec {
  key: string;
  /** Entries that were taken out of use. */
  retired?: readonly { key: string; label: Texts }[];
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

/** Communities in the order in which they are made: their files, as `portico community apply` takes them, and their stories. */
export const communities = [
  'servicedesk',
  'purchasing',
  'facilities',
  'bacheca',
  'onboarding',
  'training',
  'projects',
  'ideas',
].map((key) => specOf(read<CommunityFile>(`communities/${key}`), read<StorySpec>(key), groups));

/** Positions in {@link people} of the people with a part of their own. */
export const cast = {
  administrator: 0,
  /** May not sign in any more. */
  blocked: 47,
  /** Has left; content keeps the name. */
  deleted: 59,
  privateProfiles: [9, 29, 52],
  photographed: [0, 1, 4, 16, 28],
  /**
   * The only ones who have a licence. They write no posts, watch nothing, report to nobody and are in no field: the older line of
   * clients cannot read a licence.
   */
  licensed: [25, 38],
  /** Beside the administrator, who get a password: the head of a department, and somebody without a part of their own. */
  withPassword: [3, 13],
  /** Managers of the other people. */
  managers: [1, 2, 3, 4, 5, 6, 7, 8],
} as const;
