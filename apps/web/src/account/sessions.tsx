import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAttempt } from '../failures/attempt.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';

/** Browsers in which the caller is signed in. */
export function Sessions() {
  const texts = useTexts();
  const formats = useFormats();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => portal.auth.sessions() });
  const attempt = useAttempt();
  const end = (run: () => Promise<unknown>) =>
    attempt(async () => {
      await run();
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
    }, texts.sessionNotEnded);
  if (sessions.isPending) return <Loading />;
  if (sessions.isError) return <Failed query={sessions} />;
  const items = sessions.data.sessions ?? [];
  return (
    <section>
      <h2>{texts.sessions}</h2>
      {items.map(({ id, userAgent, address, lastUseTimestamp, current }) => (
        <div key={id} className="comment">
          <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
            {current ? <strong>{texts.thisBrowser}</strong> : userAgent}
          </p>
          <p className="muted" style={{ margin: 0 }}>
            {address} · {lastUseTimestamp !== undefined && texts.lastUsed(formats.moment(lastUseTimestamp))}
          </p>
          {!current && (
            <Button
              variant="default"
              size="xs"
              mt={8}
              onClick={() => void end(() => portal.auth.revokeSession({ sessionId: id! }))}
            >
              {texts.endSession}
            </Button>
          )}
        </div>
      ))}
      {items.length > 1 && (
        <Button variant="default" mt={16} onClick={() => void end(() => portal.auth.revokeOtherSessions({}))}>
          {texts.endOthers}
        </Button>
      )}
    </section>
  );
}
