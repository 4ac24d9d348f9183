import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTexts } from '../texts/index.ts';

function listen(listener: () => void): () => void {
  for (const name of ['online', 'offline']) window.addEventListener(name, listener);
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, listener);
  };
}

/** Says that there is no connection, as long as that is so. */
export function OfflineNotice() {
  const texts = useTexts();
  const online = useSyncExternalStore(listen, () => navigator.onLine);
  if (online) return null;
  return (
    <p className="offline" role="status">
      <WifiOff size={14} aria-hidden /> {texts.offlineNow}
    </p>
  );
}
