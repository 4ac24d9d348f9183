import { TextInput } from '@mantine/core';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { useWriteTexts } from './texts.ts';

interface DayInputProps {
  label?: ReactNode;
  'aria-label'?: string | undefined;
  description?: ReactNode;
  /** `2026-11-25`; empty without a day. */
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  required?: boolean | undefined;
  withAsterisk?: boolean | undefined;
  autoFocus?: boolean | undefined;
  'data-autofocus'?: boolean | undefined;
  size?: 'xs';
  disabled?: boolean;
}

/** The input of a day. A day that is typed in part is not taken for an empty one: the input says so. */
export function DayInput({ value, onChange, error, ...rest }: DayInputProps) {
  const texts = useWriteTexts();
  const [partial, setPartial] = useState(false);
  const check = ({ currentTarget }: FocusEvent<HTMLInputElement>) => setPartial(currentTarget.validity.badInput);
  return (
    <TextInput
      {...rest}
      type="date"
      max="9999-12-31"
      value={value}
      error={partial ? texts.partialDay : error}
      onBlur={check}
      onChange={({ currentTarget }) => {
        if (!currentTarget.validity.badInput) setPartial(false);
        onChange(currentTarget.value);
      }}
    />
  );
}

/**
 * The input of a moment: a day, and its time for who gives one.
 * @param time the time of a day that is given alone
 */
export function MomentInput({ value, onChange, time: usual, ...rest }: DayInputProps & { time: string }) {
  const texts = useWriteTexts();
  const [typed, setTyped] = useState('');
  const [day, time] = [value.slice(0, 10), value.slice(11, 16) || typed];
  const write = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' ? '' : `${nextDay}T${nextTime || usual}`);
  return (
    <div className="moment-input">
      <DayInput {...rest} value={day} onChange={(next) => write(next, time)} />
      <TextInput
        type="time"
        aria-label={texts.timeOfDay}
        value={time}
        {...(rest.size && { size: rest.size })}
        {...(rest.disabled && { disabled: true })}
        onChange={({ currentTarget: { value: next } }) => {
          setTyped(next);
          write(day, next);
        }}
      />
    </div>
  );
}
