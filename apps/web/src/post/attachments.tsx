import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { portal } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';

/** Files of a post, each with a link to the file itself. */
export function Attachments({ postId }: { postId: number }) {
  const texts = useTexts();
  const formats = useFormats();
  const files = useQuery({
    queryKey: ['attachments', postId],
    queryFn: () => portal.attachments.list({ postId, pageSize: 200 }),
    // Links to files are good for a quarter of an hour.
    refetchInterval: 600_000,
  });
  const items = files.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section>
      <h2>{texts.attachments}</h2>
      <ul className="files">
        {items.map(({ id, name, size, temporaryContentViewLink, temporaryContentDownloadLink }) => (
          <li key={id}>
            <Paperclip size={14} aria-hidden />{' '}
            <a
              href={temporaryContentViewLink ?? temporaryContentDownloadLink}
              target="_blank"
              rel="noopener noreferrer"
            >
              {name}
            </a>{' '}
            {size !== undefined && <span className="muted">{formats.bytes(size)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
