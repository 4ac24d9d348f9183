import { type PostAttachmentData, type PostCommentAttachment, visibleName } from '@portico/sdk';
import { Paperclip } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../texts/index.ts';
import { Viewer, viewOf } from './viewer.tsx';

/** Largest picture shown in full size if it has no preview. Bytes. */
const SMALL = 500_000;

/**
 * Files: pictures as thumbnails, others by name. Types with a viewer in the page open in a dialog.
 */
export function FileList<F extends PostAttachmentData | PostCommentAttachment>({
  files,
  tools,
}: {
  files: readonly F[];
  /** Actions on a file, after its name. */
  tools?: (file: F) => ReactNode;
}) {
  const formats = useFormats();
  const [open, setOpen] = useState<number>();
  if (files.length === 0) return null;
  const shown = files.find(({ id }) => id === open);
  return (
    <>
      <ul className="files">
        {files.map((file) => {
          const { id, name, size, contentMimeType, temporaryContentViewLink, temporaryContentDownloadLink } = file;
          const shownName = <bdi>{visibleName(name ?? '')}</bdi>;
          const small = (size ?? SMALL) < SMALL ? temporaryContentViewLink : undefined;
          const picture =
            file.temporaryContentPreviewImageLink ?? (viewOf(contentMimeType) === 'image' ? small : undefined);
          const opens = temporaryContentViewLink !== undefined && viewOf(contentMimeType) !== undefined;
          return (
            <li key={id}>
              {picture === undefined && <Paperclip size={14} aria-hidden />}
              {/* The name beside it does the same for the keyboard and screen readers. */}
              {picture !== undefined && opens && (
                <button type="button" className="link" tabIndex={-1} aria-hidden onClick={() => setOpen(id)}>
                  <img src={picture} alt="" className="thumb" loading="lazy" />
                </button>
              )}
              {picture !== undefined && !opens && <img src={picture} alt="" className="thumb" loading="lazy" />}
              <span className="file-name">
                {opens ? (
                  <button type="button" className="link" onClick={() => setOpen(id)}>
                    {shownName}
                  </button>
                ) : (
                  <a
                    href={temporaryContentViewLink ?? temporaryContentDownloadLink}
                    target="_blank"
                    rel="noopener noreferrer"
                  >
                    {shownName}
                  </a>
                )}{' '}
                {size !== undefined && <span className="muted">{formats.bytes(size)}</span>}
              </span>
              {tools?.(file)}
            </li>
          );
        })}
      </ul>
      {shown?.temporaryContentViewLink !== undefined && (
        <Viewer
          name={shown.name ?? ''}
          address={shown.temporaryContentViewLink}
          mimeType={shown.contentMimeType}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
