import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Secret } from '../../account/secret.tsx';
import { portal } from '../../portal.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { instantOf } from '../../texts/time-zone.ts';
import { DayInput } from '../../write/day-input.tsx';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAccountsTexts } from './texts.ts';

/** The end of a day in the time zone of the account. Epoch milliseconds. */
const endOf = (day: string): number => instantOf(`${day}T23:59:59`);

/** Creates a key of a service account, and shows its file once. */
export function NewKey({ accountId, onClose }: { accountId: number; onClose: () => void }) {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [others, setOthers] = useState('');
  const [keyFile, setKeyFile] = useState<string>();
  const { busy, faults, send } = useSend();
  const create = () =>
    send(async () => {
      const answer = await portal.serviceAccounts.createKey({
        serviceAccountId: accountId,
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(expires !== '' && { expiryTimestamp: endOf(expires) }),
        ...(others !== '' && { otherKeysExpiryTimestamp: endOf(others) }),
      });
      setKeyFile(JSON.stringify(answer.keyFile, null, 2));
    });
  if (keyFile !== undefined)
    return (
      <Dialog label={words.keyFile} className="admin-dialog" closeOnOutsideClick={false} onClose={onClose}>
        <h2>{words.keyFile}</h2>
        <p>{words.keyFileHint}</p>
        <Secret label={words.keyFile} text={keyFile} />
        <div className="buttons">
          <Button onClick={onClose}>{texts.done}</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      label={words.newKey}
      className="admin-dialog"
      send={{ label: texts.create, busy }}
      onSend={() => void create()}
      onClose={onClose}
    >
      <TextInput
        label={words.keyName}
        error={faults['name']}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <DayInput
        label={words.expires}
        description={words.expiresHint}
        error={faults['expiryTimestamp']}
        value={expires}
        onChange={setExpires}
      />
      <DayInput
        label={words.rotate}
        description={words.rotateHint}
        error={faults['otherKeysExpiryTimestamp']}
        value={others}
        onChange={setOthers}
      />
      <Fault text={faults['']} />
    </FormDialog>
  );
}
