import { Textarea, TextInput } from '@mantine/core';
import { Star } from 'lucide-react';
import { useId } from 'react';
import { plainTextOf } from '../content/delta.ts';
import { numberText } from '../content/field-number.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { type Formats, useFormats, useTexts } from '../texts/index.ts';
import { numberOf, typedNumber } from '../texts/numbers.ts';
import { DayInput, MomentInput } from './day-input.tsx';
import {
  type Choice,
  type FormField,
  type InputValue,
  type InputValues,
  isSingleValue,
  kindOf,
  textFormOf,
} from './input-values.ts';
import { optionSourceOf } from './option-search.ts';
import { Picker } from './picker.tsx';
import { useWriteTexts } from './texts.ts';

const RichEditor = part(() => import('./editor/rich-editor.tsx'), 'default');

/** Most steps of a rating that are shown as marks; others are typed as a number. */
const MOST_MARKS = 11;

interface FieldInputProps {
  field: FormField;
  value: InputValue;
  onChange: (value: InputValue) => void;
  error?: string | undefined;
  communityId: number;
  /** The post, where the field is one of a screen of its workflow. */
  screenOf?: number | undefined;
  /** The other values of the form, which the options may depend on. */
  values: InputValues;
  /** The label is read, not seen: it stands beside the input already. */
  unlabelled?: boolean;
  /** Focused, and opened where it opens. */
  active?: boolean;
}

/** The input of a custom field, by the type of the field. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, error, unlabelled, active } = props;
  const texts = useWriteTexts();
  const formats = useFormats();
  const label = field.label ?? '';
  const shared = {
    ...(unlabelled ? { 'aria-label': label } : { label }),
    description: unlabelled ? undefined : descriptionOf(field),
    error,
    required: field.required,
    withAsterisk: field.required,
    autoFocus: active,
    'data-autofocus': active,
  };
  const text = typeof value === 'string' ? value : '';
  const onText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  switch (kindOf(field)) {
    case 'flag':
      return <FlagInput {...props} />;
    case 'day':
      return <DayInput {...shared} value={text} onChange={onChange} />;
    case 'instant':
      return <MomentInput {...shared} value={text} onChange={onChange} time="00:00" />;
    case 'number': {
      const marks = marksOf(field);
      if (marks.length > 0) return <RatingInput {...props} marks={marks} />;
      return (
        <TextInput
          {...shared}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={onText}
          rightSection={numberHint(field, text, formats)}
          rightSectionWidth="auto"
          rightSectionPointerEvents="none"
          rightSectionProps={{ style: { paddingInline: 8 } }}
        />
      );
    }
    case 'richText':
      return (
        <Labelled {...props}>
          <Panel fallback={<p className="muted">{texts.editorLoading}</p>}>
            <RichEditor
              label={label}
              value={text}
              onChange={onChange}
              people={{ of: 'people', id: props.communityId }}
              autoFocus={active}
            />
          </Panel>
        </Labelled>
      );
    case 'text':
      if (textFormOf(field) === 'lines')
        return <Textarea {...shared} autosize minRows={2} maxRows={16} dir="auto" value={text} onChange={onText} />;
      if (textFormOf(field) === 'address')
        return (
          <TextInput {...shared} type="url" inputMode="url" placeholder="https://" value={text} onChange={onText} />
        );
      return <TextInput {...shared} dir="auto" value={text} onChange={onText} />;
    default:
      return <ChoiceInput {...props} />;
  }
}

/**
 * The number that a text stands for, as it will be shown: its marks depend on the language. Behind
 * an empty input, the unit or the currency.
 */
function numberHint(field: FormField, text: string, formats: Formats) {
  const { unit, currency } = field.metadata ?? {};
  const named = currency ?? unit;
  const digits = named !== undefined || /[.,]/.test(text) ? numberOf(text) : undefined;
  if (digits === undefined) return named && <span className="muted">{named}</span>;
  const isLarge = !digits.includes('.') && !Number.isSafeInteger(Number(digits));
  return <output className="muted">= {numberText(field, isLarge ? digits : Number(digits), formats)}</output>;
}

/** The description of a field as plain text; administrators write it as rich text. */
function descriptionOf({ description }: FormField): string | undefined {
  return description === undefined ? undefined : plainTextOf(description);
}

/** A legend and an error around inputs that are not one control. */
function Labelled({ field, error, unlabelled, children }: FieldInputProps & { children: React.ReactNode }) {
  const id = useId();
  return (
    <fieldset className="labelled" aria-describedby={error === undefined ? undefined : id}>
      <legend className={unlabelled ? 'visually-hidden' : undefined}>
        {field.label}
        {field.required && (
          <span aria-hidden className="required">
            {' '}
            *
          </span>
        )}
      </legend>
      {field.description && !unlabelled && <p className="muted">{descriptionOf(field)}</p>}
      {children}
      {error !== undefined && (
        <p id={id} className="fault">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function FlagInput(props: FieldInputProps) {
  const { value, onChange, active } = props;
  const texts = useTexts();
  const name = useId();
  return (
    <Labelled {...props}>
      <div className="segments">
        {([true, false] as const).map((state) => (
          <label key={String(state)}>
            <input
              type="radio"
              name={name}
              checked={value === state}
              onChange={() => onChange(state)}
              // biome-ignore lint/a11y/noAutofocus: it was just asked for
              autoFocus={active && state === (value ?? true)}
            />
            <span>{texts[state ? 'yes' : 'no']}</span>
          </label>
        ))}
      </div>
    </Labelled>
  );
}

/** The values that a rating may have; none where they are too many to show. */
function marksOf(field: FormField): readonly number[] {
  const { feedback_min_value: least = '0', feedback_max_value: most, feedback_step: step = '1' } = field.metadata ?? {};
  if (most === undefined) return [];
  const [from, to, by] = [Number(least), Number(most), Number(step)];
  const count = Math.floor((to - from) / by) + 1;
  if (!(count > 0 && count <= MOST_MARKS)) return [];
  return Array.from({ length: count }, (_, index) => Number((from + index * by).toFixed(6)));
}

function RatingInput({ marks, ...props }: FieldInputProps & { marks: readonly number[] }) {
  const { value, onChange, active } = props;
  const texts = useWriteTexts();
  const formats = useFormats();
  const name = useId();
  const chosen = typeof value === 'string' && value !== '' ? Number(numberOf(value)) : undefined;
  const most = formats.number(marks.at(-1)!);
  return (
    <Labelled {...props}>
      <div className="rating">
        {marks.map((mark) => (
          <label key={mark} data-filled={chosen !== undefined && mark <= chosen ? '' : undefined}>
            <input
              type="radio"
              name={name}
              aria-label={texts.ratingOf(formats.number(mark), most)}
              checked={chosen === mark}
              onChange={() => onChange(typedNumber(String(mark)))}
              // biome-ignore lint/a11y/noAutofocus: it was just asked for
              autoFocus={active && mark === (chosen ?? marks[0])}
            />
            {mark === 0 ? <span aria-hidden>0</span> : <Star size={18} aria-hidden />}
          </label>
        ))}
        {chosen !== undefined && !props.field.required && (
          <button type="button" className="quiet" onClick={() => onChange(undefined)}>
            {texts.clear}
          </button>
        )}
      </div>
    </Labelled>
  );
}

function ChoiceInput({
  field,
  value,
  onChange,
  error,
  communityId,
  screenOf,
  values,
  unlabelled,
  active,
}: FieldInputProps) {
  const source = optionSourceOf(field, communityId);
  const above = field.parentId === undefined ? undefined : values[String(field.parentId)];
  const parents = Array.isArray(above) ? (above as readonly Choice[]).map(({ id }) => id) : undefined;
  const offer =
    source === undefined
      ? { options: optionsOf(field, parents) }
      : {
          source: {
            ...source,
            ...(parents && {
              within: { fieldId: field.id!, communityId, screenOf, values: { [String(field.parentId)]: parents } },
            }),
          },
        };
  return (
    <Picker
      label={field.label ?? ''}
      {...(unlabelled && { unlabelled })}
      description={unlabelled ? undefined : descriptionOf(field)}
      error={error}
      required={field.required === true}
      offer={offer}
      several={!isSingleValue(field)}
      value={Array.isArray(value) ? value : []}
      onChange={onChange}
      {...(active && { opened: true })}
    />
  );
}

/** Values of the field's own list that are in use and fit below the values of the field above. */
function optionsOf({ enumValues = [] }: FormField, parents: readonly number[] | undefined): readonly Choice[] {
  return enumValues
    .filter(({ deleted, parentIds = [] }) => {
      const fits = parents === undefined || parentIds.length === 0 || parentIds.some((id) => parents.includes(id));
      return !deleted && fits;
    })
    .map(({ id, label }) => ({ id: id!, label: label ?? '' }));
}
