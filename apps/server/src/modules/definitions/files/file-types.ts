/**
 * The present community in the form of its file, with the ids of the keys: files are compared with
 * it and written to it.
 */
import type { CommunityFile } from '@portico/contract';
import type { CommunityHead, FieldDefinition, WorkflowDefinition } from '../../communities/index.ts';
import type { TemplateRow } from '../../posts/index.ts';

/** Texts by language code. */
export type LanguageMap = Readonly<Record<string, string>>;

/** An entry of a catalog, or a role of the tenant: its id and the token of its form. */
export interface PresentObject {
  readonly id: number;
  readonly version: number;
  readonly externalId: string | null;
}

/** Ids of present objects by the keys of the file. */
interface PresentIds {
  readonly workspace: number | undefined;
  readonly catalogs: ReadonlyMap<string, number>;
  /** By key of the catalog, then of the entry. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, PresentObject>>;
  /** Keys of the catalogs whose entries have places. */
  readonly placedCatalogs: ReadonlySet<string>;
  readonly groups: ReadonlyMap<string, number>;
  /** Communities that fields and relations name. */
  readonly communities: ReadonlyMap<string, number>;
  readonly roles: ReadonlyMap<string, PresentObject>;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly screenFields: ReadonlyMap<string, FieldDefinition>;
  readonly states: ReadonlyMap<string, number>;
  readonly transitions: ReadonlyMap<string, number>;
  /** By name. */
  readonly views: ReadonlyMap<string, number>;
  readonly relations: ReadonlyMap<string, number>;
  readonly templates: ReadonlyMap<string, TemplateRow>;
}

/** New keys of objects by their former keys; values by the key of the field, then their own. */
export interface RenamedKeys {
  readonly field: Map<string, string>;
  readonly screenField: Map<string, string>;
  readonly state: Map<string, string>;
  readonly transition: Map<string, string>;
  readonly values: Readonly<Record<'field' | 'screenField', Map<string, ReadonlyMap<string, string>>>>;
}

/** Present state of the objects in a file. */
export interface Present {
  /** If the community does not exist: its workspace and catalogs, as far as they exist. */
  readonly file: Partial<CommunityFile>;
  readonly community: CommunityHead | undefined;
  readonly workflow: WorkflowDefinition | null;
  readonly ids: PresentIds;
  /** Keys that the file renames; the other members have the new keys. */
  readonly renamed?: RenamedKeys;
}
