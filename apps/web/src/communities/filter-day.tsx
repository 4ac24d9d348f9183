import { DayFilter } from '../write/day-input.tsx';
import '../write/write.css';

/** The input of the first or the last day of a filter. */
export function FilterDay({
  label,
  value,
  onChange,
}: {
  label: string;
  /** `2026-12-31` */
  value: string;
  onChange: (day: string | null) => void;
}) {
  return <DayFilter size="xs" aria-label={label} value={value} onChange={(day) => onChange(day === '' ? null : day)} />;
}
