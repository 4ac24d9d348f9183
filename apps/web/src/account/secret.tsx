import { Button } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '../copy-text.ts';
import { useAccountTexts } from './texts.ts';

/** A secret that is shown once, with a button to copy it. */
export function Secret({ label, text }: { label: string; text: string }) {
  const account = useAccountTexts();
  const [copied, setCopied] = useState(false);
  return (
    <>
      <textarea
        className="secret"
        aria-label={label}
        readOnly
        rows={text.split('\n').length}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="buttons">
        <Button variant="default" size="xs" onClick={() => void copyText(text).then(() => setCopied(true))}>
          {copied ? account.copied : account.copy}
        </Button>
      </div>
    </>
  );
}
