import './day-input.css';
import { TextInput } from '@mantine/core';
import { Calendar } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { positionPopup } from '../shell/position-popup.ts';
import { LanguageContext } from '../texts/index.ts';
import { isDay, wallDay } from '../texts/time-zone.ts';
import { useWriteTexts } from './texts.ts';
import { type DayLanguage, dayPattern, dayText, timeText, typedDay, typedTime } from './typed-day.ts';

const DayGrid = part(() => import('./day-grid.tsx'), 'DayGrid');

interface DayInputProps {
  label?: ReactNode;
  'aria-label'?: string | undefined;
  description?: ReactNode;
  /** `2026-11-25`; empty without a day; another text is shown as it was typed. */
  value: string;
  /** @param value as above: a text that names no day is passed on, so that nothing is lost */
  onChange: (value: string) => void;
  error?: ReactNode;
  required?: boolean | undefined;
  withAsterisk?: boolean | undefined;
  autoFocus?: boolean | undefined;
  'data-autofocus'?: boolean | undefined;
  size?: 'xs';
  disabled?: boolean;
}

function useDayLanguage(): DayLanguage {
  const { tag, own = tag } = useContext(LanguageContext);
  return { tag, own };
}

/**
 * Keeps a form from being sent while an input holds a text that it cannot read, and moves the focus
 * to the input.
 */
function useReadable(input: RefObject<HTMLInputElement | null>, readable: boolean) {
  const [asked, setAsked] = useState(false);
  const latest = useRef(readable);
  latest.current = readable;
  useEffect(() => {
    const form = input.current?.form;
    const refuse = (event: SubmitEvent) => {
      if (latest.current) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      // The focus hides the fault until the text is left or sent again.
      input.current?.focus();
      setAsked(true);
    };
    form?.addEventListener('submit', refuse, { capture: true });
    return () => form?.removeEventListener('submit', refuse, { capture: true });
  }, [input]);
  /** Whether the input shows that its text was not read. */
  return { fails: asked && !readable, ask: () => setAsked(true), rest: () => setAsked(false) };
}

/**
 * The input of a day: typed in the order of the account's language, or chosen in a calendar. A day
 * has no time zone.
 */
export function DayInput({ value, onChange, error, ...rest }: DayInputProps) {
  const texts = useWriteTexts();
  const language = useDayLanguage();
  const input = useRef<HTMLInputElement>(null);
  // The text stays as it is being typed.
  const [typed, setTyped] = useState<string>();
  const { fails, ask, rest: accept } = useReadable(input, value === '' || isDay(value));
  const write = (text: string) => {
    setTyped(text);
    onChange(text.trim() === '' ? '' : (typedDay(text, language, wallDay(Date.now())) ?? text));
  };
  const calendar = useCalendar(input);
  return (
    <>
      <TextInput
        {...rest}
        ref={input}
        autoComplete="off"
        placeholder={dayPattern(language, texts.dayLetters)}
        value={typed ?? (isDay(value) ? dayText(value, language) : value)}
        error={fails ? texts.partialDay : error}
        onFocus={accept}
        onBlur={() => {
          setTyped(undefined);
          ask();
        }}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={calendar.openByKey}
        rightSection={
          <button {...calendar.button} className="tool" disabled={rest.disabled} aria-label={texts.openCalendar}>
            <Calendar size={16} aria-hidden />
          </button>
        }
      />
      <div {...calendar.popup} role="dialog" className="popup day-popup" aria-label={texts.calendar}>
        {calendar.open && (
          <Panel fallback={null}>
            <DayGrid
              value={isDay(value) ? value : undefined}
              choose={(day) => {
                setTyped(undefined);
                onChange(day ?? '');
                calendar.close();
              }}
              returnFocus={calendar.returnFocus}
              onShown={calendar.place}
            />
          </Panel>
        )}
      </div>
    </>
  );
}

/** The input of a day that takes effect as soon as it holds a whole day, or none. */
export function DayFilter({ value, onChange, ...rest }: DayInputProps) {
  const [unread, setUnread] = useState<string>();
  return (
    <DayInput
      {...rest}
      value={unread ?? value}
      onChange={(next) => {
        const takesEffect = next === '' || isDay(next);
        setUnread(takesEffect ? undefined : next);
        if (takesEffect) onChange(next);
      }}
    />
  );
}

/** The popup with the calendar of an input, and its button. */
function useCalendar(input: RefObject<HTMLInputElement | null>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  // Known before the popup is shown: a form leaves an Escape that follows at once to the popup.
  const [expanded, setExpanded] = useState(false);
  /** It returns before the popup closes: an editor in place ends when it loses the focus. */
  const returnFocus = () => (opener.current ?? button.current)?.focus();
  return {
    open,
    place: () => popup.current && input.current && positionPopup(popup.current, input.current),
    returnFocus,
    close: () => {
      returnFocus();
      setOpen(false);
      setExpanded(false);
      popup.current?.hidePopover();
    },
    openByKey: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' || !event.altKey) return;
      event.preventDefault();
      opener.current = input.current;
      popup.current?.showPopover();
    },
    button: {
      ref: button,
      type: 'button' as const,
      popoverTarget: id,
      'aria-haspopup': 'dialog' as const,
      // Forms look for it before they take Escape for themselves.
      'aria-expanded': expanded,
      onClick: () => {
        opener.current = button.current;
      },
      onKeyDown: (event: KeyboardEvent) => {
        // An editor in place would end by Enter.
        if (event.key === 'Enter') event.stopPropagation();
      },
    },
    popup: {
      id,
      ref: popup,
      popover: 'auto' as const,
      // React would tell a popup around it, too.
      onBeforeToggle: (event: ToggleEvent) => {
        event.stopPropagation();
        setExpanded(event.newState === 'open');
      },
      onToggle: (event: ToggleEvent) => {
        event.stopPropagation();
        setOpen(event.newState === 'open');
      },
    },
  };
}

/** The input of a time of day, in the form of the account's language. */
function TimeInput({
  value,
  onChange,
  ...rest
}: {
  /** `18:05`; empty without a time; another text is shown as it was typed. */
  value: string;
  onChange: (value: string) => void;
  size?: 'xs';
  disabled?: boolean;
}) {
  const texts = useWriteTexts();
  const language = useDayLanguage();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const isTime = /^\d\d:\d\d$/.test(value);
  const { fails, ask, rest: accept } = useReadable(input, value === '' || isTime);
  return (
    <TextInput
      {...rest}
      ref={input}
      className="time-input"
      aria-label={texts.timeOfDay}
      autoComplete="off"
      placeholder={timeText('09:00', language)}
      value={typed ?? (isTime ? timeText(value, language) : value)}
      error={fails ? texts.partialTime : undefined}
      onFocus={accept}
      onBlur={() => {
        setTyped(undefined);
        ask();
      }}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        onChange(text.trim() === '' ? '' : (typedTime(text, language) ?? text));
      }}
    />
  );
}

/**
 * The input of a moment: a day, and its time for people who give one.
 * @param time the time of a day that is given alone
 */
export function MomentInput({ value, onChange, time: usual, ...rest }: DayInputProps & { time: string }) {
  const [day, shownTime] = /^\d{4}-\d\d-\d\dT/.test(value) ? [value.slice(0, 10), value.slice(11)] : [value, undefined];
  // A time that is typed before the day, or while the day is not complete.
  const [typed, setTyped] = useState('');
  const time = shownTime ?? typed;
  const write = (nextDay: string, nextTime: string) =>
    onChange(isDay(nextDay) ? `${nextDay}T${nextTime || usual}` : nextDay);
  return (
    <div className="moment-input">
      <div>
        <DayInput {...rest} value={day} onChange={(next) => write(next, time)} />
      </div>
      <TimeInput
        value={time}
        {...(rest.size && { size: rest.size })}
        {...(rest.disabled && { disabled: true })}
        onChange={(next) => {
          setTyped(next);
          write(day, next);
        }}
      />
    </div>
  );
}
