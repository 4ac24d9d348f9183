import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { portal } from '../portal.ts';
import { useTexts } from '../texts/index.ts';
import { FileList } from './file-list.tsx';

const EditAttachments = lazy(async () => ({ default: (await import('./editing/index.ts')).EditAttachments }));

/** Files of a post. */
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
  const { data } = useQuery({
    queryKey: ['attachments', postId],
    queryFn: () => portal.attachments.list({ postId, pageSize: 200 }),
    // Links to files are good for a quarter of an hour.
    refetchInterval: 600_000,
  });
  const files = data?.items ?? [];
  const list = <FileList files={files} />;
  if (files.length === 0 && !canEdit) return null;
  return (
    <section>
      {files.length > 0 && <h2>{texts.attachments}</h2>}
      {canEdit ? (
        <Suspense fallback={list}>
          <EditAttachments postId={postId} communityId={communityId} files={files} />
        </Suspense>
      ) : (
        list
      )}
    </section>
  );
}
