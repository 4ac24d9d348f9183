import { TriangleAlert } from 'lucide-react';
import type { DraftFault } from './faults.ts';
import { useBuilderTexts } from './texts.ts';

/** A mark beside the name of an object with faults; nothing without faults. */
export function FaultMark({ faults = [] }: { faults: readonly DraftFault[] | undefined }) {
  const words = useBuilderTexts();
  if (faults.length === 0) return null;
  const refused = faults.some((fault) => fault.refused);
  return (
    <span className={refused ? 'fault-mark refused' : 'fault-mark'} title={faults.map(({ text }) => text).join('\n')}>
      <TriangleAlert size={14} aria-label={refused ? words.refused : words.warning} />
    </span>
  );
}

/** The faults of an object in words. */
export function FaultList({ faults = [] }: { faults: readonly DraftFault[] | undefined }) {
  if (faults.length === 0) return null;
  return (
    <ul className="draft-faults">
      {faults.map(({ text, refused }) => (
        <li key={text} className={refused ? 'fault' : undefined}>
          {text}
        </li>
      ))}
    </ul>
  );
}
