import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { portal, queries } from '../portal.ts';
import { useMe } from '../read.ts';
import { Failed, Loading } from '../states.tsx';
import { useFormats, useTexts } from '../texts/index.ts';

/** The caller's own account: appearance, and where they are signed in. */
export function AccountPage() {
  const texts = useTexts();
  const me = useMe().data?.userData;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="post" style={{ gridTemplateColumns: 'minmax(0, 720px)' }}>
      <div>
        <h1>{[me?.firstName, me?.lastName].filter(Boolean).join(' ')}</h1>
        <p className="muted">{me?.contactEmail}</p>
        <h2>{texts.appearance}</h2>
        <SegmentedControl
          aria-label={texts.appearance}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={[
            { value: 'auto', label: texts.system },
            { value: 'light', label: texts.light },
            { value: 'dark', label: texts.dark },
          ]}
        />
        <Sessions />
      </div>
    </div>
  );
}

function Sessions() {
  const texts = useTexts();
  const formats = useFormats();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => portal.auth.sessions() });
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }) };
  const revoke = useMutation({
    mutationFn: (sessionId: number) => portal.auth.revokeSession({ sessionId }),
    ...settled,
  });
  const revokeOthers = useMutation({ mutationFn: () => portal.auth.revokeOtherSessions({}), ...settled });
  if (sessions.isPending) return <Loading />;
  if (sessions.isError) return <Failed error={sessions.error} retry={() => void sessions.refetch()} />;
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
