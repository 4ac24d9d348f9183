import '../forms.css';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { ValidationError } from '@portico/sdk';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { reasonOf } from '../failures/attempt.ts';
import { Problem } from '../sign-in/form-card.tsx';
import { useFieldErrorText } from '../texts/field-errors.ts';
import { useTexts } from '../texts/index.ts';
import { useAccountTexts } from './texts.ts';

/** An input of a form that unfolds. */
interface InlineFormField {
  name: string;
  label: string;
  description?: string;
  /** Value of `autocomplete`, which password managers read. */
  autoComplete?: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  initial?: string;
  maxLength?: number;
  type?: 'number';
}

/** A button that unfolds a short form in its place. The form folds again when what it asks for was done. */
export function InlineForm({
  button,
  submit = button,
  label = button,
  fields,
  run,
  explain,
  children,
}: {
  button: string;
  /** Text of the button of the form. */
  submit?: string;
  /** Name of the button for screen readers. */
  label?: string;
  fields: readonly InlineFormField[];
  run: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  /** @returns the message for an error that only this form knows */
  explain?: (error: unknown) => string | undefined;
  /** Further inputs, below the fields. */
  children?: ReactNode;
}) {
  const texts = useTexts();
  const account = useAccountTexts();
  const fieldError = useFieldErrorText();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const show = (shown: boolean) => {
    setValues(Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])));
    setFaults({});
    setProblem('');
    setOpen(shown);
  };
  if (!open)
    return (
      <Button variant="default" size="xs" aria-label={label} onClick={() => show(true)}>
        {button}
      </Button>
    );

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    setFaults({});
    try {
      await run(values);
      show(false);
    } catch (error) {
      const own = explain?.(error);
      const named = error instanceof ValidationError ? error.errors : [];
      const messages = named.map((fault) => fieldError(fault) ?? fault.defaultMessage ?? texts.failed);
      const at = Object.fromEntries(named.map(({ field = '' }, index) => [field, messages[index]!]));
      const shown = fields.some(({ name }) => at[name]);
      setFaults(at);
      if (own !== undefined) setProblem(own);
      else if (!shown) setProblem(messages[0] ?? reasonOf(error, texts));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="inline-form" aria-label={label} onSubmit={(event) => void send(event)}>
      {fields.map(({ name, label: of, description, autoComplete, maxLength, type }, index) => {
        const Input = autoComplete?.endsWith('password') ? PasswordInput : TextInput;
        return (
          <Input
            key={name}
            id={`${id}${name}`}
            label={of}
            description={description}
            autoComplete={autoComplete ?? 'off'}
            required
            autoFocus={index === 0}
            maxLength={maxLength}
            {...(type && { type })}
            error={faults[name]}
            value={values[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
          />
        );
      })}
      {children}
      <Problem text={problem} />
      <div className="buttons">
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
        <Button variant="default" onClick={() => show(false)}>
          {account.cancel}
        </Button>
      </div>
    </form>
  );
}
