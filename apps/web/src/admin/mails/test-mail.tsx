import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { portal, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { useSend } from '../use-send.ts';
import { useMailsTexts } from './texts.ts';

type Mail = NonNullable<Output<'listMails'>['items']>[number];
/** A test message that was asked for. */
type Sent = Output<'sendTestMail'>;

/** Time between two looks at a message that is under way. Milliseconds. */
const LOOK_MS = 2_000;
/** Mails among which the message is sought, the newest first. */
const SOUGHT = 100;

/** The state of the button that sends a test message. */
export function useTestMail(onSent: (sent: Sent) => void) {
  const words = useMailsTexts();
  const { busy, faults, send } = useSend();
  return {
    fault: faults['contactEmail'] === undefined ? faults[''] : words.noAddress,
    button: (
      <Button
        variant="default"
        disabled={busy}
        onClick={() => void send(async () => onSent(await portal.mails.sendTest()))}
      >
        {words.test}
      </Button>
    ),
  };
}

/** Tells what becomes of a test message, until it is sent or given up. */
export function TestMail({ sent: { mailId, recipient }, fault }: { sent: Partial<Sent>; fault: string | undefined }) {
  const words = useMailsTexts();
  const found = useQuery({
    queryKey: ['admin', 'test-mail', mailId],
    queryFn: async ({ signal }) => {
      const { items = [] } = await portal.mails.list({ pageSize: SOUGHT }, { signal });
      return items.find(({ id }) => id === mailId) ?? null;
    },
    enabled: mailId !== undefined,
    refetchInterval: ({ state: { data } }) => (data && data.state !== 'waiting' ? false : LOOK_MS),
  });
  const outcome = useOutcome(found.data ?? undefined);
  useEffect(() => {
    if (outcome !== '') void queryClient.invalidateQueries({ queryKey: ['admin', 'mails'] });
  }, [outcome]);
  return (
    <>
      <Fault text={fault} />
      {mailId !== undefined && (
        <section className="admin-note" role="status" aria-label={words.testTo(recipient ?? '')}>
          <p>
            <strong>{words.testTo(recipient ?? '')}</strong>
          </p>
          <p>{outcome}</p>
        </section>
      )}
    </>
  );
}

function useOutcome(mail: Mail | undefined): string {
  const words = useMailsTexts();
  const formats = useFormats();
  if (!mail) return words.testQueued;
  const { state, error = '', nextAttemptTimestamp: next } = mail;
  if (state === 'sent') return words.testSent;
  if (state === 'unsent') return words.states.unsent;
  if (state === 'failed') return words.testFailed(error);
  return error === '' || next === undefined ? words.testQueued : words.testTried(error, formats.moment(next));
}
