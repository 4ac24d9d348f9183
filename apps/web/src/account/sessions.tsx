import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';

/** Browsers in which the caller is signed in. */
export function Sessions() {
  const texts = useTexts();
  const formats = useFormats();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => portal.auth.sessions() });
  const settled = { onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }) };
  const revoke = useMutation({
    mutationFn: (sessionId: number) => portal.auth.revokeSession({ sessionId }),
    ...settled,
  });
  const revokeOthers = useMutation({ mutationFn: () => portal.auth.revokeOtherSessions({}), ...settled });
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
            <Button variant="default" size="xs" mt={8} onClick={() => revoke.mutate(id!)}>
              {texts.endSession}
            </Button>
          )}
        </div>
      ))}
      {items.length > 1 && (
        <Button variant="default" mt={16} onClick={() => revokeOthers.mutate()}>
          {texts.endOthers}
        </Button>
      )}
    </section>
  );
}
