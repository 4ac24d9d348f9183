import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../texts/index.ts';
import { currentNotices, dismissNotice, NOTICE_TIME, type Notice, subscribeToNotices } from './notices.ts';

/** Notices, the latest last. They stay while they are pointed at or have the focus. */
export function NoticeList() {
  const notices = useSyncExternalStore(subscribeToNotices, currentNotices);
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <NoticeLine key={notice.key} notice={notice} />
      ))}
    </div>
  );
}

function NoticeLine({ notice: { key, text, action } }: { notice: Notice }) {
  const texts = useTexts();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissNotice(key), NOTICE_TIME);
    return () => clearTimeout(timer);
  }, [held, key]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but wait
    <div
      className="notice"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className="notice-action"
          onClick={() => {
            dismissNotice(key);
            void action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="tool" aria-label={texts.close} onClick={() => dismissNotice(key)}>
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
