/** Query parameters that several operations share. */
import { mostFieldNames, postDetailFields, postListFields } from '../post-fields.ts';
import type { QueryParam } from './types.ts';

type Params = Readonly<Record<string, QueryParam>>;
const params = <const T extends Params>(table: T): T => table;

const flag = <const D extends string>(description: D) => ({ type: 'boolean', default: false, description }) as const;

/** Signed links of the main attachment of each post; any of them implies `loadMainAttachment`. */
export const mainAttachmentFlags = params({
  loadMainAttachment: flag('Adds the main attachment: the first image, else the first file of the post.'),
  loadMainAttachmentViewLink: flag('Adds a short-lived link that shows the main attachment in a page.'),
  loadMainAttachmentDownloadLink: flag('Adds a short-lived link that downloads the main attachment.'),
  loadMainAttachmentPreviewImageLink: flag('Adds a link to a small still picture of the main attachment.'),
  loadMainAttachmentPreviewImageAnimatedLink: flag('Adds a link to a small moving picture of the main attachment.'),
  loadMainAttachmentPreviewImageHiResLink: flag('Adds a link to a large still picture of the main attachment.'),
  loadMainAttachmentPreviewImageHiResAnimatedLink: flag(
    'Adds a link to a large moving picture of the main attachment.',
  ),
});

/** Signed links of attachments. View and download links are always included. */
export const attachmentLinkFlags = params({
  loadViewLink: flag('Accepted for compatibility: the link that shows the file always comes.'),
  loadDownloadLink: flag('Accepted for compatibility: the link that downloads the file always comes.'),
  loadPreviewImageLink: flag('Adds a link to a small still picture of the file.'),
  loadPreviewImageAnimatedLink: flag('Adds a link to a small moving picture of the file.'),
  loadPreviewImageHiResLink: flag('Adds a link to a large still picture of the file.'),
  loadPreviewImageHiResAnimatedLink: flag('Adds a link to a large moving picture of the file.'),
});

const fieldsOf = <const N extends readonly string[]>(names: N, more: string) =>
  ({
    type: 'string',
    list: true,
    extension: true,
    description:
      `Names of the members to return, separated by commas, at most ${mostFieldNames}; \`id\` is ` +
      'always returned. Other members are neither loaded nor sent, and the other parameters ' +
      `add none. \`customData.12\` is the custom field 12 alone${more}. Names: ` +
      `${names.map((name) => `\`${name}\``).join(', ')}. Default: all members.`,
  }) as const;

/** Optional content of a post detail. */
export const postDetailQuery = params({
  ...mainAttachmentFlags,
  fields: fieldsOf(postDetailFields, ', `currentWorkflowScreenData.12` the screen field 12'),
});

/** Optional content of the elements of a list of posts. */
export const postListFlags = params({
  loadPostDetails: {
    type: 'boolean',
    default: true,
    description: 'When false, each post carries only its id, community, number, title and timestamps.',
  },
  ...mainAttachmentFlags,
  loadCapabilities: flag('Adds the capabilities of the caller on each post.'),
  fields: fieldsOf(postListFields, ''),
});

/**
 * Paging inputs in the query, for lists that accept them there or in the body; the body takes
 * precedence.
 */
export const queryPaging = params({
  pageToken: {
    type: 'string',
    description: 'Same as `pageToken` of the body, which wins when both are sent.',
    extension: true,
  },
  pageSize: {
    type: 'integer',
    default: 20,
    description: 'Same as `pageSize` of the body, which wins when both are sent.',
    extension: true,
  },
  calculateTotalItemsCount: {
    type: 'boolean',
    default: false,
    description: 'Same as `calculateTotalItemsCount` of the body, which wins when both are sent.',
    extension: true,
  },
});

/** Taken by every write. */
export const dryRunQuery = params({
  dryRun: {
    type: 'boolean',
    default: false,
    description:
      'When true, the write runs in full and is then rolled back: returns the response of the ' +
      'real write, with `dryRun` added, which lists the changes.',
    extension: true,
  },
});

/** Media type of the answer to a dry run of a write without an answer body. */
export const dryRunMediaType = 'application/vnd.portico.dry-run+json';

/** Name of the header that makes a repeated write harmless; accepted by every write. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Query of a patch of a post. */
export const loadPostQuery = params({
  loadPost: flag('Adds the post as the write leaves it. Without it the answer has the new token alone.'),
});

export const loadAttachmentsQuery = params({
  loadAttachments: {
    type: 'boolean',
    default: true,
    description: 'When false, the form omits the attachments of the post.',
  },
});
