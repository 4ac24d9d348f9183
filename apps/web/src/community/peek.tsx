import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { FieldValue } from '../content/field-value.tsx';
import { RichText } from '../content/rich-text.tsx';
import { portal } from '../portal.ts';
import { StateLabel } from '../post/state-label.tsx';
import { nameOf } from '../post/user-name.ts';
import { useDefinition } from '../read.ts';
import { useKeys } from '../shell/keys.ts';
import { Failed, Loading } from '../states.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useListTexts } from './texts.ts';

/** A post beside the list that it is in, to be read. */
export function Peek({ postId, close }: { postId: number; close: () => void }) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const post = useQuery({ queryKey: ['post', postId], queryFn: () => portal.posts.get({ postId }) });
  const fields = useDefinition(post.data?.communityId ?? 0, post.data !== undefined).data?.fieldDefinitions ?? [];
  useKeys([{ key: 'Escape', label: texts.close, run: close }]);
  const values = post.data?.customData ?? {};
  return (
    <aside className="peek" aria-label={post.data?.title || texts.untitled}>
      <header>
        <span className="muted">{post.data?.customId}</span>
        <Link to="/post/$postId" params={{ postId: String(postId) }} className="quiet" title={list.openFull}>
          <Maximize2 size={14} aria-hidden /> {list.openFull}
        </Link>
        <button type="button" className="quiet" aria-label={texts.close} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {post.isPending ? (
        <Loading />
      ) : post.isError ? (
        <Failed error={post.error} retry={() => void post.refetch()} />
      ) : (
        <>
          <h2>{post.data.title || texts.untitled}</h2>
          <dl className="peek-facts">
            {post.data.currentWorkflowState && (
              <div>
                <dt>{texts.state}</dt>
                <dd>
                  <StateLabel state={post.data.currentWorkflowState} />
                </dd>
              </div>
            )}
            {fields
              .filter(({ id, visibleInDetail }) => visibleInDetail !== false && values[String(id)] !== undefined)
              .map((field) => (
                <div key={field.id}>
                  <dt>{field.label}</dt>
                  <dd>
                    <FieldValue field={field} value={values[String(field.id)]} />
                  </dd>
                </div>
              ))}
            <div>
              <dt>{texts.author}</dt>
              <dd>
                {nameOf(post.data.creatorUser)}
                {post.data.creationTimestamp !== undefined && `, ${formats.moment(post.data.creationTimestamp)}`}
              </dd>
            </div>
          </dl>
          <RichText delta={post.data.descriptionDelta} plain={post.data.descriptionPlainText} />
        </>
      )}
    </aside>
  );
}
