import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ShownField } from '../content/shown-field.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { EditField } from '../posts/editing/edit-field.tsx';
import { explanationText } from '../posts/explanation-text.ts';
import { useSentences } from '../posts/use-sentences.ts';
import { postQuery } from '../shared-queries.ts';
import { Dialog } from '../shell/dialog.tsx';
import { useTexts } from '../texts/index.ts';
import type { ListedPost } from './use-posts.ts';
import '../posts/editing/editing.css';
import '../write/write.css';

/**
 * The editor of a single field of a post in a list, or the reason why the field cannot be edited.
 */
export function CellEditor({
  post: { id, title },
  field,
  onClose,
}: {
  post: ListedPost;
  field: ShownField;
  onClose: () => void;
}) {
  const texts = useTexts();
  const sentences = useSentences();
  const postId = id!;
  const box = useRef<HTMLDivElement>(null);
  const post = useQuery(postQuery(postId));
  const why = useQuery({
    queryKey: ['capabilities', postId, 'edit'],
    queryFn: async () => (await portal.explain.post({ postId, capability: 'canModify' })).items?.[0] ?? {},
  });
  const ready = post.data !== undefined && why.data?.permitted === true;
  useEffect(() => {
    if (ready) box.current?.querySelector<HTMLElement>('.in-place-button')?.click();
  }, [ready]);
  const content = () => {
    const failed = post.error ?? why.error;
    if (failed) {
      return <Failed query={{ error: failed, refetch: () => post.refetch().then(() => why.refetch()) }} />;
    }
    if (!post.data || !why.data) return <Loading />;
    if (!why.data.permitted) return <p>{explanationText(why.data, sentences)}</p>;
    if (field.visibleInEdit === false || field.readonly) return <p>{texts.readOnlyField}</p>;
    return (
      <div ref={box}>
        <EditField post={post.data} field={field} inList onEnd={() => box.current?.closest('dialog')?.close()} />
      </div>
    );
  };
  return (
    <Dialog label={field.label ?? ''} onClose={onClose}>
      <h2>{field.label}</h2>
      <p className="muted clip">{title || texts.untitled}</p>
      {content()}
    </Dialog>
  );
}
