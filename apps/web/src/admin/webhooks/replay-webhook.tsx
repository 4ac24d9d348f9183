import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { showNotice } from '../../write/notices.ts';
import { useSend } from '../use-send.ts';
import { useWebhooksTexts } from './texts.ts';

/** Sends changes to a webhook again, from a number on. */
export function ReplayWebhook({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const words = useWebhooksTexts();
  const formats = useFormats();
  const [from, setFrom] = useState('');
  const { busy, faults, setFaults, send } = useSend();
  const replay = async () => {
    if (!/^\d{1,15}$/.test(from.trim())) return setFaults({ fromNumber: words.wholeNumber });
    const sent = await send(async () => {
      const { fromNumber = 0, toNumber = 0 } = await portal.webhooks.replay({ webhookId, fromNumber: Number(from) });
      showNotice(words.replayed(formats.number(fromNumber), formats.number(toNumber)));
    });
    if (sent) onClose();
  };
  return (
    <FormDialog
      label={words.replay}
      className="admin-dialog"
      send={{ label: words.replay, busy }}
      onSend={() => void replay()}
      onClose={onClose}
    >
      <TextInput
        label={words.replayFrom}
        description={words.replayHint}
        inputMode="numeric"
        required
        error={faults['fromNumber']}
        value={from}
        onChange={({ currentTarget: { value } }) => setFrom(value)}
      />
      <Fault text={faultBeside(faults, ['fromNumber'])} />
    </FormDialog>
  );
}
