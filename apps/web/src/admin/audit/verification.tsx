import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { useAuditTexts } from './texts.ts';

type Part = Output<'verifyAuditLog'>;

/** Verifies the audit log, a part for each request. @returns the button, and the outcome in words */
export function useVerification() {
  const words = useAuditTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const [verified, setVerified] = useState(0);
  const [last, setLast] = useState<Part>();
  const verify = async () => {
    setBusy(true);
    setVerified(0);
    setLast(undefined);
    await attempt(async () => {
      let part = await portal.audit.verify({});
      let count = part.verifiedCount ?? 0;
      while (!part.complete) {
        setVerified(count);
        part = await portal.audit.verify({ afterPosition: part.position!, afterHash: part.hash! });
        count += part.verifiedCount ?? 0;
      }
      setVerified(count);
      setLast(part);
    }, words.notVerified);
    setBusy(false);
  };
  const outcome = () => {
    if (busy) return words.verifying(formats.number(verified));
    if (last?.fault) return words.fault(last.fault.problem ?? '');
    return last && words.whole(formats.count(verified), formats.number(last.waitingCount ?? 0));
  };
  const said = outcome();
  return {
    button: (
      <Button
        variant="default"
        leftSection={<ShieldCheck size={14} aria-hidden />}
        loading={busy}
        onClick={() => void verify()}
      >
        {words.verify}
      </Button>
    ),
    outcome: said && (
      <p className={last?.fault ? 'fault' : 'effect'} role={last?.fault ? 'alert' : 'status'}>
        {said}
      </p>
    ),
  };
}
