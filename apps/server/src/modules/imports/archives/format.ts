/** Entries and lines of the archive of a community (docs/adr/0030-archives-of-communities.md). */
import type { JsonValue } from '@portico/contract';

/** Version of the layout. */
export const ARCHIVE_FORMAT = 1;

/** Names of the entries beside the files. */
export const ENTRIES = {
  head: 'archive.json',
  definition: 'community.json',
  posts: 'posts.ndjson',
  people: 'people.ndjson',
} as const;

/** Returns the name of the entry of a file. */
export const fileEntry = (number: number) => `files/${number}`;
/** Names of the entries of files. */
export const FILE_ENTRY = /^files\/([1-9]\d{0,6})$/;

/** First entry: what the archive is. */
export interface ArchiveHead {
  readonly kind: 'community';
  readonly format: number;
  /** Name of the portal, and the time of the export in epoch milliseconds. */
  readonly portal: string;
  readonly madeAt: number;
}

/** A person whom posts name. */
export interface ArchivedPerson {
  /** Key in this archive: `p1`, in the order in which posts name people. */
  readonly key: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email?: string;
  readonly userName?: string;
}

/** A file of a post or of a comment. */
export interface ArchivedFile {
  /** Number of the entry with its bytes. */
  readonly file: number;
  readonly name: string;
}

/** A comment; an answer follows the comment that it answers. */
export interface ArchivedComment {
  readonly by: string;
  readonly at: number;
  /** Operations of a delta. */
  readonly text: readonly JsonValue[];
  /** Place of the answered comment in the list, from 1. */
  readonly answers?: number;
  readonly files?: readonly ArchivedFile[];
}

/** Kinds of events in an archive. Comments, files and the creation of the post say theirs themselves. */
export const EVENT_KINDS = ['modified', 'transition', 'screen'] as const;

/** A change of a post in its history. */
export interface ArchivedEvent {
  readonly kind: (typeof EVENT_KINDS)[number];
  readonly by: string;
  readonly at: number;
  /** Key of the transition. */
  readonly transition?: string;
  readonly titleBefore?: string;
  readonly titleAfter?: string;
  readonly notes?: string;
  /** Changed parts of the post: `title`, `description`, `customData` … */
  readonly parts?: readonly string[];
}

/** Time and place of an event post. */
export interface ArchivedMeeting {
  /** Days such as 2026-11-30 if it lasts all day, else moments. */
  readonly start: string;
  readonly end?: string;
  readonly timezone?: string;
  readonly allDay?: boolean;
  readonly location?: string;
}

/** A post. Times are epoch milliseconds. */
export interface ArchivedPost {
  readonly number: number;
  readonly by: string;
  readonly at: number;
  readonly modifiedBy: string;
  readonly modifiedAt: number;
  readonly title?: string;
  /** Operations of a delta; mentions name people by their keys. */
  readonly text?: readonly JsonValue[];
  readonly visibility: 'public' | 'private';
  readonly announcement?: boolean;
  readonly pinned?: boolean;
  /** Key of the state. */
  readonly state?: string;
  /**
   * Values by key of the field: of lists the keys of the values, people by key, groups by name,
   * posts by number, rich text as operations of a delta.
   */
  readonly values?: Readonly<Record<string, JsonValue>>;
  /** The same of the fields of screens. */
  readonly screenValues?: Readonly<Record<string, JsonValue>>;
  readonly event?: ArchivedMeeting;
  readonly files?: readonly ArchivedFile[];
  readonly comments?: readonly ArchivedComment[];
  readonly history?: readonly ArchivedEvent[];
}

/** A further line of the post of the line before: more of its comments and events. */
export type ArchivedMore = Pick<ArchivedPost, 'number' | 'comments' | 'history'>;
