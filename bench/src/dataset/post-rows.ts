/**
 * From the plan of a post to its rows in every table: what the product's writes leave behind. What follows from values and
 * texts comes from the product's own functions; `dataset.db.test.ts` holds the rest against a post made by the interface.
 */
import { HistoryType } from '@portico/contract';
import {
  ChangeKind,
  entityKind,
  extendsVisibility,
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
import { type CommunitySource, fileKinds, type PostPlan } from './post-plan.ts';
import type { Tables } from './tables.ts';
import { STREAM_START } from './timeline.ts';

/** A change that the stream still remembers. */
export interface RememberedChange {
  at: number;
  postId: number;
  communityId: number;
  kind: number;
  /** Who saw the post before; undefined when that stayed the same. */
  before: { live: boolean; visibility: number | null; principals: readonly number[] } | undefined;
}

/** What goes on from post to post: the next ids, and the stream of each tenant. */
export class Progress {
  commentId: number;
  taskId: number;
  attachmentId: number;
  eventId: number;
  /** By tenant: all changes ever, and those that are remembered. */
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
    const operatedAt = Math.max(activeAt, ...plan.tasks.map((task) => Math.max(task.at, task.closedAt ?? 0)));
    const standard = plan.tasks.filter((task) => task.type === 1).length;
    const images = plan.files.filter((file) => fileKinds[file]?.kind === 1).length;
    const { event } = plan;
    this.#tables.posts.add(
      tenantId,
      plan.id,
      definition.id,
      1 + plan.edits.length,
      plan.step ? 2 : 1,
      plan.customNo,
      event ? 2 : 1,
      plan.visibility,
      plan.announcement,
      plan.pinned,
      plan.draft,
      plan.title,
      sortKeyWithTies(plan.title),
      plan.description?.delta ?? null,
      plan.description?.plain ?? null,
      JSON.stringify(plan.customData),
      plan.draft ? null : (plan.step?.stateId ?? states[0] ?? null),
      plan.draft ? (states[0] ?? null) : null,
      plan.creatorId,
      timeOf(plan.createdAt),
      modified.authorId,
      timeOf(modified.at),
      edit?.authorId ?? plan.creatorId,
      timeOf(edit?.at ?? plan.createdAt),
      plan.step?.authorId ?? null,
      timeOf(plan.step?.at ?? null),
      timeOf(operatedAt),
      timeOf(activeAt),
      plan.draft ? null : timeOf(plan.createdAt),
      timeOf(operatedAt),
      plan.comments.length,
      plan.files.length,
      images,
      plan.files.length - images,
      plan.tasks.length,
      standard,
      plan.watchers.length,
      mainAttachment,
      timeOf(event?.startAt ?? null),
      timeOf(event?.endAt ?? null),
      event ? 'Europe/Rome' : null,
      event ? false : null,
      event?.location ?? null,
      event ? false : null,
    );
  }

  #values(plan: PostPlan): void {
    const { tenantId, definition, rules } = this.#source;
    const tables = this.#tables;
    const texts = searchTexts(
      {
        title: plan.title,
        descriptionText: plan.description?.plain ?? null,
        customData: plan.customData,
        screenData: {},
      },
      rules,
    );
    tables.post_search.add(tenantId, plan.id, definition.id, texts.title, texts.description, texts.doc);
    for (const field of rules.post) {
      const value = plan.customData[String(field.id)];
      for (const { fieldId, ord, empty, big, num, txt, ref } of valueRows(field, value)) {
        // Posts refer to posts of their own community.
        const refCommunity = ref !== null && holdsPosts(field) ? definition.id : null;
        tables.post_values.add(tenantId, fieldId, plan.id, ord, empty, big, num, txt, ref, refCommunity);
      }
      const text = textRow(field, value);
      if (text) tables.post_texts.add(tenantId, text.fieldId, plan.id, text.norm);
      if (!extendsVisibility(field) || value === undefined) continue;
      const sign = entityKind(field) === 'group' ? -1 : 1;
      for (const id of storedIds(value))
        tables.post_grants.add(tenantId, plan.id, sign * id, GrantSource.FIELD, field.id);
    }
  }

  #comments(plan: PostPlan): { firstId: number; lastAt: number | null } {
    const { tenantId } = this.#source;
    const firstId = this.#progress.commentId;
    for (const comment of plan.comments) {
      const id = this.#progress.commentId++;
      const at = timeOf(comment.at);
      const parent = comment.answers === undefined ? null : firstId + comment.answers;
      this.#tables.comments.add(tenantId, id, plan.id, parent, comment.delta, comment.plain, comment.authorId, at, at);
      for (const userId of comment.mentions) this.#tables.post_mentions.add(tenantId, plan.id, id, userId);
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
      const who = [plan.creatorId, at] as const;
      const names = [name, sortKey(name), mimeType, size] as const;
      this.#tables.attachments.add(
        tenantId,
        id,
        plan.id,
        definition.id,
        1,
        1,
        kind,
        ...names,
        ref,
        ref,
        ...who,
        ...who,
      );
      this.#tables.attachment_versions.add(tenantId, id, 1, name, mimeType, size, ref, ...who);
      ids.push(id);
      if (kind === 1) mainId ??= id;
    }
    return { ids, mainId: mainId ?? ids[0] ?? null };
  }

  /** People, hashtags, tasks. */
  #around(plan: PostPlan): void {
    const { tenantId } = this.#source;
    const tables = this.#tables;
    tables.post_grants.add(tenantId, plan.id, plan.creatorId, GrantSource.CREATOR, 0);
    for (const principal of plan.watchers) {
      tables.post_watchers.add(tenantId, plan.id, principal);
      tables.post_grants.add(tenantId, plan.id, principal, GrantSource.WATCHER, 0);
    }
    for (const userId of plan.event?.invited ?? []) {
      tables.event_invitations.add(tenantId, plan.id, userId, 0);
      tables.post_grants.add(tenantId, plan.id, userId, GrantSource.INVITED, 0);
    }
    for (const hashtagId of plan.hashtagIds) tables.post_hashtags.add(tenantId, plan.id, hashtagId);
    for (const userId of plan.mentions) tables.post_mentions.add(tenantId, plan.id, 0, userId);
  }

  #task(plan: PostPlan, task: PostPlan['tasks'][number]): void {
    const { tenantId } = this.#source;
    const id = this.#progress.taskId++;
    const closer = task.closedAt === null ? null : Math.max(task.assignee, 0) || plan.creatorId;
    this.#tables.tasks.add(
      tenantId,
      id,
      plan.id,
      task.type,
      task.closedAt === null ? 1 : 3,
      task.priority,
      task.title,
      null,
      null,
      timeOf(task.expiresAt),
      new Date(task.expiresAt).toISOString().slice(0, 19),
      'UTC',
      task.assignee,
      plan.creatorId,
      timeOf(task.at),
      plan.creatorId,
      timeOf(task.at),
      null,
      null,
      null,
      timeOf(task.closedAt),
      closer,
    );
    this.#tables.post_grants.add(tenantId, plan.id, task.assignee, GrantSource.ASSIGNEE, id);
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
    this.#tables.history_events.add(
      this.#source.tenantId,
      this.#progress.eventId++,
      plan.id,
      this.#source.definition.id,
      type,
      timeOf(at),
      authorId,
      about.target ?? null,
      about.transition ?? null,
      about.comment ?? null,
      about.attachment ?? null,
      about.attachment === undefined ? null : 1,
      about.tasks ?? null,
      about.details ? JSON.stringify(about.details) : '{}',
    );
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

  /** Whom grants name before tasks do, ascending. */
  #principals(plan: PostPlan): number[] {
    const held = this.#source.rules.post.filter(extendsVisibility).flatMap((field) => {
      const sign = entityKind(field) === 'group' ? -1 : 1;
      return storedIds(plan.customData[String(field.id)]).map((id) => sign * id);
    });
    const all = [plan.creatorId, ...plan.watchers, ...(plan.event?.invited ?? []), ...held];
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** One row for each user who did something with the post. */
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
    // Who writes a post follows it and has viewed it.
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
      const times = [timeOf(state.viewed), state.views, timeOf(state.modified), timeOf(state.commented)] as const;
      this.#tables.post_user_state.add(tenantId, userId, plan.id, definition.id, ...times, userId === plan.creatorId);
      views += state.views;
      if (state.viewed !== null) viewers += 1;
    }
    this.#tables.post_view_counts.add(tenantId, plan.id, views, viewers);
  }
}

function later(marks: readonly ({ at: number; authorId: number } | undefined)[]): { at: number; authorId: number } {
  return marks.filter((mark) => mark !== undefined).reduce((last, mark) => (mark.at >= last.at ? mark : last));
}
