import { visibleName } from '@portico/sdk';
import { Paperclip, RotateCw, X } from 'lucide-react';
import { useFormats } from '../texts/index.ts';
import { useWriteTexts } from './texts.ts';
import type { Uploads } from './uploads.ts';

/** Files to attach, each with its progress. */
export function UploadList({
  uploads: { uploads, remove, retry },
  most,
}: {
  uploads: Uploads;
  most?: number | undefined;
}) {
  const texts = useWriteTexts();
  const formats = useFormats();
  if (uploads.length === 0) return null;
  const named = uploads.map((upload) => ({ ...upload, name: visibleName(upload.name) }));
  return (
    <ul className="uploads" aria-label={texts.files}>
      {named.map(({ key, name, size, state, sent, preview }) => (
        <li key={key} data-state={state}>
          {preview ? <img src={preview} alt="" /> : <Paperclip size={16} aria-hidden />}
          <span className="upload-name">
            <bdi>{name}</bdi>
            {state === 'failed' && <span className="fault">{texts.uploadFailed}</span>}
            {state === 'large' && <span className="fault">{texts.tooLarge(formats.bytes(most ?? 0))}</span>}
            {state === 'sending' && (
              <progress aria-label={texts.uploadProgress(name)} max={Math.max(size, 1)} value={sent} />
            )}
            {state === 'done' && <span className="muted">{formats.bytes(size)}</span>}
          </span>
          {state === 'failed' && (
            <button
              type="button"
              className="tool"
              aria-label={texts.retryUpload(name)}
              title={texts.retryUpload(name)}
              onClick={() => retry(key)}
            >
              <RotateCw size={14} aria-hidden />
            </button>
          )}
          <button
            type="button"
            className="tool"
            aria-label={state === 'sending' ? texts.cancelUpload(name) : texts.removeFile(name)}
            title={state === 'sending' ? texts.cancelUpload(name) : texts.removeFile(name)}
            onClick={() => remove(key)}
          >
            <X size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
