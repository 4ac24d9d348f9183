import { type ReactNode, useCallback } from 'react';
import { PicturesContext } from '../content/pictures.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { useTexts } from '../texts/index.ts';
import { FileList } from './file-list.tsx';
import { useAnchor } from './use-anchor.ts';
import { useAttachments } from './use-attachments.ts';
import { viewOf } from './viewer.tsx';

const EditAttachments = part(() => import('./editing/index.ts'), 'EditAttachments');

/** The text of a post, with the pictures among the files of the post that it shows. */
export function WithPictures({ postId, children }: { postId: number; children: ReactNode }) {
  const files = useAttachments(postId).data?.items;
  const find = useCallback(
    (wanted: string) => {
      const file = files?.find(({ name, contentMimeType }) => name === wanted && viewOf(contentMimeType) === 'image');
      return file?.temporaryContentViewLink;
    },
    [files],
  );
  return <PicturesContext value={find}>{children}</PicturesContext>;
}

/** The files of a post, and a button that attaches others. */
export function Attachments({
  postId,
  communityId,
  canEdit,
}: {
  postId: number;
  communityId: number;
  canEdit: boolean;
}) {
  const texts = useTexts();
  const { data } = useAttachments(postId);
  const files = data?.items ?? [];
  const anchor = useAnchor('attachments', data !== undefined);
  const list = <FileList files={files} />;
  if (files.length === 0 && !canEdit) return null;
  return (
    <section {...anchor}>
      {files.length > 0 && <h2>{texts.attachments}</h2>}
      {canEdit ? (
        <Panel fallback={list} instead={list}>
          <EditAttachments postId={postId} communityId={communityId} files={files} />
        </Panel>
      ) : (
        list
      )}
    </section>
  );
}
