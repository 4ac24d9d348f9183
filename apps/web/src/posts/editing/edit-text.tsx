import { Button } from '@mantine/core';
import { RichText } from '../../content/rich-text.tsx';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { useDefinition } from '../../shared-queries.ts';
import { hashtagsOf } from '../../write/hashtags.ts';
import { useAllTexts } from '../../write/texts.ts';
import { UploadList } from '../../write/upload-list.tsx';
import { useAttachments } from '../use-attachments.ts';
import { useAttachUploads } from './edit-attachments.tsx';
import { InPlace } from './in-place.tsx';
import type { Part, Post } from './save-part.ts';
import { usePart } from './use-part.ts';

const RichEditor = part(() => import('../../write/editor/rich-editor.tsx'), 'default');

/** The text of a post. */
export function EditText({ post, canAttach }: { post: Post; canAttach: boolean }) {
  const texts = useAllTexts();
  const definition = useDefinition(post.communityId!).data;
  const part: Part<string> = {
    key: 'text',
    name: texts.description,
    read: ({ descriptionDelta = '' }) => (isBlank(descriptionDelta) ? '' : descriptionDelta),
    write: (description) => ({ description: description === '' ? null : description }),
    same: (a, b) => a === b,
    merge: 'richText',
  };
  const state = usePart(post, part);
  const names = useAttachments(post.id!).data?.items?.flatMap(({ name }) => name ?? []);
  const { uploads, most } = useAttachUploads(post.id!, post.communityId!, names);
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
          <Panel fallback={<RichText delta={state.value} />}>
            <RichEditor
              label={texts.description}
              value={state.value ?? ''}
              onChange={state.setValue}
              people={{ of: 'people', postId: post.id }}
              hashtags={definition ? hashtagsOf(definition) : []}
              autoFocus
              {...(canAttach && { onFiles: uploads.add, onPictures: uploads.add })}
            />
          </Panel>
          <UploadList uploads={uploads} most={most} />
          <div className="buttons">
            <Button size="xs" onClick={() => state.finish()}>
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
