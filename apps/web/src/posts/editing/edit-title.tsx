import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../texts/index.ts';
import { InPlace } from './in-place.tsx';
import { formQuery, type Part, type Post } from './save-part.ts';
import { usePart } from './use-part.ts';

export function EditTitle({ post }: { post: Post }) {
  const texts = useTexts();
  // The form is read ahead, so that editing begins at once.
  useQuery(formQuery(post));
  const part: Part<string> = {
    key: 'title',
    name: texts.title,
    read: ({ title = '' }) => title,
    write: (title) => ({ title: title.trim() }),
    same: (a, b) => a.trim() === b.trim(),
    merge: 'text',
  };
  const state = usePart(post, part);
  const shown = (title: string) => <h1 dir="auto">{title || texts.untitled}</h1>;
  return (
    <InPlace
      name={texts.title}
      className="in-place-title"
      state={state}
      view={shown(post.title ?? '')}
      // Beside others in a conflict it is no heading.
      show={(title) => (state.mode === 'conflict' ? <strong dir="auto">{title}</strong> : shown(title))}
      submitByEnter
      input={
        <Textarea
          variant="unstyled"
          aria-label={texts.title}
          autosize
          minRows={1}
          autoFocus
          dir="auto"
          value={state.value ?? ''}
          onChange={(event) => state.setValue(event.currentTarget.value.replace(/\n/g, ' '))}
        />
      }
    />
  );
}
