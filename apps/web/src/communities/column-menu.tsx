import { Columns3 } from 'lucide-react';
import { Popup } from '../shell/popup.tsx';
import { useTexts } from '../texts/index.ts';
import type { Column } from './columns.ts';

/** Chooses the columns of a list; they stay in the order of the menu. */
export function ColumnMenu({
  columns,
  chosen,
  onChange,
}: {
  columns: readonly Column[];
  chosen: readonly string[];
  onChange: (keys: readonly string[]) => void;
}) {
  const texts = useTexts();
  return (
    <Popup
      className="quiet wide-only"
      label={texts.columns}
      button={
        <>
          <Columns3 size={14} aria-hidden /> {texts.columns}
        </>
      }
    >
      <div className="options">
        {columns.map(({ key, label }) => (
          <label key={key} className="option">
            <input
              type="checkbox"
              checked={chosen.includes(key)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(columns.filter((c) => (c.key === key ? checked : chosen.includes(c.key))).map((c) => c.key))
              }
            />
            {label}
          </label>
        ))}
      </div>
    </Popup>
  );
}
