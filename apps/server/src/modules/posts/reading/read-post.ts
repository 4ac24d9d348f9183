/** Reads one post: the detail by id and by client uid, and the detail in responses of writes. */
import {
  AttachmentEntityType,
  type GetPostDetailResponse,
  type PostAttachmentData,
  type PostDetail,
  postDetailFields,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { seesComments, type WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { type CommunityDefinition, presentHashtag } from '../../communities/index.ts';
import {
  attachmentColumnsSql,
  attachmentHashtagsSql,
  CONTENT_LINKS,
  presentAttachment,
  type TaggedAttachmentRow,
} from '../../files/index.ts';
import { definitionOf } from '../../post-parts/index.ts';
import {
  ALL_FIELDS,
  type AskedFields,
  checkAskedFields,
  namesOf,
  narrowed,
  partsOf,
  readAskedFields,
} from './asked-fields.ts';
import { askedMainLinks, type LoadFlags, mainLinksOf, wantListRow } from './hydrate-posts.ts';
import { presentDetail, presentWritten } from './post.presenter.ts';
import type { PostName } from './post-name.ts';
import { ALL_PARTS, loadDetailRow, type PostDetailRow } from './post-rows.repository.ts';
import { loadReferences, Wanted } from './references.ts';

const a = sqlColumns('attachments', 'a');
const f = sqlColumns('file_contents', 'f');

/** A post that was read, for counting the view. */
interface ReadPost {
  readonly postId: number;
  readonly answer: GetPostDetailResponse;
}

/**
 * Returns a post in full, the caller's own drafts included. Statements: at most 5 (row, people,
 * groups, catalog entries, referred posts), beside the definition.
 * @throws PorticoError NOT_FOUND when unknown or not visible, alike; ValidationError for unknown
 *   `fields`
 */
export async function loadPostDetail(
  scope: Scope,
  name: PostName,
  flags: LoadFlags & { readonly fields?: string | readonly string[] },
): Promise<ReadPost> {
  const asked = readAskedFields(flags.fields, postDetailFields);
  const mainLinks = asked.names === undefined ? mainLinksOf(flags) : askedMainLinks(asked, flags);
  const row = await loadDetailRow(scope.db, scope.actor, name, partsOf(asked, mainLinks !== undefined));
  if (!row) throw notFound();
  const whole = await definitionOf(scope, row.communityId);
  checkAskedFields(asked, whole);
  const definition = narrowed(whole, asked);
  const references = await loadReferences(scope, scope.db, wantedOf(row, definition, asked));
  const answer = presentDetail(
    row,
    { definition, references, links: fileLinks(scope), mainLinks },
    namesOf(asked, postDetailFields),
    seesComments(scope.actor, definition.community),
  );
  return { postId: row.id, answer };
}

function wantedOf(row: PostDetailRow, definition: CommunityDefinition, asked: AskedFields = ALL_FIELDS): Wanted {
  const wanted = new Wanted();
  wantListRow(wanted, row, definition, asked);
  wanted.addValues(definition.workflow?.fields ?? [], row.screenData);
  for (const principal of row.watchers) wanted.addPrincipal(principal);
  for (const id of [...row.mentionIds, ...row.commentMentionIds]) wanted.users.add(id);
  return wanted;
}

/**
 * Returns a post for the response of the write that created or changed it, read in the write's
 * transaction.
 * @param forForm true omits deleted people and groups from fields
 * @throws PorticoError NOT_FOUND when the caller no longer sees the post after the write
 */
export async function presentPostDetail(write: WriteScope, postId: number, forForm = false): Promise<PostDetail> {
  const row = await loadDetailRow(write.tx, write.actor, { id: postId }, { ...ALL_PARTS, main: false });
  if (!row) throw notFound();
  const definition = await definitionOf(write, row.communityId);
  const files = await loadPostAttachments(write.tx, postId);
  const wanted = wantedOf(row, definition);
  for (const file of files) wanted.users.add(file.creatorId).add(file.modifierId);
  const references = await loadReferences(write, write.tx, wanted);
  const links = fileLinks(write);
  const attachments = files.map((file): PostAttachmentData => {
    const hashtags = new Map([[file.id, file.hashtags.map(presentHashtag)]]);
    return presentAttachment(file, { users: references.users, hashtags }, links, CONTENT_LINKS);
  });
  return presentWritten(row, { definition, references, links, forForm }, attachments);
}

/** Returns the attachments of the post itself, in the order in which they were added. */
async function loadPostAttachments(db: TenantExecutor, postId: number): Promise<TaggedAttachmentRow[]> {
  return db.query<TaggedAttachmentRow>(
    `SELECT ${attachmentColumnsSql('a', 'f')},
            ${attachmentHashtagsSql('a')} AS hashtags
       FROM attachments a
       LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND ${f.content_ref} = ${a.content_ref}
      WHERE a.tenant_id = $1 AND ${a.post_id} = $2 AND ${a.entity_type} NOT IN (${AttachmentEntityType.TASK}, ${AttachmentEntityType.COMMENT}) AND ${a.deleted_at} IS NULL
      ORDER BY ${a.created_at}, ${a.id}`,
    [db.tenantId, postId],
  );
}
