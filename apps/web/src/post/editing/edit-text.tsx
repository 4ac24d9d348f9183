import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { RichText } from '../../content/rich-text.tsx';
import { useDefinition } from '../../read.ts';
import { useTexts } from '../../texts/index.ts';
import { hashtagsOf } from '../../write/hashtags.ts';
import { useWriteTexts } from '../../write/texts.ts';
import { InPlace } from './in-place.tsx';
import type { Part, Post } from './save-part.ts';
import { usePart } from './use-part.ts';

const RichEditor = lazy(() => import('../../write/editor/rich-editor.tsx'));

/** The text of a post; a conflict is decided for the whole of it. */
export function EditText({ post, onFiles }: { post: Post; onFiles?: (files: readonly File[]) => void }) {
  const texts = { ...useTexts(), ...useWriteTexts() };
  const definition = useDefinition(post.communityId!).data;
  const part: Part<string> = {
    name: texts.description,
    read: ({ descriptionDelta = '' }) => (isBlank(descriptionDelta) ? '' : descriptionDelta),
    write: (description) => ({ description: description === '' ? null : description }),
    same: (a, b) => a === b,
  };
  const state = usePart(post, part);
  if (definition?.descriptionEnabled === 0 && !post.descriptionDelta) return null;
  const shown = (delta: string) => <RichText delta={delta} />;
  const empty = isBlank(post.descriptionDelta ?? '');
  return (
    <InPlace
      name={texts.description}
      className="in-place-text"
      state={state}
      view={
        empty ? (
          <p className="text muted">{texts.textPlaceholder}</p>
        ) : (
          <RichText delta={post.descriptionDelta} plain={post.descriptionPlainText} />
        )
      }
      show={shown}
      input={
        <>
          <Suspense fallback={<RichText delta={state.value} />}>
            <RichEditor
              label={texts.description}
              value={state.value ?? ''}
              onChange={state.setValue}
              people={{ of: 'people', postId: post.id }}
              hashtags={definition ? hashtagsOf(definition) : []}
              autoFocus
              {...(onFiles && { onFiles })}
            />
          </Suspense>
          <div className="buttons">
            <Button size="xs" onClick={() => state.leave()}>
              {texts.save}
            </Button>
            <Button size="xs" variant="default" onClick={state.close}>
              {texts.cancel}
            </Button>
          </div>
        </>
      }
    />
  );
}

const isBlank = (delta: string): boolean => delta === '' || /^\[\{"insert":"\s*(?:\\n)*"\}\]$/.test(delta);
