import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useFormats } from '../texts/index.ts';
import { wallDay } from '../texts/time-zone.ts';
import { useWriteTexts } from './texts.ts';
import { addDays, addMonths, weekdayOf } from './typed-day.ts';

const WEEK = 7;
/** Weeks that any month fits in: the height is always the same. */
const WEEKS = 6;
const YEAR = 12;

/** Roles of a grid whose cells are buttons: elements of tables would only repeat them. */
const ROW = { role: 'row' };
const COLUMN_HEADER = { role: 'columnheader' };
const cellOf = (selected: boolean) => ({ role: 'gridcell', 'aria-selected': selected });

/** Formats take days by their beginning in UTC. */
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * A calendar for choosing a day, with the keys of the date picker dialog of the ARIA Authoring
 * Practices: arrows, Home, End, Page Up and Page Down, with Shift for years.
 */
export function DayGrid({
  value,
  choose,
  returnFocus,
  onShown,
}: {
  /** `2026-11-25` */
  value: string | undefined;
  /** @param day undefined for none */
  choose: (day: string | undefined) => void;
  /** Called before the browser closes the calendar by Escape. */
  returnFocus: () => void;
  /** Called when the size is known. */
  onShown: () => void;
}) {
  const texts = useWriteTexts();
  const formats = useFormats();
  const heading = useId();
  const box = useRef<HTMLDivElement>(null);
  const today = wallDay(Date.now());
  /** The day that the keys have reached. */
  const [at, setAt] = useState(value ?? today);
  // Buttons that turn pages keep the focus.
  const byKey = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size does not change
  useLayoutEffect(onShown, []);
  useEffect(() => {
    if (byKey.current) box.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
    byKey.current = false;
  }, [at]);
  const turn = (months: number) => setAt(addMonths(at, months));
  const first = `${at.slice(0, 7)}-01`;
  const start = addDays(first, -((weekdayOf(first) - formats.firstDayOfWeek + WEEK) % WEEK));
  const weeks = Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: WEEK }, (_day, day) => addDays(start, week * WEEK + day)),
  );
  const grid = {
    role: 'grid',
    'aria-labelledby': heading,
    onKeyDown: (event: KeyboardEvent) => {
      const next = reached(event, at, formats.firstDayOfWeek);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      byKey.current = true;
      setAt(next);
    },
  };
  const page = (label: string, months: number, arrow: string) => (
    <button type="button" className="tool" aria-label={label} title={label} onClick={() => turn(months)}>
      <span aria-hidden className="mirrored">
        {arrow}
      </span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the dialog around it
    <div ref={box} onKeyDown={(event) => keepInside(event, returnFocus)}>
      <div className="day-head">
        {page(texts.previousYear, -YEAR, '«')}
        {page(texts.previousMonth, -1, '‹')}
        <strong id={heading} aria-live="polite">
          {formats.month(msOf(first))}
        </strong>
        {page(texts.nextMonth, 1, '›')}
        {page(texts.nextYear, YEAR, '»')}
      </div>
      <div {...grid} className="day-grid">
        <div {...ROW} className="muted">
          {weeks[0]!.map((day) => (
            <span key={day} {...COLUMN_HEADER}>
              {formats.weekday(msOf(day))}
            </span>
          ))}
        </div>
        {weeks.map((days) => (
          <div key={days[0]} {...ROW}>
            {days.map((day) => (
              <button
                type="button"
                {...cellOf(day === value)}
                key={day}
                data-day={day}
                data-outside={day.slice(0, 7) === at.slice(0, 7) ? undefined : ''}
                tabIndex={day === at ? 0 : -1}
                aria-label={formats.day(msOf(day))}
                aria-current={day === today ? 'date' : undefined}
                onClick={() => choose(day)}
              >
                {Number(day.slice(8))}
              </button>
            ))}
          </div>
        ))}
      </div>
      <div className="day-foot">
        <button type="button" className="quiet" onClick={() => choose(today)}>
          {texts.today}
        </button>
        {value !== undefined && (
          <button type="button" className="quiet" onClick={() => choose(undefined)}>
            {texts.clear}
          </button>
        )}
      </div>
    </div>
  );
}

/** The day that a key leads to; undefined for other keys. */
function reached({ key, shiftKey, currentTarget }: KeyboardEvent, at: string, firstDay: number): string | undefined {
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
  const inWeek = (weekdayOf(at) - firstDay + WEEK) % WEEK;
  switch (key) {
    case 'ArrowRight':
      return addDays(at, forward);
    case 'ArrowLeft':
      return addDays(at, -forward);
    case 'ArrowDown':
      return addDays(at, WEEK);
    case 'ArrowUp':
      return addDays(at, -WEEK);
    case 'Home':
      return addDays(at, -inWeek);
    case 'End':
      return addDays(at, WEEK - 1 - inWeek);
    case 'PageDown':
      return addMonths(at, shiftKey ? YEAR : 1);
    case 'PageUp':
      return addMonths(at, shiftKey ? -YEAR : -1);
    default:
      return undefined;
  }
}

/** Escape closes the calendar alone, and the focus stays in it until then. */
function keepInside(event: KeyboardEvent<HTMLElement>, returnFocus: () => void): void {
  // Enter chooses a day; it does not end the editor in which the calendar is.
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
  if (event.key === 'Escape') {
    event.stopPropagation();
    returnFocus();
  }
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not([tabindex="-1"])')];
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (event.target !== from) return;
  event.preventDefault();
  to?.focus();
}
