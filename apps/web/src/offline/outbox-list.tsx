import { Link } from '@tanstack/react-router';
import { Send, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { reasonOf } from '../failures/attempt.ts';
import { queryClient } from '../portal.ts';
import { useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';
import { onReturn } from './connection.ts';
import { dropWrite, type KeptWrite, keptWrites, load, sendAll, sendNow, subscribeToOutbox } from './outbox.ts';

/** Writing that waits to be sent. It is sent when the portal can be reached again. */
export function OutboxList() {
  const texts = useTexts();
  const writes = useSyncExternalStore(subscribeToOutbox, keptWrites);
  const told = {
    sent: ({ label }: KeptWrite) => {
      showNotice(texts.writingSent(label));
      void queryClient.invalidateQueries();
    },
    problemOf: (error: unknown) => reasonOf(error, texts),
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts do not change
  useEffect(() => {
    const send = () => void sendAll(told);
    void load().then(send);
    return onReturn(send);
  }, []);
  if (writes.length === 0) return null;
  const problemOf = ({ problem, old }: KeptWrite) => problem ?? (old ? texts.writingOld : texts.writingWaits);
  return (
    <section className="outbox" aria-label={texts.unsentWriting}>
      <h2>{texts.unsentWriting}</h2>
      <ul>
        {writes.map((one) => (
          <li key={one.key}>
            {one.postId === undefined ? (
              <bdi>{one.label}</bdi>
            ) : (
              <Link to="/post/$postId" params={{ postId: String(one.postId) }}>
                <bdi>{one.label}</bdi>
              </Link>
            )}
            <span className="muted">{problemOf(one)}</span>
            <button
              type="button"
              className="small"
              onClick={() => void sendNow(one, told).catch((error) => showNotice(reasonOf(error, texts)))}
            >
              <Send size={14} aria-hidden /> {texts.sendNow}
            </button>
            <button
              type="button"
              className="small icon"
              aria-label={texts.discardWriting(one.label)}
              onClick={() => void dropWrite(one)}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
