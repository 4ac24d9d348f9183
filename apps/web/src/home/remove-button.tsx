import { Check, ListX } from 'lucide-react';

/** Takes an item off a list of Home; of a task, closes it. Its tooltip shows on hover and focus. */
export function RemoveButton({
  label,
  what,
  closes = false,
  run,
}: {
  label: string;
  /** Name of the item, for screen readers. */
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
