/** The smaller parts of a post: visibility, announcement, pin, initial state, cover, link preview. */
import { type LinkPreview, Visibility } from '@portico/contract';
import { safeLink, safeMedia } from '@portico/platform/richtext';
import { storableText } from '@portico/platform/text';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type FieldErrors, forbidden } from '../../../kernel/errors.ts';
import type { CommunityDefinition, WorkflowState } from '../../communities/index.ts';
import { claimUploads, lockUsableUploads } from '../../files/index.ts';
import type { CommunityCapabilities } from '../../post-parts/index.ts';

const MAX_PREVIEW_TITLE = 1_000;

/** The caller's rights to set these parts on posts of the community. */
type PostRights = Pick<CommunityCapabilities, 'editPostVisibility' | 'setPostAnnouncementFlag' | 'pinPost'>;

/** Rights of writers that are not people at a form: imports and generators. */
export const ALL_RIGHTS: PostRights = { editPostVisibility: true, setPostAnnouncementFlag: true, pinPost: true };

/**
 * Reads the visibility of the post. Omitted: unchanged, or for a new post the default of the
 * community.
 * @throws PorticoError FORBIDDEN when the caller may not choose
 */
export function readVisibility(
  rights: PostRights,
  { community }: CommunityDefinition,
  value: Visibility | undefined,
  before: Visibility | null,
  errors: FieldErrors,
): Visibility {
  const present = before ?? community.defaultVisibility;
  if (value === undefined || value === present) return present;
  const allowed = Object.values(Visibility);
  if (!allowed.includes(value)) {
    errors.add('visibility', 'INVALID_VALUE', undefined, [...allowed]);
    return present;
  }
  if (!rights.editPostVisibility) {
    throw forbidden('Missing capability: editPostVisibility.');
  }
  return value;
}

/**
 * @throws PorticoError FORBIDDEN when the post is to be an announcement and the caller lacks that
 *   right
 */
export function checkAnnouncement(rights: PostRights, value: boolean): void {
  if (value && !rights.setPostAnnouncementFlag) {
    throw forbidden('Missing permission: announcePosts.');
  }
}

/**
 * Reads whether the post is pinned. Omitted: unchanged.
 * @throws PorticoError FORBIDDEN when the pin would change and the caller may not pin
 */
export function readPin(rights: PostRights, value: boolean | undefined, before: boolean): boolean {
  if (value === undefined || value === before) return before;
  if (!rights.pinPost) {
    throw forbidden('Missing permission: pinPosts.');
  }
  return value;
}

/** Returns the states in which a post may begin, the default one first. */
export function initialStates(definition: CommunityDefinition): WorkflowState[] {
  const states = definition.workflow?.states.filter((state) => !state.deleted) ?? [];
  const initial = states.filter((state) => state.initial);
  return initial.length > 0 ? initial : states.slice(0, 1);
}

/**
 * Reads the state in which a post will begin. A choice counts only if the community allows it.
 * @returns null when posts of the community have no workflow
 */
export function readInitialState(
  definition: CommunityDefinition,
  value: number | undefined,
  before: number | null,
  errors: FieldErrors,
): number | null {
  const allowed = initialStates(definition).map((state) => state.id);
  const present = before !== null && allowed.includes(before) ? before : (allowed[0] ?? null);
  if (value === undefined || !definition.community.initStateChoiceEnabled) return present;
  if (!allowed.includes(value)) {
    errors.add('workflowInitStateId', 'INVALID_VALUE', undefined, allowed);
    return present;
  }
  return value;
}

/** Reads the picture on top of an event: an upload of the caller's own, or the present one. */
export async function readCover(
  write: WriteScope,
  value: string | undefined,
  before: string | null,
  errors: FieldErrors,
): Promise<string | null> {
  if (!value) return null;
  if (value === before) return before;
  const file = (await lockUsableUploads(write, [value])).get(value);
  if (!file) errors.add('coverImageContentRef', 'CONTENT_REF_INVALID');
  else if (!file.mimeType?.startsWith('image/')) {
    errors.add('coverImageContentRef', 'INVALID_VALUE', 'The cover must be a picture.');
  }
  return value;
}

/**
 * Marks the cover as used. @throws ValidationError QUOTA_EXCEEDED when it does not fit into the
 * quota
 */
export function claimCover(write: WriteScope, contentRef: string): Promise<void> {
  return claimUploads(write, [{ contentRef, field: 'coverImageContentRef' }]);
}

/** Reads the preview of a web page. Omitted: no preview. */
export function readLinkPreview(value: LinkPreview | undefined, errors: FieldErrors): LinkPreview | null {
  if (!value || Object.values(value).every((part) => part === undefined)) return null;
  const preview: LinkPreview = {};
  if (value.title !== undefined) preview.title = storableText(value.title).slice(0, MAX_PREVIEW_TITLE).toWellFormed();
  if (value.hidden !== undefined) preview.hidden = value.hidden;
  const address = (part: 'url' | 'image', safe: string | null) => {
    if (safe === null || !/^https?:/i.test(safe)) {
      errors.add(`linkPreview.${part}`, 'INVALID_VALUE', 'Send an http or https address.');
    } else preview[part] = safe;
  };
  if (value.url) address('url', safeLink(value.url));
  else errors.add('linkPreview.url', 'REQUIRED_FIELD');
  if (value.image) address('image', safeMedia(value.image));
  return preview;
}
