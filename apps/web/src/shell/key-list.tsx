import { version } from '@portico/sdk';
import { X } from 'lucide-react';
import { useTexts } from '../texts/index.ts';
import { Dialog } from './dialog.tsx';
import { useRegisteredKeys } from './keys.ts';

const KEY_SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  ' ': '␣',
  Escape: 'Esc',
};

/** A key as printed on keyboards. */
export function KeyCaps({ name }: { name: string }) {
  return name.split(' ').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
    <kbd key={index}>
      {(part || ' ')
        .split('+')
        .map((key) => (key === 'mod' ? 'Ctrl' : (KEY_SYMBOLS[key] ?? key.toUpperCase())))
        .join(' ')}
    </kbd>
  ));
}

/** The keyboard shortcuts of the open page, and the version of Portico. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const texts = useTexts();
  const keys = useRegisteredKeys();
  return (
    <Dialog label={texts.keys} onClose={onClose}>
      <header className="dialog-head">
        <h2>{texts.keys}</h2>
        <button type="button" className="quiet" aria-label={texts.close} onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <dl className="key-list">
        {keys.map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <KeyCaps name={key === ' ' ? ' ' : key} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted">Portico {version}</p>
    </Dialog>
  );
}
