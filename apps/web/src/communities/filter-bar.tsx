import type { GetPostDefinitionResponse } from '@portico/sdk';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { numberText } from '../content/field-number.ts';
import { OptionList } from '../shell/option-list.tsx';
import { Popup } from '../shell/popup.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { FilterEditor } from './filter-editor.tsx';
import { useFilterOptions } from './filter-options.ts';
import { type Filter, type FilterField, filterFieldsOf, isComplete } from './filters.ts';

/** Number of filters with a button of their own: the state, and choices that the list shows. */
const QUICK = 3;

/**
 * The filters of a list, each as a chip with its condition in words, and the menu that adds a
 * filter.
 */
export function FilterBar({
  definition,
  filters,
  onChange,
}: {
  definition: GetPostDefinitionResponse;
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
}) {
  const texts = useTexts();
  const filterFields = filterFieldsOf(definition, texts);
  const put = (filter: Filter) =>
    onChange(
      filters.some(([by]) => by === filter[0])
        ? filters.map((other) => (other[0] === filter[0] ? filter : other))
        : [...filters, filter],
    );
  const shown = (definition.fieldDefinitions ?? []).filter(({ visibleInPreview }) => visibleInPreview);
  const quick = filterFields
    .filter(
      ({ by, control }) => control === 'options' && (by === 'state' || shown.some(({ id }) => by === `field-${id}`)),
    )
    .slice(0, QUICK);
  const others = filters.flatMap(([by]) =>
    quick.some((field) => field.by === by) ? [] : (filterFields.find((field) => field.by === by) ?? []),
  );
  const remove = (by: string) => onChange(filters.filter(([other]) => other !== by));
  return (
    <div className="filters">
      {[...quick, ...others].map((field) => (
        <Chip
          key={field.by}
          field={field}
          filter={filters.find(([by]) => by === field.by)}
          put={put}
          remove={() => remove(field.by)}
        />
      ))}
      <AddFilter filterFields={filterFields} filters={filters} put={put} remove={remove} />
      {filters.length > 1 && (
        <button type="button" className="quiet" onClick={() => onChange([])}>
          {texts.clearFilters}
        </button>
      )}
    </div>
  );
}

interface Editing {
  put: (filter: Filter) => void;
}

/**
 * A filter in words, or the button of a frequent filter. The element stays the same when a value is
 * chosen, so that its popup stays open for further values.
 */
function Chip({
  field,
  filter,
  put,
  remove,
}: Editing & { field: FilterField; filter: Filter | undefined; remove: () => void }) {
  const texts = useTexts();
  const edited = filter ?? ([field.by, field.operators[0]!] as const);
  const words = useFilterText(field, edited);
  return (
    <span className={filter ? 'chip' : 'wide-only'}>
      <Popup
        className={filter ? 'chip-words' : 'quiet'}
        label={field.label}
        button={filter ? words : field.label}
        onClose={() => {
          if (filter && !isComplete(filter)) remove();
        }}
      >
        <FilterEditor field={field} filter={edited} put={put} />
      </Popup>
      {filter && (
        <button type="button" className="chip-close" aria-label={texts.removeFilter(field.label)} onClick={remove}>
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}

/** The condition of a filter in words, for example `Priority: High, Urgent`. */
function useFilterText(field: FilterField, [, operator, ...values]: Filter): string {
  const texts = useTexts();
  const formats = useFormats();
  const ids = values.filter((value) => typeof value === 'number');
  const options = useFilterOptions(field, '', field.control === 'options', ids);
  const word = (value: Filter[2] | undefined): string => {
    if (value === null || value === undefined || value === '') return '…';
    if (typeof value === 'boolean') return value ? texts.yes : texts.no;
    if (field.control === 'options') return options.find(({ id }) => id === value)?.label ?? `#${value}`;
    if (field.control === 'days') return formats.day(Date.parse(String(value)));
    return field.number ? numberText(field.number, value, formats) : String(value);
  };
  if (field.control === 'none') return field.label;
  if (operator === 'empty') return `${field.label}: ${texts.noValue}`;
  if (operator === 'between') return `${field.label}: ${word(values[0])} – ${word(values[1])}`;
  const list = values.map(word).join(operator === 'all' ? ' + ' : ', ');
  return operator === 'has' ? `${field.label}: ${texts.containsWords(list)}` : `${field.label}: ${list}`;
}

function AddFilter({
  filterFields,
  filters,
  put,
  remove,
}: Editing & { filterFields: readonly FilterField[]; filters: readonly Filter[]; remove: (by: string) => void }) {
  const texts = useTexts();
  const [chosen, setChosen] = useState<string>();
  const field = filterFields.find(({ by }) => by === chosen);
  const filter = filters.find(([by]) => by === chosen);
  const choose = (next: FilterField) => {
    if (next.control === 'none') put([next.by, 'is', true]);
    else setChosen(next.by);
  };
  return (
    <Popup
      label={texts.filter}
      button={
        <>
          <ListFilter size={14} aria-hidden /> {texts.filter}
        </>
      }
      onClose={() => {
        setChosen(undefined);
        if (filter && !isComplete(filter)) remove(filter[0]);
      }}
    >
      {field ? (
        <>
          <button
            type="button"
            className="option muted"
            // biome-ignore lint/a11y/noAutofocus: the option that had the focus is gone
            autoFocus
            onClick={() => setChosen(undefined)}
          >
            <span className="mirrored">←</span> {field.label}
          </button>
          <FilterEditor field={field} filter={filter ?? [field.by, field.operators[0]!]} put={put} />
        </>
      ) : (
        <OptionList
          search={texts.searchFilters}
          options={filterFields.map((each) => ({ key: each.by, label: each.label, field: each }))}
          onChoose={({ field: each }) => choose(each)}
          stays
        />
      )}
    </Popup>
  );
}
