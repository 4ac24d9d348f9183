import '../forms.css';
import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { type Output, ValidationError } from '@portico/sdk';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { reasonOf } from '../failures/attempt.ts';
import { portal } from '../portal.ts';
import { Problem } from '../sign-in/form-card.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { useAccountTexts } from './texts.ts';

type Device = Output<'readDeviceSignIn'>;

/** The screen on which a person confirms the sign-in of a program without a browser. */
export function DevicePage() {
  const texts = useTexts();
  const account = useAccountTexts();
  const { code: given = '' } = useSearch({ strict: false }) as { code?: string };
  const [code, setCode] = useState(given);
  const [device, setDevice] = useState<Device>();
  const [problem, setProblem] = useState('');
  const [done, setDone] = useState<'confirmed' | 'refused'>();
  const [busy, setBusy] = useState(false);
  useTitle(account.device.title);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      // The only input is the code.
      setProblem(error instanceof ValidationError ? account.device.wrongCode : reasonOf(error, texts));
    } finally {
      setBusy(false);
    }
  };
  const read = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => setDevice(await portal.auth.readDeviceSignIn({ userCode: code })));
  };
  return (
    <div className="post" style={{ gridTemplateColumns: 'minmax(0, 720px)' }}>
      <div>
        <h1>{account.device.title}</h1>
        {done && <Text role="status">{account.device[done]}</Text>}
        {!done && !device && (
          <form className="inline-form" onSubmit={read}>
            <TextInput
              label={account.device.code}
              description={account.device.codeHint}
              autoComplete="off"
              autoFocus
              required
              maxLength={20}
              value={code}
              onChange={({ currentTarget: { value } }) => setCode(value)}
            />
            <Problem text={problem} />
            <Button type="submit" loading={busy}>
              {account.device.next}
            </Button>
          </form>
        )}
        {!done && device && (
          <Decision
            device={device}
            code={code}
            problem={problem}
            busy={busy}
            confirm={(manageUsers) =>
              void run(async () => {
                await portal.auth.confirmDeviceSignIn({ userCode: code, manageUsers });
                setDone('confirmed');
              })
            }
            refuse={() =>
              void run(async () => {
                await portal.auth.refuseDeviceSignIn({ userCode: code });
                setDone('refused');
              })
            }
          />
        )}
      </div>
    </div>
  );
}

function Decision({
  device: { name, access = 'write', validDays = 0, address, mayManageUsers },
  code,
  problem,
  busy,
  confirm,
  refuse,
}: {
  device: Device;
  code: string;
  problem: string;
  busy: boolean;
  confirm: (manageUsers: boolean) => void;
  refuse: () => void;
}) {
  const account = useAccountTexts();
  const formats = useFormats();
  const [manages, setManages] = useState(false);
  return (
    <section aria-label={account.device.title}>
      <p>{account.device.warning}</p>
      <dl className="facts">
        <dt>{account.device.name}</dt>
        <dd style={{ overflowWrap: 'anywhere' }}>{name}</dd>
        <dt>{account.device.code}</dt>
        <dd>{code.toUpperCase()}</dd>
        <dt>{account.device.address}</dt>
        <dd>{address ?? '–'}</dd>
        <dt>{account.access}</dt>
        <dd>{account.accesses[access as keyof typeof account.accesses]}</dd>
        <dt>{account.device.validity}</dt>
        <dd>{manages ? account.device.hours : account.device.days(formats.count(validDays))}</dd>
      </dl>
      {mayManageUsers && (
        <Checkbox
          label={account.device.manageUsers}
          description={account.device.manageUsersHint}
          checked={manages}
          onChange={({ currentTarget: { checked } }) => setManages(checked)}
        />
      )}
      <Problem text={problem} />
      <div className="buttons">
        <Button loading={busy} onClick={() => confirm(manages)}>
          {account.device.confirm}
        </Button>
        <Button variant="default" disabled={busy} onClick={refuse}>
          {account.device.refuse}
        </Button>
      </div>
    </section>
  );
}
