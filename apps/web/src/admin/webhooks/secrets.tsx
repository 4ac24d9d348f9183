import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Secret } from '../../account/secret.tsx';
import { portal } from '../../portal.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useWebhooksTexts } from './texts.ts';

/** The key of a webhook as its receiver needs it. */
interface Shown {
  readonly secret?: string;
  readonly publicKey?: string;
}

/** Shows a secret once, or a public key. */
export function ShownSecret({ shown: { secret, publicKey }, onClose }: { shown: Shown; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const label = secret === undefined ? words.publicKey : words.secret;
  return (
    <Dialog label={label} className="admin-dialog" closeOnOutsideClick={false} onClose={onClose}>
      <h2>{label}</h2>
      <p>{secret === undefined ? words.publicKeyHint : words.secretHint}</p>
      <Secret label={label} text={secret ?? publicKey ?? ''} />
      <div className="buttons">
        <Button onClick={onClose}>{texts.done}</Button>
      </div>
    </Dialog>
  );
}

/** Hours for which the secret before signs, at first. */
const OVERLAP = '24';

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateSecret({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const words = useWebhooksTexts();
  const [hours, setHours] = useState(OVERLAP);
  const [shown, setShown] = useState<Shown>();
  const { busy, faults, setFaults, send } = useSend();
  const rotate = async () => {
    if (!/^\d{1,9}$/.test(hours.trim())) return setFaults({ overlapHours: words.wholeNumber });
    await send(async () => setShown(await portal.webhooks.rotateSecret({ webhookId, overlapHours: Number(hours) })));
  };
  if (shown) return <ShownSecret shown={shown} onClose={onClose} />;
  return (
    <FormDialog
      label={words.rotate}
      className="admin-dialog"
      send={{ label: words.rotate, busy }}
      onSend={() => void rotate()}
      onClose={onClose}
    >
      <TextInput
        label={words.overlap}
        description={words.overlapHint}
        inputMode="numeric"
        error={faults['overlapHours']}
        value={hours}
        onChange={({ currentTarget: { value } }) => setHours(value)}
      />
      <Fault text={faultBeside(faults, ['overlapHours'])} />
    </FormDialog>
  );
}
