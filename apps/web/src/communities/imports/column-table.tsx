/** The columns of a file with samples and destinations, which can be changed. */
import { Checkbox } from '@mantine/core';
import type { SuggestImportMappingResponse } from '@portico/sdk';
import { AdminTable } from '../../admin/screen.tsx';
import type { Choice } from './new-import.tsx';
import { type ImportTexts, useImportTexts } from './texts.ts';

type Column = NonNullable<SuggestImportMappingResponse['columns']>[number];

/** The choice that a column shows now. */
const choiceOf = ({ name = '', target = 'none', fieldId, label, type, dateForm, addsValues }: Column): Choice => ({
  name,
  target,
  ...(target === 'field' && fieldId !== undefined && { fieldId, ...(addsValues && { addValues: true }) }),
  ...(target === 'newField' && { label, type }),
  ...(dateForm !== undefined && { dateForm }),
});

/** @param onChange gets the choices of all columns */
export function ColumnTable({
  found,
  fields,
  onChange,
}: {
  found: SuggestImportMappingResponse;
  fields: readonly { readonly id: number; readonly label: string }[];
  onChange: (choices: Choice[]) => void;
}) {
  const words = useImportTexts();
  const columns = found.columns ?? [];
  const change = (changed: Choice) =>
    onChange(columns.map((column) => (column.name === changed.name ? changed : choiceOf(column))));
  return (
    <AdminTable
      label={words.columns}
      rows={columns}
      keyOf={({ name = '' }) => name}
      columns={[
        { key: 'name', label: words.column, cell: ({ name, count = 1 }) => (count > 1 ? `${name} × ${count}` : name) },
        {
          key: 'samples',
          label: words.samples,
          wide: true,
          cell: ({ samples = [] }) => (
            <span className="import-samples muted" dir="auto">
              {samples.length > 0 ? samples.join(' · ') : words.empty}
            </span>
          ),
        },
        {
          key: 'target',
          label: words.goesTo,
          cell: (column) => <Destination column={column} fields={fields} onChange={change} />,
        },
      ]}
    />
  );
}

/** The value of an option: the part of the post, or the field with its id. */
const optionOf = ({ target = 'none', fieldId }: Column): string => (target === 'field' ? `field ${fieldId}` : target);

function Destination({
  column,
  fields,
  onChange,
}: {
  column: Column;
  fields: readonly { readonly id: number; readonly label: string }[];
  onChange: (choice: Choice) => void;
}) {
  const words = useImportTexts();
  const { name = '', missingValues = [], dateForms = [], target } = column;
  const choose = (option: string) => {
    const fieldId = /^field (\d+)$/.exec(option)?.[1];
    if (fieldId === undefined) onChange({ name, target: option as Choice['target'] } as Choice);
    else onChange({ name, target: 'field', fieldId: Number(fieldId) });
  };
  const isTimed = ['created', 'modified', 'field', 'newField'].includes(target ?? '');
  return (
    <div className="import-target">
      <select
        className="field"
        aria-label={words.destinationOf(name)}
        value={optionOf(column)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="none">{words.targets.none}</option>
        <optgroup label={words.parts}>
          {Object.entries(words.targets).map(([value, label]) =>
            value === 'none' ? null : (
              <option key={value} value={value}>
                {label}
              </option>
            ),
          )}
        </optgroup>
        <optgroup label={words.fields}>
          {fields.map(({ id, label }) => (
            <option key={id} value={`field ${id}`}>
              {label}
            </option>
          ))}
          <option value="newField">{words.newField(column.label ?? name)}</option>
        </optgroup>
      </select>
      {isTimed && dateForms.length > 1 && (
        <select
          className="field"
          aria-label={words.dateFormOf(name)}
          value={column.dateForm}
          onChange={({ currentTarget }) => onChange({ ...choiceOf(column), dateForm: currentTarget.value })}
        >
          {dateForms.map((form) => (
            <option key={form}>{form}</option>
          ))}
        </select>
      )}
      {target === 'field' && missingValues.length > 0 && (
        <AddValues column={column} words={words} onChange={onChange} />
      )}
    </div>
  );
}

function AddValues({
  column,
  words,
  onChange,
}: {
  column: Column;
  words: ImportTexts;
  onChange: (choice: Choice) => void;
}) {
  return (
    <Checkbox
      size="xs"
      label={words.addValues((column.missingValues ?? []).join(', '))}
      checked={column.addsValues ?? false}
      onChange={({ currentTarget }) => onChange({ ...choiceOf(column), addValues: currentTarget.checked })}
    />
  );
}
