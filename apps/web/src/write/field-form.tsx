import type {
  GetPostWorkflowScreenDataForEditResponse,
  JsonValue,
  PostWorkflowDefinitionScreenField,
} from '@portico/sdk';
import { Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { OptionList } from '../shell/option-list.tsx';
import { Popup } from '../shell/popup.tsx';
import type { Texts } from '../texts/index.ts';
import { numberOf } from '../texts/numbers.ts';
import type { Faults } from './faults.ts';
import { FieldInput } from './field-input.tsx';
import {
  type FormField,
  type InputValue,
  type InputValues,
  inSections,
  isFilled,
  isReadable,
  kindOf,
  wireOf,
} from './input-values.ts';
import { useWriteTexts, type WriteTexts } from './texts.ts';

/** The fields of a screen, with their labels in the language of the page. @param known as the definition of the community has them */
export const screenFields = (
  { screen }: GetPostWorkflowScreenDataForEditResponse,
  known: readonly PostWorkflowDefinitionScreenField[],
) =>
  (screen?.fieldMetadatas ?? []).map((field) => {
    const own = known.find(({ id }) => id === field.id);
    const { label = field.label } = own ?? {};
    return { ...own, ...field, ...(label !== undefined && { label }) };
  });

/** Required fields, filled fields, fields chosen in the menu, and the menu of the others. */
export function FieldForm({
  fields,
  values,
  onChange,
  shown,
  onShow,
  faults,
  communityId,
  screenOf,
}: {
  fields: readonly FormField[];
  values: InputValues;
  onChange: (values: InputValues) => void;
  /** Optional fields that the user chose in the menu. */
  shown: readonly number[];
  /** Absent if all fields are shown from the start. */
  onShow?: (shown: readonly number[]) => void;
  faults: Faults;
  communityId: number;
  screenOf?: number;
}) {
  const texts = useWriteTexts();
  const [addedField, setAddedField] = useState<number>();
  const isShown = ({ id, required }: FormField) =>
    required || shown.includes(id!) || isFilled(values[String(id)]) || faults[String(id)] !== undefined;
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required && isShown(field));
  const hidden = fields.filter((field) => !isShown(field));
  const setValue = (id: number, value: InputValue) => onChange({ ...values, [String(id)]: value });
  const input = (field: FormField) => (
    <div key={field.id} data-place={String(field.id)} className="form-field">
      <FieldInput
        field={field}
        value={values[String(field.id)]}
        onChange={(value) => setValue(field.id!, value)}
        error={faults[String(field.id)]}
        communityId={communityId}
        screenOf={screenOf}
        values={values}
        active={field.id === addedField}
      />
      {!field.required && onShow && (
        <button
          type="button"
          className="tool form-field-remove"
          aria-label={texts.removeField(field.label ?? '')}
          title={texts.removeField(field.label ?? '')}
          onClick={() => {
            setValue(field.id!, undefined);
            onShow(shown.filter((id) => id !== field.id));
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
  return (
    <div className="form-fields">
      {required.length > 0 && <p className="muted required-mark">{texts.requiredMark}</p>}
      {inSections([...required, ...optional], fields).map(([section, own]) =>
        section === '' ? (
          own.map(input)
        ) : (
          <fieldset key={`section ${section}`} className="form-section">
            <legend dir="auto">{section}</legend>
            {own.map(input)}
          </fieldset>
        ),
      )}
      {hidden.length > 0 && onShow && (
        <div>
          <Popup
            className="quiet add-field"
            label={texts.addField}
            button={
              <>
                <Plus size={14} aria-hidden /> {texts.addField}
              </>
            }
          >
            <OptionList
              search={texts.search}
              options={hidden.map(({ id, label = '' }) => ({ key: id!, label }))}
              onChoose={({ key }) => {
                setAddedField(key);
                onShow([...shown, key]);
              }}
            />
          </Popup>
        </div>
      )}
    </div>
  );
}

/** Checks before sending: empty required fields, and texts that are no numbers. */
export function checkFields(fields: readonly FormField[], values: InputValues, texts: Texts & WriteTexts): Faults {
  const faults: Record<string, string> = {};
  for (const field of fields) {
    const value = values[String(field.id)];
    if (field.required && !isFilled(value)) faults[String(field.id)] = texts.required;
    else if (kindOf(field) === 'number' && isFilled(value) && numberOf(String(value)) === undefined)
      faults[String(field.id)] = texts.notNumber;
    else if (typeof value === 'string' && isFilled(value) && !isReadable(field, value))
      faults[String(field.id)] = texts.partialDay;
  }
  return faults;
}

/** The values of a form for a request, without empty values. */
export function writtenValues(fields: readonly FormField[], values: InputValues): Record<string, JsonValue> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = wireOf(field, values[String(field.id)]);
      return value === null ? [] : [[String(field.id), value]];
    }),
  );
}

/** Moves the focus to the first input with an error. */
export function useFocusOnFault(form: React.RefObject<HTMLElement | null>, faults: Faults): void {
  useEffect(() => {
    const places = [...(form.current?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
    const first = places.find(({ dataset }) => faults[dataset['place'] ?? ''] !== undefined);
    first?.querySelector<HTMLElement>('input:not([hidden]), textarea, [contenteditable], button')?.focus();
  }, [form, faults]);
}
