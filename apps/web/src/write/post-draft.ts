import type { EventDraft } from './event-fields.tsx';
import type { InputValues } from './input-values.ts';
import type { UploadedFile } from './uploads.ts';

/** A new post while it is written. */
export interface PostDraft {
  /** Sent as `clientUid`, by which a repeated attempt finds the post that was created. */
  readonly uid: string;
  readonly title: string;
  readonly text: string;
  readonly values: InputValues;
  /** Optional fields that were asked for. */
  readonly shown: readonly number[];
  readonly files: readonly UploadedFile[];
  readonly visibility?: 1 | 2;
  readonly announcement: boolean;
  readonly event?: EventDraft;
}

/** A random key; `crypto.randomUUID` is missing where the address is not a secure one. */
export const newUid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const emptyDraft = (): PostDraft => ({
  uid: newUid(),
  title: '',
  text: '',
  values: {},
  shown: [],
  files: [],
  announcement: false,
});
