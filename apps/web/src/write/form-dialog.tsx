import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../shell/dialog.tsx';
import { useWriteTexts } from './texts.ts';

/** A dialog with a form, a button that sends it and a button that closes it. */
export function FormDialog({
  label,
  className,
  formClassName = 'labelled form-fields',
  send,
  onSend,
  onClose,
  more,
  below,
  children,
}: {
  label: string;
  className: string;
  formClassName?: string;
  /** The button that sends the form. */
  send: { label: string; busy: boolean; disabled?: boolean };
  onSend: () => void;
  onClose: () => void;
  /** Buttons between the two. */
  more?: ReactNode;
  /** Content below the form. */
  below?: ReactNode;
  children: ReactNode;
}) {
  const texts = useWriteTexts();
  return (
    <Dialog label={label} className={className} closeOnOutsideClick={false} onClose={onClose}>
      <h2>{label}</h2>
      <form
        noValidate
        className={formClassName}
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        {children}
        <div className="buttons">
          <Button type="submit" loading={send.busy} disabled={send.disabled ?? false}>
            {send.label}
          </Button>
          {more}
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </form>
      {below}
    </Dialog>
  );
}
