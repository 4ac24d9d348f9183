import type { PostAttachmentData } from '@portico/sdk';
import { Paperclip } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats } from '../texts/index.ts';
import { Viewer, viewOf } from './viewer.tsx';

/** Pictures below this many bytes are shown where there is no preview of them. */
const SMALL = 500_000;

/** Files: pictures as such, others by name. What the page can show opens above it. */
export function FileList({
  files,
  tools,
}: {
  files: readonly PostAttachmentData[];
  /** What can be done with a file, after its name. */
  tools?: (file: PostAttachmentData) => ReactNode;
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
          const small = (size ?? SMALL) < SMALL ? temporaryContentViewLink : undefined;
          const picture = file.temporaryContentPreviewImageLink ?? small;
          const opens = temporaryContentViewLink !== undefined && viewOf(contentMimeType) !== undefined;
          return (
            <li key={id}>
              {picture !== undefined && viewOf(contentMimeType) === 'image' ? (
                // The name beside it does the same for the keyboard and screen readers.
                <button type="button" className="link" tabIndex={-1} aria-hidden onClick={() => setOpen(id)}>
                  <img src={picture} alt="" className="thumb" loading="lazy" />
                </button>
              ) : (
                <Paperclip size={14} aria-hidden />
              )}
              <span className="file-name">
                {opens ? (
                  <button type="button" className="link" onClick={() => setOpen(id)}>
                    {name}
                  </button>
                ) : (
                  <a
                    href={temporaryContentViewLink ?? temporaryContentDownloadLink}
                    target="_blank"
                    rel="noopener noreferrer"
                  >
                    {name}
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
