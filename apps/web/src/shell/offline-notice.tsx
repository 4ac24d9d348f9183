import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { isReachable, subscribeToConnection } from '../offline/connection.ts';
import { useTexts } from '../texts/index.ts';

/** Says that the portal cannot be reached, as long as that is so. */
export function OfflineNotice() {
  const texts = useTexts();
  const reachable = useSyncExternalStore(subscribeToConnection, isReachable);
  if (reachable) return null;
  return (
    <p className="offline" role="status">
      <WifiOff size={14} aria-hidden /> {navigator.onLine ? texts.unreachableNow : texts.offlineNow}
    </p>
  );
}
