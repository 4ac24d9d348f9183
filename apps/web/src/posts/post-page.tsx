import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { FieldValue } from '../content/field-value.tsx';
import { RichText } from '../content/rich-text.tsx';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { postQuery, useCommunities, useDefinition } from '../shared-queries.ts';
import { SegmentedControl } from '../shell/segmented-control.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { AllActivity } from './all-activity.tsx';
import { Attachments, WithPictures } from './attachments.tsx';
import { CommentOpener, Comments } from './comments.tsx';
import { explanationText } from './explanation-text.ts';
import { History } from './history.tsx';
import { StateLabel } from './state-label.tsx';
import { useAttachments } from './use-attachments.ts';
import { useSentences } from './use-sentences.ts';
import { useTasks } from './use-tasks.ts';
import { nameOf } from './user-name.ts';
import { WorkflowLine } from './workflow-line.tsx';

/** The editing of posts, loaded once the caller is known to have the right. */
const editing = () => import('./editing/index.ts');
const Acknowledge = part(editing, 'Acknowledge');
const Actions = part(editing, 'Actions');
const DraftNotice = part(editing, 'DraftNotice');
const EditCustomFields = part(editing, 'EditCustomFields');
const EditText = part(editing, 'EditText');
const EditTitle = part(editing, 'EditTitle');
const Event = part(editing, 'Event');
const FollowPost = part(editing, 'FollowPost');
const PostKeys = part(editing, 'PostKeys');
const LikePost = part(editing, 'LikePost');
const Steps = part(editing, 'Steps');
const Tasks = part(editing, 'Tasks');

/** Time the server needs to record that a post was opened. Milliseconds. */
const VIEW_NOTED = 2_000;

/** The page of a post. */
export function PostPage() {
  const postId = Number(useParams({ from: '/shell/post/$postId' }).postId);
  return <PostView postId={postId} />;
}

/**
 * A post: text, attachments, tasks and comments, with its fields and settings at the side.
 * @param beside whether it is shown beside a list, without room for a side of its own
 */
export function PostView({ postId, beside = false }: { postId: number; beside?: boolean }) {
  const texts = useTexts();
  const post = useQuery(postQuery(postId));
  const rights = useQuery({
    queryKey: ['capabilities', postId],
    queryFn: () => portal.posts.capabilities({ postId }),
  });
  const communities = useCommunities();
  const small = useMediaQuery('(max-width: 1000px)', false, { getInitialValueInEffect: false });
  const narrow = small || beside;
  const title = post.data?.title || texts.untitled;
  useTitle(post.data && !beside ? title : undefined);
  const isSettled = useSettled(postId, post.data?.tasksCount ?? 0, rights);
  const opened = post.data?.id;
  // An opened post is no longer new once the portal has recorded the view.
  useEffect(() => {
    if (opened === undefined) return;
    const timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['tree'] }), VIEW_NOTED);
    return () => clearTimeout(timer);
  }, [opened]);
  if (post.isPending) return <Loading />;
  if (post.isError) return <Failed query={post} />;
  const { communityId, customId, descriptionDelta, descriptionPlainText } = post.data;
  const community = communities.data?.find(({ id }) => id === communityId);
  // Until the rights are known, the post is read-only.
  const capabilities: Capabilities = rights.data ?? {};
  const hasTasks = capabilities.canCreateTask === true || (post.data.tasksCount ?? 0) > 0;
  const heading = <h1 dir="auto">{title}</h1>;
  const text = <RichText delta={descriptionDelta} plain={descriptionPlainText} />;
  const steps =
    !rights.isError && post.data.currentWorkflowState ? (
      <Panel fallback={<div className="steps" />} instead={null}>
        {rights.data ? <Steps post={post.data} capabilities={capabilities} /> : <div className="steps" />}
      </Panel>
    ) : null;
  const details = (
    <Panel>
      <PostDetails post={post.data} capabilities={capabilities} />
    </Panel>
  );
  return (
    <div className="post" key={postId} {...(beside && { 'data-beside': '' })}>
      <article>
        <div className="post-head">
          <p className="muted">
            {community && (
              <Link to="/community/$communityId" params={{ communityId: String(communityId) }}>
                {community.name}
              </Link>
            )}{' '}
            {customId}
          </p>
          {rights.data && (
            <Panel instead={null}>
              <LikePost post={post.data} capabilities={capabilities} />
              <FollowPost post={post.data} capabilities={capabilities} />
              <Actions post={post.data} capabilities={capabilities} />
              <PostKeys />
            </Panel>
          )}
        </div>
        {capabilities.canModify ? (
          <Panel fallback={heading} instead={heading}>
            <EditTitle post={post.data} />
          </Panel>
        ) : (
          heading
        )}
        <WorkflowLine post={post.data} />
        {narrow && steps}
        {narrow && (
          <details className="fold" open={beside}>
            <summary>{texts.details}</summary>
            {details}
          </details>
        )}
        {post.data.draft && rights.data && (
          <Panel instead={null}>
            <DraftNotice post={post.data} capabilities={capabilities} />
          </Panel>
        )}
        {capabilities.canAcknowledge && (
          <Panel instead={null}>
            <Acknowledge post={post.data} />
          </Panel>
        )}
        {post.data.event && rights.data && (
          <Panel>
            <Event post={post.data} event={post.data.event} capabilities={capabilities} />
          </Panel>
        )}
        <WithPictures postId={postId}>
          {capabilities.canModify ? (
            <Panel fallback={text} instead={text}>
              <EditText post={post.data} canAttach={capabilities.canEditAttachments === true} />
            </Panel>
          ) : (
            text
          )}
        </WithPictures>
        <Panel>
          <Attachments postId={postId} communityId={communityId!} canEdit={capabilities.canEditAttachments === true} />
        </Panel>
        {hasTasks && (
          <Panel>
            <Tasks post={post.data} capabilities={capabilities} />
          </Panel>
        )}
        {isSettled ? (
          <Activity
            postId={postId}
            communityId={communityId!}
            canAdd={rights.data && capabilities.canAddComment === true}
          />
        ) : (
          <section className="activity" aria-busy />
        )}
      </article>
      {!narrow && (
        <aside aria-label={texts.details}>
          {steps}
          {details}
        </aside>
      )}
    </div>
  );
}

/**
 * Whether all that stands above the comments is loaded, or failed to: what can be pressed in them
 * moves no more.
 */
function useSettled(
  postId: number,
  tasksCount: number,
  rights: { readonly isFetched: boolean; readonly data: Capabilities | undefined },
): boolean {
  const hasTasks = rights.data?.canCreateTask === true || tasksCount > 0;
  const files = useAttachments(postId);
  const tasks = useTasks(postId, hasTasks);
  const isEdited = rights.data !== undefined;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const done = () => setLoaded(true);
    if (isEdited) editing().then(done, done);
  }, [isEdited]);
  return rights.isFetched && files.isFetched && (!hasTasks || tasks.isFetched) && (!isEdited || isLoaded);
}

/** Comments, changes, or both. */
function Activity({
  postId,
  communityId,
  canAdd,
}: {
  postId: number;
  communityId: number;
  /** Undefined until it is known. */
  canAdd: boolean | undefined;
}) {
  const texts = useTexts();
  const [shown, setShown] = useState<'all' | 'comments' | 'changes'>('comments');
  const Shown = { all: AllActivity, comments: Comments, changes: History }[shown];
  return (
    <section className="activity">
      <SegmentedControl
        label={texts.activity}
        options={[
          { value: 'all', label: texts.all },
          { value: 'comments', label: texts.comments },
          { value: 'changes', label: texts.changes },
        ]}
        value={shown}
        onChange={setShown}
      />
      {shown !== 'changes' && canAdd && <CommentOpener postId={postId} communityId={communityId} />}
      {shown !== 'changes' && canAdd === false && <WhyNoComment postId={postId} />}
      <Panel key={shown}>
        <Shown postId={postId} communityId={communityId} />
      </Panel>
    </section>
  );
}

/** The reason why the caller cannot comment, in the words of the portal. */
function WhyNoComment({ postId }: { postId: number }) {
  const sentences = useSentences();
  const why = useQuery({
    queryKey: ['capabilities', postId, 'comment'],
    queryFn: async () => (await portal.explain.post({ postId, capability: 'canAddComment' })).items?.[0] ?? null,
  }).data;
  return why && !why.permitted ? <p className="muted">{explanationText(why, sentences)}</p> : null;
}

type Detail = Awaited<ReturnType<typeof portal.posts.get>>;

type Capabilities = Partial<Awaited<ReturnType<typeof portal.posts.capabilities>>>;

function PostDetails({ post, capabilities }: { post: Detail; capabilities: Capabilities }) {
  const texts = useTexts();
  const formats = useFormats();
  const communityId = post.communityId!;
  const definition = useDefinition(communityId);
  const values = post.customData ?? {};
  const fields =
    definition.data?.fieldDefinitions?.filter(
      ({ id, visibleInDetail }) => visibleInDetail !== false && values[String(id)] !== undefined,
    ) ?? [];
  const watchers = [
    ...(post.watcherUsers ?? post.watchers ?? []).map(nameOf),
    ...(post.watcherGroups ?? []).map(({ name }) => name),
  ];
  const screenFields = definition.data?.workflowDefinition?.screenFieldMetadatas ?? [];
  const screen = post.currentWorkflowScreenData ?? {};
  const shownFields = (
    <>
      {fields.map((field) => (
        <DetailRow key={field.id} name={field.label ?? ''}>
          <FieldValue field={field} value={values[String(field.id)]} />
        </DetailRow>
      ))}
    </>
  );
  return (
    <dl className="post-details">
      {post.currentWorkflowState && (
        <DetailRow name={texts.state}>
          <StateLabel state={post.currentWorkflowState} />
        </DetailRow>
      )}
      {screenFields
        .filter(({ id, visibleInDetail }) => visibleInDetail !== false && screen[String(id)] !== undefined)
        .map((field) => (
          <DetailRow key={field.id} name={field.label ?? ''}>
            <FieldValue field={field} value={screen[String(field.id)]} />
          </DetailRow>
        ))}
      {capabilities.canModify ? (
        <Panel fallback={shownFields} instead={shownFields}>
          <EditCustomFields post={post} />
        </Panel>
      ) : (
        shownFields
      )}
      <DetailRow name={texts.author}>
        <Link to="/people/$personId" params={{ personId: String(post.creatorUser?.id) }}>
          {nameOf(post.creatorUser)}
        </Link>
      </DetailRow>
      {post.importTimestamp !== undefined && (
        <DetailRow name={texts.imported}>{formats.moment(post.importTimestamp)}</DetailRow>
      )}
      {post.creationTimestamp !== undefined && (
        <DetailRow name={texts.created}>{formats.moment(post.creationTimestamp)}</DetailRow>
      )}
      {post.lastModifyTimestamp !== undefined && (
        <DetailRow name={texts.changed}>{formats.moment(post.lastModifyTimestamp)}</DetailRow>
      )}
      {watchers.length > 0 && <DetailRow name={texts.watchers}>{watchers.join(', ')}</DetailRow>}
      {(post.hashtags?.length ?? 0) > 0 && (
        <DetailRow name={texts.hashtags}>{post.hashtags!.map(({ name }) => `#${name}`).join(' ')}</DetailRow>
      )}
    </dl>
  );
}

function DetailRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
