/** The history of a post (operation listPostHistoryEvents). */
import { HistoryType, type ListPostHistoryEventsRequest, type PostActivityHistoryEvent } from '@portico/contract';
import { Parameters } from '../../../kernel/access/index.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import { type Page, type PagingInput, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  loadCommunityViews,
  loadPresentation,
  loadWorkspaceViews,
  presentTransition,
} from '../../communities/index.ts';
import { usersOf } from '../../people/index.ts';
import {
  definitionOf,
  loadComments,
  loadTaskSummaries,
  type PostRow,
  postCapabilities,
  requirePost,
} from '../../post-parts/index.ts';
import { loadReferences, presentValues, Wanted } from '../reading/references.ts';
import { type EventReferences, presentHistoryEvent, versionKey } from './history.presenter.ts';
import { type EventFilter, type EventRow, findFiles, findVersions, pageOfEvents } from './history.repository.ts';

/** Maximum of tasks per event: a request to acknowledge a post may involve thousands of people. */
const MOST_TASKS = 100;
/** Kinds that `retrieveWorkflowEvents` selects; all others are events of the post. */
const WORKFLOW_TYPES = [HistoryType.WORKFLOW_OPERATION, HistoryType.SCREEN_DATA_MODIFIED];
/** Event kinds of comments. */
const COMMENT_TYPES = [HistoryType.COMMENT_ADDED, HistoryType.MENTIONED_IN_COMMENT, HistoryType.COMMENT_DELETED];

/**
 * Returns a page of the history of a post, by default the newest first. If the community hides
 * comments from the caller, events of comments are hidden too.
 * @throws PorticoError NOT_FOUND for a post that is unknown or not visible
 */
export async function listHistoryEvents(
  scope: Scope,
  postId: number,
  body: ListPostHistoryEventsRequest | undefined,
  query?: PagingInput,
): Promise<Page<PostActivityHistoryEvent>> {
  const { retrievePostEvents = true, retrieveWorkflowEvents = true, orderDesc = true } = body ?? {};
  const binding = { postId, retrievePostEvents, retrieveWorkflowEvents, orderDesc };
  const request = readPaging<SortKey>(scope, 'listPostHistoryEvents', body, binding, query);
  const post = await requirePost(scope.db, scope.actor, postId);
  const definition = await definitionOf(scope, post.communityId);
  const { canViewComment } = postCapabilities(scope.actor, definition, post);
  const filter = eventFilter(scope, postId, { retrievePostEvents, retrieveWorkflowEvents, canViewComment });
  const { rows, ...paging } = await pageOfEvents(scope.db, filter, orderDesc, request);
  const references = rows.length === 0 ? undefined : await loadEventReferences(scope, definition, post, rows);
  return {
    items: references ? rows.map((row) => presentHistoryEvent(row, references)) : [],
    ...paging,
  };
}

function eventFilter(
  scope: Scope,
  postId: number,
  wanted: { retrievePostEvents: boolean; retrieveWorkflowEvents: boolean; canViewComment: boolean },
): EventFilter {
  const parameters = new Parameters([scope.db.tenantId, postId]);
  const where = ['e.tenant_id = $1', 'e.post_id = $2'];
  if (!wanted.retrievePostEvents && !wanted.retrieveWorkflowEvents) where.push('false');
  else if (!wanted.retrievePostEvents) where.push(`e.type_id = ANY (${parameters.add(WORKFLOW_TYPES)}::smallint[])`);
  else if (!wanted.retrieveWorkflowEvents)
    where.push(`e.type_id <> ALL (${parameters.add(WORKFLOW_TYPES)}::smallint[])`);
  if (!wanted.canViewComment) {
    where.push(`e.comment_id IS NULL AND e.type_id <> ALL (${parameters.add(COMMENT_TYPES)}::smallint[])`);
  }
  return { where, parameters };
}

/** Loads the objects that a page of events refers to, in a fixed number of statements. */
async function loadEventReferences(
  scope: Scope,
  definition: CommunityDefinition,
  post: PostRow,
  rows: readonly EventRow[],
): Promise<EventReferences> {
  const { db } = scope;
  const { workflow } = definition;
  const files = await findFiles(
    db,
    post.id,
    rows.flatMap((row) => row.attachmentId ?? []),
  );
  const versions = await findVersions(
    db,
    rows.flatMap(({ attachmentId, attachmentVersion }) =>
      attachmentId === null || attachmentVersion === null ? [] : [{ attachmentId, versionNumber: attachmentVersion }],
    ),
  );
  const users = await usersOf(scope, db, [
    ...rows.flatMap((row) => [row.authorId, ...(row.targetUserId === null ? [] : [row.targetUserId])]),
    ...files.flatMap((file) => [file.creatorId, file.modifierId]),
    ...versions.map((version) => version.creatorId),
  ]);
  const wanted = new Wanted();
  for (const row of rows) if (row.details.screenData) wanted.addValues(workflow?.fields ?? [], row.details.screenData);
  const values = await loadReferences(scope, db, wanted);
  const presentation = await loadPresentation(scope, [definition]);
  const links = fileLinks(scope);
  const communities = await loadCommunityViews(scope, [post.communityId]);
  const { workspaceId } = definition.community;
  const workspaces = await loadWorkspaceViews(scope, [workspaceId]);
  return {
    post,
    community: communities.get(post.communityId),
    workspace: workspaces.get(workspaceId),
    users,
    comments: await loadComments(
      scope,
      db,
      definition,
      post,
      rows.flatMap((row) => row.commentId ?? []),
    ),
    tasks: await loadTaskSummaries(
      db,
      post.id,
      rows.flatMap((row) => (row.taskIds ?? []).slice(0, MOST_TASKS)),
    ),
    files: new Map(files.map((file) => [file.id, file])),
    versions: new Map(versions.map((version) => [versionKey(version.attachmentId, version.versionNumber), version])),
    transition: (id) => {
      const transition = workflow?.transitionById.get(id);
      return transition && workflow ? presentTransition(transition, workflow, presentation) : undefined;
    },
    hiddenFieldIds: new Set(definition.hidden.map(({ id }) => id)),
    screenValues: (data) => presentValues(workflow?.fields ?? [], data, values),
    links,
  };
}
