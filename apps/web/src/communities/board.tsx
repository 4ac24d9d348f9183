import './board.css';
import type { GetPostDefinitionResponse, PostWorkflowDefinitionTransition } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { ArrowRightLeft, MessageSquare, Paperclip } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { FieldValue } from '../content/field-value.tsx';
import { useAttempt } from '../failures/attempt.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { LoadMore } from '../load-more.tsx';
import { Empty, Failed } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { refetchPost } from '../posts/editing/save-part.ts';
import { useExplanations } from '../posts/explanations.ts';
import { StateLabel } from '../posts/state-label.tsx';
import { useSentences } from '../posts/use-sentences.ts';
import { Avatar } from '../shell/avatar.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { focusedItem, moveKeys, useKeys } from '../shell/keys.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';
import { reverseStep } from './bulk/bulk-action.ts';
import type { ListSearch } from './list-search.ts';
import { permittedSteps, stepsTo, whyNotSteps } from './steps.ts';
import { useListTexts } from './texts.ts';
import { type ListedPost, usePosts } from './use-posts.ts';

const ScreenDialog = part(() => import('../posts/editing/index.ts'), 'ScreenDialog');

type State = NonNullable<NonNullable<GetPostDefinitionResponse['workflowDefinition']>['states']>[number];
type Steps = readonly PostWorkflowDefinitionTransition[];

/** Posts per page of a column. */
const PAGE = 30;
/** Fields that a card shows. */
const FIELDS = 2;

/** The post that is being moved, and the steps that may be taken with it; undefined until they are loaded. */
interface PostMove {
  readonly post: ListedPost;
  readonly permitted: Steps | undefined;
  readonly by: 'mouse' | 'menu';
}

/** The states of the workflow as columns; a post is moved by the mouse, by key and by touch. */
export function Board({
  communityId,
  definition,
  search,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: ListSearch;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const attempt = useAttempt();
  const [moving, setMoving] = useState<PostMove>();
  const [openScreen, setOpenScreen] = useState<{ post: ListedPost; step: PostWorkflowDefinitionTransition }>();
  const states = (definition.workflowDefinition?.states ?? []).filter(({ deleted }) => !deleted);
  const begin = (post: ListedPost, by: PostMove['by']) => {
    setMoving({ post, permitted: undefined, by });
    void permittedSteps(post.id!).then(
      (permitted) => setMoving((now) => (now?.post.id === post.id ? { post, permitted, by } : now)),
      () => setMoving(undefined),
    );
  };
  const take = async (post: ListedPost, step: PostWorkflowDefinitionTransition) => {
    setMoving(undefined);
    if (step.screen) return setOpenScreen({ post, step });
    const title = post.title || texts.untitled;
    const run = (one: PostWorkflowDefinitionTransition, undoable: boolean) =>
      attempt(async () => {
        await portal.workflow.execute({ postId: post.id!, workflowOperationId: one.id! });
        const permitted = undoable ? await permittedSteps(post.id!).catch(() => []) : [];
        const back = reverseStep(one, [post], { transitions: [...permitted] });
        showNotice(
          list.moved(title, one.toState?.name ?? ''),
          back && {
            label: texts.undo,
            run: async () => {
              await run(back, false);
            },
          },
        );
        await refetchPost(post.id!);
      }, list.moveFailed);
    if (!(await run(step, true))) await refetchPost(post.id!);
  };
  /** A card may be dropped before the steps are loaded. */
  const drop = async (state: State) => {
    if (!moving) return;
    const { post } = moving;
    const permitted = moving.permitted ?? (await permittedSteps(post.id!).catch(() => []));
    const { steps, whyNot } = stepsTo(state.id!, post, definition.workflowDefinition, permitted, list);
    setMoving(steps.length > 1 ? { post, permitted, by: 'menu' } : undefined);
    if (steps.length === 1) await take(post, steps[0]!);
    else if (whyNot !== undefined && post.currentWorkflowState?.id !== state.id) showNotice(whyNot);
  };
  const cards = useRef(new Map<number, ListedPost>());
  useKeys([
    ...moveKeys(texts),
    {
      key: 'm',
      label: list.moveKey,
      run: () => {
        const post = cards.current.get(Number(focusedItem()?.dataset['item']?.slice('post-'.length)));
        return post !== undefined && begin(post, 'menu');
      },
    },
  ]);
  if (states.length === 0)
    return (
      <Empty>
        <p>{list.noBoard}</p>
      </Empty>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="board" tabIndex={0} aria-label={list.layouts.board}>
        {states.map((state) => {
          const allowed =
            moving?.by === 'mouse'
              ? stepsTo(state.id!, moving.post, definition.workflowDefinition, moving.permitted, list)
              : undefined;
          return (
            <Column
              key={state.id}
              communityId={communityId}
              definition={definition}
              search={search}
              state={state}
              dropTarget={allowed && (allowed.steps.length > 0 ? true : allowed.whyNot)}
              open={allowed !== undefined && allowed.whyNot === undefined}
              begin={begin}
              end={() => setMoving((now) => (now?.by === 'mouse' ? undefined : now))}
              drop={() => void drop(state)}
              register={(post) => cards.current.set(post.id!, post)}
            />
          );
        })}
      </section>
      {openScreen && (
        <Panel close={() => setOpenScreen(undefined)}>
          <ScreenDialog
            post={openScreen.post}
            step={openScreen.step}
            elsewhere
            onClose={() => setOpenScreen(undefined)}
          />
        </Panel>
      )}
      {moving?.by === 'menu' && (
        <MoveDialog
          moving={moving}
          states={states}
          definition={definition}
          take={(step) => void take(moving.post, step)}
          close={() => setMoving(undefined)}
        />
      )}
    </>
  );
}

function Column({
  communityId,
  definition,
  search,
  state,
  dropTarget,
  open,
  begin,
  end,
  drop,
  register,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  search: ListSearch;
  state: State;
  /** While a post is moved: true where it may go, else why not, as far as it is known. */
  dropTarget: true | string | undefined;
  /** Whether a post may be dropped here, as far as it is known. */
  open: boolean;
  begin: (post: ListedPost, by: PostMove['by']) => void;
  end: () => void;
  drop: () => void;
  register: (post: ListedPost) => void;
}) {
  const list = useListTexts();
  const formats = useFormats();
  const { posts, items, total } = usePosts(communityId, search, [['state', 'in', state.id!]], PAGE);
  const over = (event: DragEvent) => {
    if (open) event.preventDefault();
  };
  for (const post of items) register(post);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move posts by the menu
    <div
      className="column"
      {...(dropTarget === true && { 'data-drop-target': '' })}
      {...(typeof dropTarget === 'string' && { 'data-dim': '' })}
      onDragOver={over}
      onDrop={(event) => {
        event.preventDefault();
        drop();
      }}
    >
      <h2>
        <StateLabel state={state} />
        <span className="column-count">{total !== undefined && formats.number(total)}</span>
      </h2>
      {typeof dropTarget === 'string' && <p className="why muted">{dropTarget}</p>}
      {posts.isError ? (
        <Failed query={posts} />
      ) : (
        <ul>
          {items.map((post) => (
            <Card key={post.id} post={post} definition={definition} begin={begin} end={end} />
          ))}
        </ul>
      )}
      <LoadMore query={posts} quiet label={list.loadMoreCards} />
    </div>
  );
}

function Card({
  post,
  definition,
  begin,
  end,
}: {
  post: ListedPost;
  definition: GetPostDefinitionResponse;
  begin: (post: ListedPost, by: PostMove['by']) => void;
  end: () => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const title = post.title || texts.untitled;
  const values = post.customData ?? {};
  const fields = (definition.fieldDefinitions ?? [])
    .filter(({ id, visibleInPreview }) => visibleInPreview && values[String(id)] !== undefined)
    .slice(0, FIELDS);
  return (
    <li className="board-card" draggable onDragStart={() => begin(post, 'mouse')} onDragEnd={end}>
      <Link
        to="/post/$postId"
        params={{ postId: String(post.id) }}
        draggable={false}
        className="board-title"
        data-item={`post-${post.id}`}
      >
        {title}
      </Link>
      {fields.map((field) => (
        <span key={field.id} className="board-fact muted">
          {field.label}: <FieldValue field={field} value={values[String(field.id)]} unlinked />
        </span>
      ))}
      <span className="board-foot muted">
        <Avatar user={post.creatorUser} size={18} />
        <span>{post.customId}</span>
        {(post.commentsCount ?? 0) > 0 && (
          <span>
            <MessageSquare size={12} aria-label={texts.comments} /> {formats.number(post.commentsCount!)}
          </span>
        )}
        {(post.attachmentsCount ?? 0) > 0 && (
          <span>
            <Paperclip size={12} aria-label={texts.attachments} /> {formats.number(post.attachmentsCount!)}
          </span>
        )}
        <button
          type="button"
          className="quiet"
          aria-label={list.move(title)}
          title={list.moveTo}
          onClick={() => begin(post, 'menu')}
        >
          <ArrowRightLeft size={14} aria-hidden />
        </button>
      </span>
    </li>
  );
}

/** Where a post can be moved, each step by its name, and why elsewhere it cannot. */
function MoveDialog({
  moving: { post, permitted },
  states,
  definition,
  take,
  close,
}: {
  moving: PostMove;
  states: readonly State[];
  definition: GetPostDefinitionResponse;
  take: (step: PostWorkflowDefinitionTransition) => void;
  close: () => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const sentences = useSentences();
  const why = useExplanations(post.id!).data;
  const reasons = why && whyNotSteps(why, sentences);
  return (
    <Dialog label={list.moveTo} onClose={close}>
      <h2>{list.moveTo}</h2>
      <p className="muted clip">{post.title || texts.untitled}</p>
      <div className="options">
        {states.map((state) => {
          const { steps, whyNot } = stepsTo(state.id!, post, definition.workflowDefinition, permitted, list, reasons);
          if (steps.length > 0)
            return steps.map((step) => (
              <button key={step.id} type="button" className="option move" onClick={() => take(step)}>
                <StateLabel state={state} />
                <span className="muted">{step.name}</span>
              </button>
            ));
          return (
            <div key={state.id} className="option move" aria-disabled="true">
              <StateLabel state={state} />
              <span className="muted">{whyNot ?? '…'}</span>
            </div>
          );
        })}
      </div>
    </Dialog>
  );
}
