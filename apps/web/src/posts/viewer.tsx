import { visibleName } from '@portico/sdk';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTexts } from '../texts/index.ts';

/** The element that shows a file in the page; undefined for types that are opened or downloaded instead. */
export function viewOf(mimeType: string | undefined): 'image' | 'video' | 'audio' | undefined {
  const [family, form] = (mimeType ?? '').split('/');
  // A drawing in SVG is a document of its own.
  if (family === 'image' && !form?.startsWith('svg')) return 'image';
  return family === 'video' || family === 'audio' ? family : undefined;
}

/** A picture, video or sound in a dialog. */
export function Viewer({
  name,
  address,
  mimeType,
  onClose,
}: {
  name: string;
  address: string;
  mimeType: string | undefined;
  onClose: () => void;
}) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const view = viewOf(mimeType);
  return (
    <dialog ref={dialog} className="viewer" aria-label={visibleName(name)} onClose={onClose}>
      <header>
        <span>
          <bdi>{visibleName(name)}</bdi>
        </span>
        <button type="button" className="quiet" aria-label={texts.close} onClick={() => dialog.current?.close()}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {view === 'image' && <img src={address} alt={visibleName(name)} />}
      {/* biome-ignore lint/a11y/useMediaCaption: files of people come without captions */}
      {view === 'video' && <video src={address} controls autoPlay />}
      {/* biome-ignore lint/a11y/useMediaCaption: files of people come without captions */}
      {view === 'audio' && <audio src={address} controls autoPlay />}
    </dialog>
  );
}
