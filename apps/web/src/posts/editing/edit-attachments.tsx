import { type PostAttachmentData, visibleName } from '@portico/sdk';
import { Paperclip, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { portal, queryClient } from '../../portal.ts';
import { useDefinition } from '../../shared-queries.ts';
import { useShowError } from '../../write/faults.ts';
import { useAllTexts } from '../../write/texts.ts';
import { UploadList } from '../../write/upload-list.tsx';
import { useUploads } from '../../write/uploads.ts';
import { useRemoval } from '../../write/use-removal.ts';
import { FileList } from '../file-list.tsx';

const refetch = (postId: number) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, id] }) => ['attachments', 'post', 'history'].includes(String(kind)) && id === postId,
  });

/** Attaches files to a post once they are uploaded. @param names of files that are there: no other file gets them */
export function useAttachUploads(postId: number, communityId: number, names: readonly string[] = []) {
  const most = useDefinition(communityId).data?.attachmentMaxSize;
  const uploads = useUploads(most, [], names);
  const taken = useRef(new Set<number>());
  const showError = useShowError();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each file that arrived is attached once
  useEffect(() => {
    for (const { key, state, name, contentRef } of uploads.uploads) {
      if (state !== 'done' || contentRef === undefined || taken.current.has(key)) continue;
      taken.current.add(key);
      const attach = async (): Promise<void> => {
        try {
          await portal.attachments.updateOnPost({ postId, addAttachments: [{ name, contentRef }] });
          await refetch(postId);
        } catch (error) {
          showError(error, attach);
        }
      };
      void attach().finally(() => uploads.remove(key));
    }
  }, [uploads.uploads]);
  return { uploads, most, showError };
}

/** The files of a post, each with a button that removes it, and uploads, which are attached once they are complete. */
export function EditAttachments({
  postId,
  communityId,
  files,
}: {
  postId: number;
  communityId: number;
  files: readonly PostAttachmentData[];
}) {
  const texts = useAllTexts();
  const { uploads, most } = useAttachUploads(postId, communityId);
  const input = useRef<HTMLInputElement>(null);
  // Files that are pasted or dropped anywhere on the page of the post, but not into what is being written.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listeners do not change
  useEffect(() => {
    const take = (event: Event, data: DataTransfer | null) => {
      const found = [...(data?.files ?? [])];
      if (found.length === 0 || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      uploads.add(found);
    };
    const paste = (event: ClipboardEvent) => take(event, event.clipboardData);
    const drop = (event: DragEvent) => take(event, event.dataTransfer);
    const over = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault();
    document.addEventListener('paste', paste);
    document.addEventListener('drop', drop);
    document.addEventListener('dragover', over);
    return () => {
      document.removeEventListener('paste', paste);
      document.removeEventListener('drop', drop);
      document.removeEventListener('dragover', over);
    };
  }, []);
  const removal = useRemoval();
  const remove = ({ id, name = '' }: PostAttachmentData) =>
    removal({
      text: texts.fileRemoved(visibleName(name)),
      remove: () => portal.attachments.updateOnPost({ postId, removeAttachmentIds: [id!] }),
      restore: () => portal.attachments.updateOnPost({ postId, restoreAttachmentIds: [id!] }),
      refetch: () => refetch(postId),
    });
  return (
    <>
      <FileList
        files={files}
        tools={(file) => (
          <button
            type="button"
            className="tool"
            aria-label={texts.removeFile(visibleName(file.name ?? ''))}
            title={texts.removeFile(visibleName(file.name ?? ''))}
            onClick={() => void remove(file)}
          >
            <X size={14} aria-hidden />
          </button>
        )}
      />
      <UploadList uploads={uploads} most={most} />
      <button type="button" className="quiet muted add-field" onClick={() => input.current?.click()}>
        <Paperclip size={14} aria-hidden /> {texts.attach}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.attach}
        onChange={({ currentTarget }) => {
          uploads.add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
