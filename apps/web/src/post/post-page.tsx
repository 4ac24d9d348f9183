import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FieldValue } from '../content/field-value.tsx';
import { RichText } from '../content/rich-text.tsx';
import { portal } from '../portal.ts';
import { useCommunities, useDefinition } from '../read.ts';
import { Failed, Loading } from '../states.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { Attachments } from './attachments.tsx';
import { Comments } from './comments.tsx';
import { History } from './history.tsx';
import { StateLabel } from './state-label.tsx';
import { nameOf } from './user-name.ts';
import { WorkflowLine } from './workflow-line.tsx';

/** One post: its text, its attachments and comments, and beside them what is known of it. */
export function PostPage() {
  const texts = useTexts();
  const postId = Number(useParams({ from: '/shell/post/$postId' }).postId);
  const post = useQuery({ queryKey: ['post', postId], queryFn: () => portal.posts.get({ postId }) });
  const communities = useCommunities();
  const title = post.data?.title || texts.untitled;
  useEffect(() => {
    if (post.data) document.title = `${title} · Portico`;
  }, [post.data, title]);
  if (post.isPending) return <Loading />;
  if (post.isError) return <Failed error={post.error} retry={() => void post.refetch()} />;
  const { communityId, customId, descriptionDelta, descriptionPlainText } = post.data;
  const community = communities.data?.find(({ id }) => id === communityId);
  return (
    <div className="post">
      <article>
        <p className="muted">
          {community && (
            <Link to="/community/$communityId" params={{ communityId: String(communityId) }}>
              {community.name}
            </Link>
          )}{' '}
          {customId}
        </p>
        <h1>{title}</h1>
        <WorkflowLine post={post.data} />
        <RichText delta={descriptionDelta} plain={descriptionPlainText} />
        <Attachments postId={postId} />
        <Stream postId={postId} communityId={communityId!} />
      </article>
      <Facts post={post.data} />
    </div>
  );
}

/** Comments, or what was changed. */
function Stream({ postId, communityId }: { postId: number; communityId: number }) {
  const texts = useTexts();
  const [shown, setShown] = useState<'comments' | 'changes'>('comments');
  return (
    <section className="stream">
      <SegmentedControl
        aria-label={texts.stream}
        value={shown}
        onChange={(value) => setShown(value as typeof shown)}
        data={[
          { value: 'comments', label: texts.comments },
          { value: 'changes', label: texts.changes },
        ]}
      />
      {shown === 'comments' ? <Comments postId={postId} /> : <History postId={postId} communityId={communityId} />}
    </section>
  );
}

type Detail = Awaited<ReturnType<typeof portal.posts.get>>;

function Facts({ post }: { post: Detail }) {
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
  const facts: [string, React.ReactNode][] = [
    ...(post.currentWorkflowState
      ? [[texts.state, <StateLabel key="state" state={post.currentWorkflowState} />] as [string, React.ReactNode]]
      : []),
    ...fields.map((field): [string, React.ReactNode] => [
      field.label ?? '',
      <FieldValue key={field.id} field={field} value={values[String(field.id)]} />,
    ]),
    [texts.author, nameOf(post.creatorUser)],
    ...(post.creationTimestamp === undefined
      ? []
      : [[texts.created, formats.moment(post.creationTimestamp)] as [string, string]]),
    ...(post.lastModifyTimestamp === undefined
      ? []
      : [[texts.changed, formats.moment(post.lastModifyTimestamp)] as [string, string]]),
    ...(watchers.length > 0 ? [[texts.watchers, watchers.join(', ')] as [string, string]] : []),
    ...((post.hashtags?.length ?? 0) > 0
      ? [[texts.hashtags, post.hashtags!.map(({ name }) => `#${name}`).join(' ')] as [string, string]]
      : []),
  ];
  return (
    <aside aria-label={texts.details}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
