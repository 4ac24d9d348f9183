import {
  type CommunityFile,
  type CommunityFileCondition,
  type CommunityFileField,
  FieldType,
  fieldTypes,
} from '@portico/sdk';
import { Plus, X } from 'lucide-react';
import { Check } from '../../admin/fields.tsx';
import { part } from '../../failures/part.ts';
import { useTexts } from '../../texts/index.ts';
import { instantOf, isWallTime } from '../../texts/time-zone.ts';
import { toDatetimeLocal } from '../../write/input-values.ts';
import { NumberInput } from '../../write/number-input.tsx';
import { defined, type Form, fieldsOf } from './edit-file.ts';
import { isListed, optionsOf } from './form-fields.ts';
import { useBuilderTexts } from './texts.ts';

const DayInput = part(() => import('../../write/day-input.tsx'), 'DayInput');
const MomentInput = part(() => import('../../write/day-input.tsx'), 'MomentInput');

type Operator = NonNullable<CommunityFileCondition['operator']>;

/** Operators by kind of the compared field. */
const PRESENCE: readonly Operator[] = ['notEmpty', 'empty'];
const LISTED: readonly Operator[] = ['in', 'notIn', ...PRESENCE];
const ORDERED: readonly Operator[] = ['in', 'notIn', 'atLeast', 'atMost', ...PRESENCE];

function operatorsOf({ type = 'STRING' }: CommunityFileField): readonly Operator[] {
  const { kind } = fieldTypes[FieldType[type]];
  if (kind === 'richText' || kind === 'objects') return PRESENCE;
  return kind === 'number' || kind === 'day' || kind === 'instant' ? ORDERED : LISTED;
}

/** A field that a condition may name. */
interface Named {
  readonly form: Form;
  readonly field: CommunityFileField;
}

/** Conditions, all of which must hold. @param named fields that they may name */
export function ConditionsEditor({
  file,
  legend,
  named,
  value,
  onChange,
}: {
  file: CommunityFile;
  legend: string;
  named: readonly Named[];
  value: readonly CommunityFileCondition[];
  onChange: (conditions: CommunityFileCondition[] | undefined) => void;
}) {
  const words = useBuilderTexts();
  const set = (next: readonly CommunityFileCondition[]) => onChange(next.length === 0 ? undefined : [...next]);
  return (
    <fieldset className="labelled">
      <legend>{legend}</legend>
      {value.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no key of their own
        <div key={index} className="builder-condition">
          <Condition file={file} named={named} value={condition} onChange={(next) => set(value.with(index, next))} />
          <button
            type="button"
            className="quiet"
            aria-label={words.removeCondition}
            onClick={() => set(value.toSpliced(index, 1))}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
      {named.length > 0 && (
        <button type="button" className="quiet" onClick={() => set([...value, begin(named[0]!)])}>
          <Plus size={14} aria-hidden /> {words.addCondition}
        </button>
      )}
    </fieldset>
  );
}

/** A condition on a field that holds where the field is filled. */
const begin = ({ form, field }: Named): CommunityFileCondition =>
  defined({
    ...(form === 'fields' ? { field: field.key! } : { screenField: field.key! }),
    operator: 'notEmpty' as const,
  });

/** Fields of the form of a field, other than itself, as its conditions name them. */
export const otherFields = (file: CommunityFile, form: Form, key: string | undefined): Named[] =>
  fieldsOf(file, form).flatMap((field) => (field.key === key ? [] : [{ form: 'fields' as const, field }]));

function Condition({
  file,
  named,
  value,
  onChange,
}: {
  file: CommunityFile;
  named: readonly Named[];
  value: CommunityFileCondition;
  onChange: (condition: CommunityFileCondition) => void;
}) {
  const words = useBuilderTexts();
  const { operator = 'notEmpty', values = [] } = value;
  const at = named.findIndex(({ form, field }) => field.key === (form === 'fields' ? value.field : value.screenField));
  const field = named[at]?.field;
  return (
    <>
      <select
        className="field"
        aria-label={words.conditionField}
        value={at}
        onChange={({ currentTarget }) => onChange(begin(named[Number(currentTarget.value)]!))}
      >
        {at < 0 && <option value={-1}>{value.field ?? value.screenField}</option>}
        {named.map((one, index) => (
          <option key={`${one.form} ${one.field.key}`} value={index}>
            {one.field.label}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label={words.operator}
        value={operator}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Operator;
          const { values: _values, ...rest } = value;
          onChange({ ...rest, operator: next, ...(!PRESENCE.includes(next) && { values }) });
        }}
      >
        {(field ? operatorsOf(field) : [operator]).map((each) => (
          <option key={each} value={each}>
            {words.operators[each]}
          </option>
        ))}
      </select>
      {field && !PRESENCE.includes(operator) && (
        <Operand file={file} field={field} value={values} onChange={(next) => onChange({ ...value, values: next })} />
      )}
    </>
  );
}

type Values = NonNullable<CommunityFileCondition['values']>;

/** The values with which a condition compares. */
function Operand({
  file,
  field,
  value,
  onChange,
}: {
  file: CommunityFile;
  field: CommunityFileField;
  value: Values;
  onChange: (values: Values) => void;
}) {
  const words = useBuilderTexts();
  const texts = useTexts();
  const { kind } = fieldTypes[FieldType[field.type ?? 'STRING']];
  const options = isListed(field)
    ? optionsOf(file, field).map(({ key, label }) => [key, label] as const)
    : ([
        [true, texts.yes],
        [false, texts.no],
      ] as const);
  if (isListed(field) || kind === 'flag')
    return (
      <fieldset className="labelled" aria-label={words.compared}>
        {options.map(([key, label]) => (
          <Check
            key={String(key)}
            label={label}
            checked={value.includes(key)}
            onChange={(checked) => onChange(checked ? [...value, key] : value.filter((one) => one !== key))}
          />
        ))}
      </fieldset>
    );
  if (kind === 'number')
    return (
      <NumberInput
        label={words.compared}
        value={typeof value[0] === 'number' ? value[0] : undefined}
        onChange={(number) => onChange(number === undefined ? [] : [number])}
      />
    );
  const shown = value[0] ?? '';
  const write = (typed: string) => onChange(typed === '' ? [] : [typed]);
  if (kind === 'day')
    return (
      <DayInput
        aria-label={words.compared}
        value={typeof shown === 'number' ? new Date(shown).toISOString().slice(0, 10) : String(shown)}
        onChange={write}
      />
    );
  if (kind === 'instant')
    return (
      <MomentInput
        aria-label={words.compared}
        value={wallTimeOf(shown)}
        time="00:00"
        onChange={(typed) => write(isWallTime(typed) ? new Date(instantOf(typed)).toISOString() : typed)}
      />
    );
  return (
    <input
      className="field"
      aria-label={words.compared}
      value={String(shown)}
      onChange={({ currentTarget: { value: typed } }) => write(typed)}
    />
  );
}

/** A moment by the clock of the account; a text that is none stays as it was typed. */
function wallTimeOf(value: Values[number]): string {
  // Without a zone, the server reads it in UTC.
  const text = String(value);
  const ms = typeof value === 'number' ? value : Date.parse(isWallTime(text) ? `${text}Z` : text);
  return Number.isNaN(ms) || (!/^\d{4}-/.test(text) && typeof value !== 'number') ? text : toDatetimeLocal(ms);
}
