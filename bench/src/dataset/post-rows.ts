/**
 * Converts the plan of a post to its rows in every table, as the product's writes leave them.
 * Values and texts are derived by the product's own functions; `dataset.db.test.ts` compares the
 * other rows with a post created by the interface.
 */
import { HistoryType } from '@portico/contract';
import {
  ChangeKind,
  entityKind,
  extendsVisibility,
  finishAtOnce,
  GrantSource,
  holdsPosts,
  searchTexts,
  sortKey,
  sortKeyWithTies,
  storedIds,
  textRow,
  valueRows,
} from '@portico/server/testing/dataset';
import { listOf, timeOf } from './copy-table.ts';
import { type CommunitySource, closerOf, fileKinds, marksOf, type PostPlan } from './post-plan.ts';
import type { Tables } from './tables.ts';
import { STREAM_START } from './timeline.ts';

/** A change that the stream still remembers. */
export interface RememberedChange {
  at: number;
  postId: number;
  communityId: number;
  kind: number;
  /** Visibility of the post before the change; undefined if it stayed the same. */
  before: { live: boolean; visibility: number | null; principals: readonly number[] } | undefined;
}

/** State carried from post to post: the next ids, and the stream of each tenant. */
export class Progress {
  commentId: number;
  taskId: number;
  attachmentId: number;
  eventId: number;
  /** By tenant: the total number of changes, and the remembered changes. */
  readonly streams = new Map<number, { total: number; remembered: RememberedChange[] }>();

  constructor(first: { comments: number; tasks: number; attachments: number; history_events: number }) {
    this.commentId = first.comments;
    this.taskId = first.tasks;
    this.attachmentId = first.attachments;
    this.eventId = first.history_events;
  }

  changed(tenantId: number, change: RememberedChange): void {
    let stream = this.streams.get(tenantId);
    if (!stream) {
      stream = { total: 0, remembered: [] };
      this.streams.set(tenantId, stream);
    }
    stream.total += 1;
    if (change.at >= STREAM_START) stream.remembered.push(change);
  }
}

/** Reference of a tenant's file: 64 hex characters. */
export function contentRef(tenantId: number, file: number): string {
  return `${tenantId.toString(16).padStart(8, '0')}${file.toString(16).padStart(8, '0')}`.padEnd(64, 'be');
}

interface UserState {
  viewed: number | null;
  views: number;
  modified: number | null;
  commented: number | null;
}

/** Writes one post. */
export class PostWriter {
  readonly #source: CommunitySource;
  readonly #tables: Tables;
  readonly #progress: Progress;

  constructor(source: CommunitySource, tables: Tables, progress: Progress) {
    this.#source = source;
    this.#tables = tables;
    this.#progress = progress;
  }

  write(plan: PostPlan): void {
    const comments = this.#comments(plan);
    const attachments = this.#attachments(plan);
    this.#post(plan, comments.lastAt, attachments.mainId);
    this.#values(plan);
    this.#around(plan);
    this.#history(plan, comments.firstId, attachments.ids);
    this.#userStates(plan);
  }

  #post(plan: PostPlan, lastComment: number | null, mainAttachment: number | null): void {
    const { tenantId, definition, states } = this.#source;
    const edit = plan.edits.at(-1);
    const modified = later([{ at: plan.createdAt, authorId: plan.creatorId }, edit, plan.step]);
    const activeAt = Math.max(modified.at, lastComment ?? 0);
    const recent = later([modified, ...plan.comments, ...plan.tasks.flatMap((task) => marksOf(task, plan.creatorId))]);
    const operatedAt = recent.at;
    const standard = plan.tasks.filter((task) => task.type === 1).length;
    const images = plan.files.filter((file) => fileKinds[file]?.kind === 1).length;
    const { event } = plan;
    this.#tables.add('posts', {
      tenant_id: tenantId,
      id: plan.id,
      community_id: definition.id,
      version: 1 + plan.edits.length,
      screen_version: plan.step ? 2 : 1,
      custom_no: plan.customNo,
      type: event ? 2 : 1,
      visibility: plan.visibility,
      announcement: plan.announcement,
      pinned: plan.pinned,
      draft: plan.draft,
      title: plan.title,
      title_key: sortKeyWithTies(plan.title),
      description_delta: plan.description?.delta ?? null,
      description_text: plan.description?.plain ?? null,
      custom_data: JSON.stringify(plan.customData),
      state_id: plan.draft ? null : (plan.step?.stateId ?? states[0] ?? null),
      init_state_id: plan.draft ? (states[0] ?? null) : null,
      creator_id: plan.creatorId,
      created_at: timeOf(plan.createdAt),
      modifier_id: modified.authorId,
      modified_at: timeOf(modified.at),
      token_by: edit?.authorId ?? plan.creatorId,
      token_at: timeOf(edit?.at ?? plan.createdAt),
      screen_token_by: plan.step?.authorId ?? null,
      screen_token_at: timeOf(plan.step?.at ?? null),
      operated_at: timeOf(operatedAt),
      active_at: timeOf(activeAt),
      published_at: plan.draft ? null : timeOf(plan.createdAt),
      recent_at: timeOf(operatedAt),
      recent_by: recent.authorId,
      comments_count: plan.comments.length,
      attachments_count: plan.files.length,
      image_attachments_count: images,
      document_attachments_count: plan.files.length - images,
      tasks_count: plan.tasks.length,
      standard_tasks_count: standard,
      watchers_count: plan.watchers.length,
      main_attachment_id: mainAttachment,
      event_start_at: timeOf(event?.startAt ?? null),
      event_end_at: timeOf(event?.endAt ?? null),
      event_timezone: event ? 'Europe/Rome' : null,
      event_all_day: event ? false : null,
      event_location: event?.location ?? null,
      event_notify_invited: event ? false : null,
    });
  }

  #values(plan: PostPlan): void {
    const { tenantId, definition, rules } = this.#source;
    const tables = this.#tables;
    const source = {
      title: plan.title,
      descriptionText: plan.description?.plain ?? null,
      customData: plan.customData,
      screenData: {},
    };
    const texts = finishAtOnce(searchTexts(source, rules));
    tables.add('post_search', {
      tenant_id: tenantId,
      post_id: plan.id,
      community_id: definition.id,
      title: texts.title,
      description: texts.description,
      doc: texts.doc,
    });
    for (const field of rules.post) {
      const value = plan.customData[String(field.id)];
      for (const { fieldId, ord, empty, big, num, txt, ref } of valueRows(field, value)) {
        // Posts refer to posts of their own community.
        const refCommunity = ref !== null && holdsPosts(field) ? definition.id : null;
        tables.add('post_values', {
          tenant_id: tenantId,
          field_id: fieldId,
          post_id: plan.id,
          ord,
          empty,
          big,
          num,
          txt,
          ref,
          ref_community: refCommunity,
        });
      }
      const text = finishAtOnce(textRow(field, value));
      if (text)
        tables.add('post_texts', { tenant_id: tenantId, field_id: text.fieldId, post_id: plan.id, norm: text.norm });
      if (!extendsVisibility(field) || value === undefined) continue;
      const sign = entityKind(field) === 'group' ? -1 : 1;
      for (const id of storedIds(value))
        tables.add('post_grants', {
          tenant_id: tenantId,
          post_id: plan.id,
          principal: sign * id,
          source: GrantSource.FIELD,
          source_id: field.id,
        });
    }
  }

  #comments(plan: PostPlan): { firstId: number; lastAt: number | null } {
    const { tenantId } = this.#source;
    const firstId = this.#progress.commentId;
    for (const comment of plan.comments) {
      const id = this.#progress.commentId++;
      const at = timeOf(comment.at);
      const parent = comment.answers === undefined ? null : firstId + comment.answers;
      this.#tables.add('comments', {
        tenant_id: tenantId,
        id,
        post_id: plan.id,
        parent_id: parent,
        delta: comment.delta,
        plain: comment.plain,
        creator_id: comment.authorId,
        created_at: at,
        modified_at: at,
      });
      for (const userId of comment.mentions)
        this.#tables.add('post_mentions', { tenant_id: tenantId, post_id: plan.id, comment_id: id, user_id: userId });
    }
    return { firstId, lastAt: plan.comments.at(-1)?.at ?? null };
  }

  #attachments(plan: PostPlan): { ids: number[]; mainId: number | null } {
    const { tenantId, definition } = this.#source;
    const at = timeOf(plan.createdAt);
    const ids: number[] = [];
    let mainId: number | null = null;
    for (const file of plan.files) {
      const id = this.#progress.attachmentId++;
      const { name, mimeType, kind, size } = fileKinds[file]!;
      const ref = contentRef(tenantId, file);
      this.#tables.add('attachments', {
        tenant_id: tenantId,
        id,
        post_id: plan.id,
        community_id: definition.id,
        entity_type: 1,
        type: 1,
        kind,
        name,
        name_key: sortKey(name),
        mime_type: mimeType,
        size,
        content_ref: ref,
        searched_ref: ref,
        creator_id: plan.creatorId,
        created_at: at,
        modifier_id: plan.creatorId,
        modified_at: at,
      });
      this.#tables.add('attachment_versions', {
        tenant_id: tenantId,
        attachment_id: id,
        version_number: 1,
        name,
        mime_type: mimeType,
        size,
        content_ref: ref,
        creator_id: plan.creatorId,
        created_at: at,
      });
      ids.push(id);
      if (kind === 1) mainId ??= id;
    }
    return { ids, mainId: mainId ?? ids[0] ?? null };
  }

  /** People, hashtags, tasks. */
  #around(plan: PostPlan): void {
    const { tenantId } = this.#source;
    const tables = this.#tables;
    tables.add('post_grants', {
      tenant_id: tenantId,
      post_id: plan.id,
      principal: plan.creatorId,
      source: GrantSource.CREATOR,
      source_id: 0,
    });
    for (const principal of plan.watchers) {
      tables.add('post_watchers', { tenant_id: tenantId, post_id: plan.id, principal });
      tables.add('post_grants', {
        tenant_id: tenantId,
        post_id: plan.id,
        principal,
        source: GrantSource.WATCHER,
        source_id: 0,
      });
    }
    for (const userId of plan.event?.invited ?? []) {
      tables.add('event_invitations', { tenant_id: tenantId, post_id: plan.id, principal: userId, type_id: 0 });
      tables.add('post_grants', {
        tenant_id: tenantId,
        post_id: plan.id,
        principal: userId,
        source: GrantSource.INVITED,
        source_id: 0,
      });
    }
    for (const hashtagId of plan.hashtagIds)
      tables.add('post_hashtags', { tenant_id: tenantId, post_id: plan.id, hashtag_id: hashtagId });
    for (const userId of plan.mentions)
      tables.add('post_mentions', { tenant_id: tenantId, post_id: plan.id, comment_id: 0, user_id: userId });
  }

  #task(plan: PostPlan, task: PostPlan['tasks'][number]): void {
    const { tenantId } = this.#source;
    const id = this.#progress.taskId++;
    const closer = task.closedAt === null ? null : closerOf(task, plan.creatorId);
    this.#tables.add('tasks', {
      tenant_id: tenantId,
      id,
      post_id: plan.id,
      type: task.type,
      state: task.closedAt === null ? 1 : 3,
      priority: task.priority,
      title: task.title,
      description_delta: null,
      description_text: null,
      expires_at: timeOf(task.expiresAt),
      expires_local: new Date(task.expiresAt).toISOString().slice(0, 19),
      expires_timezone: 'UTC',
      assignee: task.assignee,
      creator_id: plan.creatorId,
      created_at: timeOf(task.at),
      modifier_id: plan.creatorId,
      modified_at: timeOf(task.at),
      first_review_at: null,
      last_review_at: null,
      last_reviewer_id: null,
      closed_at: timeOf(task.closedAt),
      closed_by: closer,
    });
    this.#tables.add('post_grants', {
      tenant_id: tenantId,
      post_id: plan.id,
      principal: task.assignee,
      source: GrantSource.ASSIGNEE,
      source_id: id,
    });
    this.#event(plan, HistoryType.TASK_ASSIGNED, task.at, plan.creatorId, {
      target: task.assignee > 0 ? task.assignee : null,
      tasks: listOf([id]),
    });
  }

  #event(
    plan: PostPlan,
    type: number,
    at: number,
    authorId: number,
    about: {
      target?: number | null;
      transition?: number | null;
      comment?: number;
      attachment?: number;
      tasks?: string;
      details?: object;
    } = {},
  ): void {
    this.#tables.add('history_events', {
      tenant_id: this.#source.tenantId,
      id: this.#progress.eventId++,
      post_id: plan.id,
      community_id: this.#source.definition.id,
      type_id: type,
      at: timeOf(at),
      author_id: authorId,
      target_user_id: about.target ?? null,
      transition_id: about.transition ?? null,
      comment_id: about.comment ?? null,
      attachment_id: about.attachment ?? null,
      attachment_version: about.attachment === undefined ? null : 1,
      task_ids: about.tasks ?? null,
      details: about.details ? JSON.stringify(about.details) : '{}',
    });
  }

  /** History and changes: each write makes both. */
  #history(plan: PostPlan, firstComment: number, attachmentIds: readonly number[]): void {
    const { tenantId, definition } = this.#source;
    const change = (at: number, kind: number, before?: RememberedChange['before']) =>
      this.#progress.changed(tenantId, { at, postId: plan.id, communityId: definition.id, kind, before });
    const { createdAt, creatorId } = plan;
    const firstTitle = plan.edits[0]?.titleBefore ?? plan.title;
    this.#event(plan, HistoryType.POST_CREATED, createdAt, creatorId, { details: { titleAfter: firstTitle } });
    for (const target of plan.draft ? [] : plan.mentions)
      this.#event(plan, HistoryType.MENTIONED_IN_POST, createdAt, creatorId, { target });
    for (const attachment of attachmentIds)
      this.#event(plan, HistoryType.ATTACHMENT_ADDED, createdAt, creatorId, { attachment });
    change(createdAt, ChangeKind.CREATED, { live: false, visibility: null, principals: [] });
    for (const [index, { at, authorId, titleBefore }] of plan.edits.entries()) {
      const titleAfter = plan.edits[index + 1]?.titleBefore ?? plan.title;
      const details = { titleBefore, titleAfter, changedParts: ['title'], changedFieldIds: [] };
      this.#event(plan, HistoryType.POST_MODIFIED, at, authorId, { details });
      change(at, ChangeKind.MODIFIED);
    }
    if (plan.step) {
      const { at, authorId, stateId } = plan.step;
      const transition = definition.workflow?.transitions.find((one) => one.toStateId === stateId)?.id ?? null;
      const details = { screenFieldIds: [] };
      this.#event(plan, HistoryType.WORKFLOW_OPERATION, at, authorId, { transition, details });
      change(at, ChangeKind.TOUCHED);
    }
    for (const [index, { at, authorId, mentions }] of plan.comments.entries()) {
      const comment = firstComment + index;
      this.#event(plan, HistoryType.COMMENT_ADDED, at, authorId, { comment });
      for (const target of mentions)
        this.#event(plan, HistoryType.MENTIONED_IN_COMMENT, at, authorId, { comment, target });
      change(at, ChangeKind.TOUCHED);
    }
    for (const task of plan.tasks) {
      this.#task(plan, task);
      const seenBefore = this.#principals(plan);
      const grants = plan.visibility === 1 && !seenBefore.includes(task.assignee);
      const before = { live: true, visibility: plan.visibility, principals: seenBefore };
      change(task.at, ChangeKind.TOUCHED, grants ? before : undefined);
      if (task.closedAt !== null) change(task.closedAt, ChangeKind.TOUCHED);
    }
  }

  /** Principals who see a private post before its tasks grant access, ascending. */
  #principals(plan: PostPlan): number[] {
    const held = this.#source.rules.post.filter(extendsVisibility).flatMap((field) => {
      const sign = entityKind(field) === 'group' ? -1 : 1;
      return storedIds(plan.customData[String(field.id)]).map((id) => sign * id);
    });
    const all = [plan.creatorId, ...plan.watchers, ...(plan.event?.invited ?? []), ...held];
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** A row for each user who acted on the post. */
  #userStates(plan: PostPlan): void {
    const { tenantId, definition } = this.#source;
    const states = new Map<number, UserState>();
    const of = (userId: number) => {
      let state = states.get(userId);
      if (!state) {
        state = { viewed: null, views: 0, modified: null, commented: null };
        states.set(userId, state);
      }
      return state;
    };
    // The author of a post follows it and has viewed it.
    Object.assign(of(plan.creatorId), { modified: plan.createdAt, viewed: plan.createdAt, views: 1 });
    for (const { authorId, at } of [...plan.edits, ...(plan.step ? [plan.step] : [])])
      of(authorId).modified = Math.max(of(authorId).modified ?? 0, at);
    for (const { authorId, at } of plan.comments) of(authorId).commented = at;
    for (const { userId, at, count } of plan.views) {
      const state = of(userId);
      state.viewed = Math.max(state.viewed ?? 0, at);
      state.views += count;
    }
    let [views, viewers] = [0, 0];
    for (const [userId, state] of states) {
      this.#tables.add('post_user_state', {
        tenant_id: tenantId,
        user_id: userId,
        post_id: plan.id,
        community_id: definition.id,
        viewed_at: timeOf(state.viewed),
        views_count: state.views,
        modified_at: timeOf(state.modified),
        commented_at: timeOf(state.commented),
        follows: userId === plan.creatorId,
      });
      views += state.views;
      if (state.viewed !== null) viewers += 1;
    }
    this.#tables.add('post_view_counts', {
      tenant_id: tenantId,
      post_id: plan.id,
      views_count: views,
      viewers_count: viewers,
    });
  }
}

function later(marks: readonly ({ at: number; authorId: number } | undefined)[]): { at: number; authorId: number } {
  return marks.filter((mark) => mark !== undefined).reduce((last, mark) => (mark.at >= last.at ? mark : last));
}
