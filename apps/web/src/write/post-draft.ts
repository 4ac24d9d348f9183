import type { GetPostDefinitionResponse } from '@portico/sdk';
import { portal } from '../portal.ts';
import { type EventDraft, eventDraftOf } from './event-fields.tsx';
import { type InputValues, inputOf } from './input-values.ts';
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

/**
 * Reads a post as the draft of another one, with its title, text and fields. Files are not copied:
 * a copy of a report has another annex.
 * @throws whatever the client library throws
 */
export async function draftOfCopy(postId: number, { fieldDefinitions = [] }: GetPostDefinitionResponse) {
  const [{ contentData }, { event }] = await Promise.all([
    portal.posts.copyDefaults({ postId, loadAttachments: false }),
    portal.posts.get({ postId }),
  ]);
  const { title = '', descriptionDelta = '', customData = {}, visibility } = contentData;
  const filled = fieldDefinitions.filter(({ id }) => customData[String(id)] !== undefined);
  return {
    ...emptyDraft(),
    title,
    text: descriptionDelta,
    values: Object.fromEntries(filled.map((field) => [String(field.id), inputOf(field, customData[String(field.id)])])),
    shown: filled.map(({ id }) => id!),
    ...(visibility !== undefined && { visibility }),
    ...(event && { event: eventDraftOf(event) }),
  } satisfies PostDraft;
}
