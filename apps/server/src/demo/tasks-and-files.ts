/** Tasks on posts and the files on posts, comments and tasks. */
import {
  AttachmentType,
  type CreateTaskRequest,
  type InputPostAttachment,
  PostType,
  ReminderRange,
  ReminderType,
  SubTaskState,
  TaskPriority,
  TaskState,
  TaskType,
} from '@portico/contract';
import { writeTransaction } from '../kernel/access/index.ts';
import { attachFiles, storeFile } from '../modules/files/index.ts';
import {
  acknowledgePost,
  createPostComment,
  createTask,
  requestAcknowledgements,
  setTaskState,
  storeSurveyAnswers,
} from '../modules/post-parts/index.ts';
import { editPostAttachments } from '../modules/posts/index.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import type { FileStorage } from '../platform/files/index.ts';
import { DAY, type DemoContext, HOUR, type MadeCommunity } from './demo-context.ts';
import { film, movingPicture, pdf, picture, tone } from './files.ts';
import { authorsOf, type MadePost, named, scheduledFor } from './make-posts.ts';
import { participants } from './simulate-activity.ts';
import { remark, richText } from './texts.ts';

/** Gives a post its tasks: to people and groups, open, handed in, closed, overdue. */
export async function giveTasks(
  context: DemoContext,
  made: MadeCommunity,
  post: MadePost,
  index: number,
  tx: TenantTx,
): Promise<void> {
  if (post.visible === 'draft' || index % 5 !== 1) return;
  const { random } = context;
  const who = participants(context, made, post);
  if (index % 15 === 6 && made.spec.acknowledged) await askToAcknowledge(context, post, who, tx);
  const count = index % 35 === 1 ? 3 : 1;
  for (let number = 0; number < count; number++) {
    const at = context.later(post.at, 4 * DAY);
    const type = post.type === PostType.SURVEY ? TaskType.SURVEY : TaskType.STANDARD;
    const assignee = number === 1 || index % 25 === 11 ? context.serviceAccount : random.pick(who);
    const creator = random.pick(who);
    const { taskId } = await createTask(
      await context.as(creator, at, tx),
      post.id,
      taskBody(context, made, post, at, index % 20 === 16 ? null : assignee),
      {
        type,
        ...(index % 3 === 0 && {
          reminders: [
            { value: 2, range: ReminderRange.DAYS, types: [ReminderType.NOTIFICATION] },
            { value: 1, range: ReminderRange.HOURS, types: Object.values(ReminderType) },
          ],
        }),
      },
    );
    if (type === TaskType.SURVEY) await answerSurvey(context, tx, taskId as number);
    const end = random.int(0, 3);
    const reviewed = context.later(at, 8 * DAY);
    if (end >= 2)
      await setTaskState(await context.as(creator, reviewed, tx), taskId as number, { state: TaskState.IN_REVIEW });
    if (end === 3)
      await setTaskState(await context.as(creator, context.later(reviewed, 2 * DAY), tx), taskId as number, {
        state: TaskState.CLOSED,
      });
  }
}

/** The author asks people to acknowledge the post; some of them do. */
async function askToAcknowledge(
  context: DemoContext,
  post: MadePost,
  who: readonly number[],
  tx: TenantTx,
): Promise<void> {
  const asked = who.filter((userId) => userId !== post.creatorId);
  if (asked.length === 0) return;
  const at = context.later(post.at, DAY);
  await requestAcknowledgements(await context.as(post.creatorId, at, tx), post.id, {
    userIds: [...asked],
    expiration: scheduledFor(at + 10 * DAY),
    reminders: [{ value: 1, range: ReminderRange.DAYS }],
  });
  for (const userId of asked.slice(1, 4)) {
    await acknowledgePost(await context.as(userId, context.later(at, 5 * DAY), tx), post.id);
  }
}

function taskBody(
  context: DemoContext,
  made: MadeCommunity,
  post: MadePost,
  at: number,
  assignee: number | null,
): CreateTaskRequest {
  const { random } = context;
  const texts = made.spec.texts;
  const everyone = context.members.get('everyone') ?? [];
  const hashtag = random.chance(0.3) ? [...made.hashtags.keys()][0] : undefined;
  const mention = random.chance(0.3) ? named(context, random.pick(everyone)) : undefined;
  return {
    title: random.pick(texts.tasks),
    descriptionDelta: richText(random, texts.sentences, { hashtag, mention }),
    expiration: scheduledFor(at + random.int(3, 40) * DAY),
    ...(random.chance(0.8) && { priority: random.int(TaskPriority.LOW, TaskPriority.URGENT) as TaskPriority }),
    subTasks: random.some(texts.steps, random.int(0, 3)).map((description, position) => ({
      description,
      state: position === 0 ? SubTaskState.DONE : SubTaskState.TO_DO,
    })),
    ...(assignee === null
      ? { assigneeGroupId: context.groups.get(random.pick(['itdesk', 'tech'])) as number }
      : { assigneeUserId: assignee }),
    watcherUserIds: random.some(context.unlicensed(everyone), random.int(0, 2)),
    watcherGroupIds: random.chance(0.2) ? [context.groups.get('managers') as number] : [],
    ...(random.chance(0.5) && { clientUid: `demo-task-${post.id}-${random.int(1, 1_000_000_000)}` }),
  };
}

/** Answers to a questionnaire have no verb in version 2: they are written as they are stored. */
async function answerSurvey(context: DemoContext, tx: TenantTx, taskId: number): Promise<void> {
  const data = {
    1: { value: context.random.int(1, 5) },
    2: { value: ['canteen', 'parking'], other: 'A second coffee machine' },
  };
  await storeSurveyAnswers(tx, taskId, {
    data,
    comments: { 1: { compliant: true, commentsCount: 0 }, 2: { compliant: false, commentsCount: 2 } },
  });
}

/** The files that posts get in turn: name and bytes, or a document elsewhere. */
function fileOf(number: number, title: string): { name: string; data: Buffer } {
  const shade = (number * 37) % 200;
  switch (number % 6) {
    case 0:
      return { name: `photo-${number}.png`, data: picture(48, 32, [shade, 120, 200], [240, 240 - shade, 90]) };
    case 1:
      return { name: `report-${number}.pdf`, data: pdf(['Alveria', title, `Sheet ${number}`]) };
    case 2:
      return { name: `notes-${number}.txt`, data: Buffer.from(`${title}\n\nNotes, page ${number}.\n`) };
    case 3:
      return { name: `sound-${number}.wav`, data: tone(220 + number * 11) };
    case 4:
      return { name: `steps-${number}.gif`, data: movingPicture([shade, 40, 90], [250, 200, shade]) };
    default:
      return { name: `clip-${number}.mp4`, data: film() };
  }
}

/** Hangs files on some posts of a community, with all that can happen to them. */
export async function fileAway(
  context: DemoContext,
  made: MadeCommunity,
  posts: readonly MadePost[],
  storage: FileStorage,
): Promise<void> {
  const chosen = posts.filter((post, index) => post.visible !== 'draft' && index % 7 === 2 && index % 37 !== 30);
  const kept: number[] = [];
  for (const [number, post] of chosen.entries()) {
    await context.transaction(async (tx) => {
      const actor = authorsOf(context, made.spec).includes(post.creatorId) ? post.creatorId : context.serviceAccount;
      const at = context.later(post.at, 5 * HOUR);
      const scope = await context.as(actor, at, tx);
      const store = async (place: number) => {
        const file = fileOf(place, String(post.input.title));
        const { contentRef } = await storeFile(scope, storage, file.data);
        return { name: file.name, contentRef };
      };
      const elements: InputPostAttachment[] = [];
      const hashtagIds = number % 3 === 0 ? [...made.hashtags.values()].slice(0, 2) : [];
      if (number < 7) elements.push({ ...(await store(number)), hashtagIds });
      if (number % 4 === 1) elements.push(driveFile(number));
      if (number >= 7 && kept.length > 0) elements.push({ attachmentId: kept[number % kept.length] as number });
      const added = await editPostAttachments(
        scope,
        post.id,
        { addAttachments: elements },
        async (_w, applied) => applied.addedIds,
      );
      if (post.visible === 'public' && number < 7 && number !== 3) kept.push(...added.slice(0, 1));
      if (number === 2 || number === 4) {
        const version = await store(number === 2 ? 7 : 10);
        const later = await context.as(actor, context.later(at, DAY), tx);
        await editPostAttachments(
          later,
          post.id,
          { updateAttachments: [{ attachmentId: added[0] as number, ...version }] },
          async () => undefined,
        );
      }
      if (number === 3) {
        const later = await context.as(actor, context.later(at, DAY), tx);
        await editPostAttachments(later, post.id, { removeAttachmentIds: [added[0] as number] }, async () => undefined);
      }
      if (number === 1) await fileBeside(context, made, post, actor, at, store, tx);
      if (number === 5 || number === 6) await filePickers(made, post, { ...scope }, store, 20 + number);
    });
  }
}

function driveFile(number: number): InputPostAttachment {
  return {
    type: AttachmentType.DRIVE,
    name: `Plan ${number}`,
    drive: {
      driveId: `demo-drive-${String(number).padStart(6, '0')}`,
      mimeType: 'application/vnd.google-apps.spreadsheet',
      size: 2048 + number,
      webViewLink: `https://drive.alveria.example/file/${number}/view`,
      webContentLink: `https://drive.alveria.example/file/${number}/download`,
    },
  };
}

type Store = (place: number) => Promise<{ name: string; contentRef: string }>;

/** A file on a comment and one on a task. */
async function fileBeside(
  context: DemoContext,
  made: MadeCommunity,
  post: MadePost,
  actor: number,
  at: number,
  store: Store,
  tx: TenantTx,
): Promise<void> {
  const texts = made.spec.texts;
  const scope = await context.as(actor, context.later(at, DAY), tx);
  await createPostComment(scope, post.id, {
    comment: remark(context.random, texts.comments),
    attachments: [await store(10)],
  });
  await createTask(scope, post.id, { ...taskBody(context, made, post, at, actor), attachments: [await store(16)] });
}

/** Files in file-picker fields: of the post, and of the workflow's screen. */
async function filePickers(
  made: MadeCommunity,
  post: MadePost,
  scope: Awaited<ReturnType<DemoContext['as']>>,
  store: Store,
  place: number,
): Promise<void> {
  const pick = (fields: MadeCommunity['fields']) =>
    [...fields.values()].find(({ spec }) => spec.metadata['file_picker'] === 'true');
  for (const [entityType, field] of [
    [4, pick(made.fields)],
    [5, pick(made.screenFields)],
  ] as const) {
    if (!field) continue;
    const file = await store(place + entityType);
    await writeTransaction(scope, 'none', (write) =>
      attachFiles(
        write,
        { communityId: made.id, postId: post.id, entityType, fieldId: field.id },
        { add: [file] },
        { attachmentEnabled: true, attachmentMaxSize: null },
        { add: 'attachments' },
      ),
    );
  }
}
