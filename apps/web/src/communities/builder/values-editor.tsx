import type { CommunityFileField } from '@portico/sdk';
import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../texts/index.ts';
import { keyFor, moved } from './edit-file.ts';
import { useBuilderTexts } from './texts.ts';

type Values = NonNullable<CommunityFileField['values']>;

/** The values of a list in their order. A changed label keeps the key, and so the values of posts. */
export function ValuesEditor({ values, onChange }: { values: Values; onChange: (values: Values) => void }) {
  const words = useBuilderTexts();
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  /** Adds a value for each line that is not empty. */
  const add = (text: string) => {
    const next = [...values];
    for (const label of text.split('\n').map((line) => line.trim())) {
      const taken = next.map((value) => value.key);
      if (label !== '') next.push({ key: keyFor(label, taken, 'value'), label });
    }
    onChange(next);
    setTyped('');
  };
  return (
    <fieldset className="labelled">
      <legend>{words.values}</legend>
      <ol className="builder-list">
        {values.map((value, index) => (
          <li key={value.key}>
            <input
              className="field"
              aria-label={words.value(formats.number(index + 1))}
              value={value.label ?? ''}
              onChange={({ currentTarget: { value: label } }) => onChange(values.with(index, { ...value, label }))}
            />
            <button
              type="button"
              className="quiet"
              aria-label={words.moveUp}
              disabled={index === 0}
              onClick={() => onChange(moved(values, index, -1))}
            >
              <ChevronUp size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="quiet"
              aria-label={words.moveDown}
              disabled={index === values.length - 1}
              onClick={() => onChange(moved(values, index, 1))}
            >
              <ChevronDown size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="quiet"
              aria-label={words.removeValue(value.label ?? '')}
              onClick={() => onChange(values.toSpliced(index, 1))}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ol>
      <div className="builder-condition">
        <input
          className="field"
          aria-label={words.newValue}
          placeholder={words.newValue}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add(typed);
          }}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            if (!text.trim().includes('\n')) return;
            event.preventDefault();
            add(text);
          }}
        />
        <button type="button" className="quiet" disabled={typed.trim() === ''} onClick={() => add(typed)}>
          <Plus size={14} aria-hidden /> {words.addValue}
        </button>
      </div>
    </fieldset>
  );
}
