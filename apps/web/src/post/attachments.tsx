import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { Viewer, viewOf } from './viewer.tsx';

/** Files of a post: pictures, videos and sounds open above the page, others as the browser shows them. */
export function Attachments({ postId }: { postId: number }) {
  const texts = useTexts();
  const formats = useFormats();
  const files = useQuery({
    queryKey: ['attachments', postId],
    queryFn: () => portal.attachments.list({ postId, pageSize: 200 }),
    // Links to files are good for a quarter of an hour.
    refetchInterval: 600_000,
  });
  const [open, setOpen] = useState<number>();
  const items = files.data?.items ?? [];
  if (items.length === 0) return null;
  const shown = items.find(({ id }) => id === open);
  return (
    <section>
      <h2>{texts.attachments}</h2>
      <ul className="files">
        {items.map(({ id, name, size, contentMimeType, temporaryContentViewLink, temporaryContentDownloadLink }) => (
          <li key={id}>
            <Paperclip size={14} aria-hidden />{' '}
            {temporaryContentViewLink !== undefined && viewOf(contentMimeType) ? (
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
          </li>
        ))}
      </ul>
      {shown?.temporaryContentViewLink !== undefined && (
        <Viewer
          name={shown.name ?? ''}
          address={shown.temporaryContentViewLink}
          mimeType={shown.contentMimeType}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}
