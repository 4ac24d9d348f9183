import { Check, ListX } from 'lucide-react';

/** Takes an item off a list of Home; of a task, closes it. What it does is read beside it while it is pointed at or has the focus. */
export function TakeOffButton({
  label,
  what,
  closes = false,
  run,
}: {
  label: string;
  /** The item, for those who do not see its row. */
  what: string;
  closes?: boolean;
  run: () => void;
}) {
  const Icon = closes ? Check : ListX;
  return (
    <button type="button" className="small icon" aria-label={`${label}: ${what}`} data-tip={label} onClick={run}>
      <Icon size={14} aria-hidden />
    </button>
  );
}
