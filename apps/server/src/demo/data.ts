/** Reads the data of the demo, in `examples/demo/`. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { CommunityFile, CommunityFileCatalog, PostViewScenario, RelationCardinality } from '@portico/contract';
import { parse } from 'yaml';
import type { UserRecord } from '../modules/people/index.ts';

const FOLDER = new URL('../../../../examples/demo/', import.meta.url);

/** A reference to an object or a time: see `names.ts`. */
type Reference = string;

/** An area or business unit. */
interface UnitData {
  key: string;
  name: string;
  description: string;
  externalId: string;
}

/** A user: the members of the record, with references in place of ids. */
interface PersonData {
  key: string;
  managerId?: Reference;
  lastAccessAt: Reference;
  termsAcceptedAt: Reference;
  /** File with the picture. */
  photo?: string;
  record: UserRecord;
}

interface GroupData {
  key: string;
  name: string;
  description: string;
  email?: string;
  externalId?: string;
  visible?: boolean;
  tags: readonly { name: string; visible?: boolean; deleted?: boolean }[];
  memberIds: readonly Reference[];
}

/** People and groups of the demo. */
export interface PeopleData {
  areas: readonly UnitData[];
  businessUnits: readonly UnitData[];
  people: readonly PersonData[];
  /** The service account. Its record is completed after its creation. */
  account: PersonData;
  groups: readonly GroupData[];
  identityProvider: { key: string; name: string; issuer: string; clientId: string };
  /** Users with a one-time password. */
  passwords: readonly Reference[];
  /** Objects that the end of the story removes. */
  left: { blocked: Reference; deleted: Reference; groups: readonly Reference[] };
}

interface WorkspaceData {
  key: string;
  members: readonly { principal: Reference; roleId: number | null }[];
}

/** Content of a community that its file does not contain. */
export interface CommunityData {
  key: string;
  hashtags: readonly { name: string; externalId?: string; deleted?: boolean }[];
  views: readonly {
    name: string;
    scenarios: readonly (keyof typeof PostViewScenario)[];
    fields: readonly string[];
    description?: boolean;
  }[];
  relations?: readonly {
    name: string;
    itemName: string;
    target: string;
    cardinality: keyof typeof RelationCardinality;
    required?: boolean;
  }[];
  /** States and values by field that were taken out of use. */
  retired?: {
    states?: NonNullable<NonNullable<CommunityFile['workflow']>['states']>;
    values?: Readonly<Record<string, NonNullable<NonNullable<CommunityFile['fields']>[number]['values']>>>;
  };
}

/** Workspaces, catalogs and communities, in the order of their creation. */
export interface PlacesData {
  workspaces: readonly WorkspaceData[];
  /** Entries that were taken out of use, which are in no file. */
  catalogs: readonly { key: string; retired?: NonNullable<CommunityFileCatalog['entries']> }[];
  communities: readonly CommunityData[];
}

const read = <T>(path: string): T => parse(readFileSync(new URL(path, FOLDER), 'utf8')) as T;

export const readPeople = (): PeopleData => read('people.yaml');
export const readPlaces = (): PlacesData => read('places.yaml');

/** @returns the file of a community, as `portico api communities apply` takes it */
export const readCommunity = (key: string): CommunityFile => read(`communities/${key}.yaml`);

/** @returns the bytes of a file in `files/` */
export const readBytes = (name: string): Promise<Buffer> => readFile(new URL(`files/${name}`, FOLDER));

/** A line of the story: a write by a user at a time. */
export interface Step {
  readonly do: string;
  /** Time and user of the write. */
  readonly at: Reference;
  readonly by: Reference;
  /** Names of the created objects. */
  readonly names?: readonly string[];
  readonly [member: string]: unknown;
}

/** @returns the lines of `story.ndjson` */
export function readStory(): Step[] {
  const lines = readFileSync(new URL('story.ndjson', FOLDER), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Step);
}
