import { useState } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { useTexts } from '../texts/index.ts';
import { NumberInput } from '../write/number-input.tsx';
import { useFilterOptions } from './filter-options.ts';
import { type Filter, type FilterField, type FilterValue, type Operator, singleValueFields } from './filters.ts';

const FilterDay = part(() => import('./filter-day.tsx'), 'FilterDay');

/** Options beyond this number are searched. */
const MAX_UNSEARCHED = 8;

interface Editor {
  field: FilterField;
  filter: Filter;
  /** Called at each change, so that the list follows. */
  put: (filter: Filter) => void;
}

/** Operator and values of one filter. */
export function FilterEditor({ field, filter, put }: Editor) {
  const texts = useTexts();
  const [by, operator, ...values] = filter;
  return (
    <div className="editor">
      {field.operators.length > 1 && (
        <select
          className="field"
          aria-label={texts.operator}
          value={operator}
          onChange={({ currentTarget: { value } }) => put([by, value as Operator, ...values])}
        >
          {field.operators.map((each) => (
            <option key={each} value={each}>
              {texts.operators[each]}
            </option>
          ))}
        </select>
      )}
      {operator !== 'empty' && <Values field={field} filter={filter} put={put} />}
    </div>
  );
}

function Values({ field, filter: [by, operator, ...values], put: write }: Editor) {
  const texts = useTexts();
  const set = (next: readonly FilterValue[]) => write([by, operator, ...next]);
  switch (field.control) {
    case 'options':
      return <OptionList field={field} chosen={values} set={set} />;
    case 'text':
      return <TextValue label={field.label} value={String(values[0] ?? '')} set={(text) => set([text])} />;
    case 'flag':
      return (
        <div className="options">
          {[true, false].map((each) => (
            <label key={String(each)} className="option">
              <input type="radio" name={by} checked={values[0] === each} onChange={() => set([each])} />
              {each ? texts.yes : texts.no}
            </label>
          ))}
        </div>
      );
    default:
      return (
        <div className="editor">
          {[texts.from, texts.to].map((label, side) => {
            const put = (bound: FilterValue) =>
              set(side === 0 ? [bound, values[1] ?? null] : [values[0] ?? null, bound]);
            const value = values[side] ?? undefined;
            return (
              <div key={label}>
                <span className="muted" aria-hidden>
                  {label}
                </span>
                {field.control === 'days' ? (
                  <Panel fallback={null}>
                    <FilterDay label={label} value={String(value ?? '')} onChange={put} />
                  </Panel>
                ) : (
                  <NumberInput
                    label={label}
                    value={typeof value === 'number' ? value : undefined}
                    onChange={(number) => put(number ?? null)}
                  />
                )}
              </div>
            );
          })}
        </div>
      );
  }
}

/** Text that takes effect on Enter or when the field loses the focus. */
function TextValue({ label, value, set }: { label: string; value: string; set: (text: string) => void }) {
  const [text, setText] = useState(value);
  const done = () => {
    if (text.trim() !== value) set(text.trim());
  };
  return (
    <input
      className="field"
      aria-label={label}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={done}
      onKeyDown={({ key }) => {
        if (key === 'Enter') done();
      }}
    />
  );
}

function OptionList({
  field,
  chosen,
  set,
}: {
  field: FilterField;
  chosen: readonly FilterValue[];
  set: (values: readonly FilterValue[]) => void;
}) {
  const texts = useTexts();
  const [sought, setSought] = useState('');
  const ids = chosen.filter((value) => typeof value === 'number');
  const options = useFilterOptions(field, sought, true, ids);
  const one = singleValueFields.has(field.by);
  return (
    <>
      {(field.source !== undefined || (field.options?.length ?? 0) > MAX_UNSEARCHED) && (
        <input
          className="field"
          type="search"
          aria-label={texts.searchValues}
          placeholder={texts.searchValues}
          value={sought}
          onChange={({ currentTarget: { value } }) => setSought(value)}
        />
      )}
      <div className="options">
        {options.length === 0 && <p className="muted">{texts.nothingFound}</p>}
        {options.map(({ id, label }) => (
          <label key={id} className="option">
            <input
              type={one ? 'radio' : 'checkbox'}
              name={field.by}
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) => {
                const several = checked ? [...chosen, id] : chosen.filter((value) => value !== id);
                set(one ? [id] : several);
              }}
            />
            {label}
          </label>
        ))}
      </div>
    </>
  );
}
