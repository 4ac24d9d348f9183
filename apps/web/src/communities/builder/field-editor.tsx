import '../../admin/admin.css';
import { Textarea, TextInput } from '@mantine/core';
import { type CommunityFile, type CommunityFileField, FieldType } from '@portico/sdk';
import { useContext, useId } from 'react';
import { Check } from '../../admin/fields.tsx';
import { isQuantity } from '../../content/field-number.ts';
import { LanguageContext } from '../../texts/index.ts';
import { Choice } from './choice.tsx';
import { ConditionsEditor, otherFields } from './conditions-editor.tsx';
import {
  type Change,
  changeField,
  defined,
  type Form,
  fieldsOf,
  moveField,
  removeField,
  usersOf,
} from './edit-file.ts';
import { FaultList } from './fault-mark.tsx';
import { type DraftFaults, placeOf } from './faults.ts';
import { TypeSelect } from './field-list.tsx';
import { isListed } from './form-fields.ts';
import { useBuilderTexts } from './texts.ts';
import { ValuesEditor } from './values-editor.tsx';

interface FieldEditorProps {
  file: CommunityFile;
  form: Form;
  fieldKey: string;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  choose: (key: string | undefined) => void;
  faults: DraftFaults;
}

/** The settings of the chosen field, rare ones folded. */
export function FieldEditor({ file, form, fieldKey, change, choose, faults }: FieldEditorProps) {
  const words = useBuilderTexts();
  const fields = fieldsOf(file, form);
  const index = fields.findIndex(({ key }) => key === fieldKey);
  const field = fields[index];
  const sections = useId();
  if (!field) return null;
  const set = (next: Change<CommunityFileField>) => change((now) => changeField(now, form, fieldKey, next));
  const users = usersOf(file, form, fieldKey);
  const move = (target: CommunityFileField | undefined) =>
    target && change((now) => moveField(now, form, fieldKey, target.key!));
  return (
    <section className="form-fields" aria-label={words.field(field.label ?? fieldKey)}>
      <h2 dir="auto">{field.label}</h2>
      <FaultList faults={faults.get(placeOf(form, fieldKey))} />
      <TextInput
        label={words.label}
        value={field.label ?? ''}
        onChange={({ currentTarget: { value } }) => set({ label: value })}
      />
      <div>
        <span className="admin-caption">{words.type}</span>
        <TypeSelect
          value={field.type ?? 'STRING'}
          onChange={(type) =>
            set({
              type,
              ...(type === 'GENERIC_ENTITY_LIST' && {
                metadata: { ...field.metadata, generic_entity_list_config_id: 'core.user' },
              }),
            })
          }
        />
      </div>
      <TypeSettings file={file} form={form} field={field} set={set} />
      <Check
        label={words.required}
        checked={field.required === true}
        onChange={(on) => set({ required: on || undefined })}
      />
      <TextInput
        label={words.section}
        list={sections}
        value={field.section ?? ''}
        onChange={({ currentTarget: { value } }) => set({ section: value || undefined })}
      />
      <datalist id={sections}>
        {[...new Set(fields.flatMap(({ section }) => section ?? []))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ConditionsEditor
        file={file}
        legend={words.conditions}
        named={otherFields(file, form, fieldKey)}
        value={field.conditions ?? []}
        onChange={(conditions) => set({ conditions })}
      />
      <RareSettings form={form} field={field} roles={file.roles ?? []} set={set} />
      <div className="buttons">
        <button type="button" className="small" disabled={index === 0} onClick={() => move(fields[index - 1])}>
          {words.moveUp}
        </button>
        <button
          type="button"
          className="small"
          disabled={index === fields.length - 1}
          onClick={() => move(fields[index + 1])}
        >
          {words.moveDown}
        </button>
        <button
          type="button"
          className="small"
          disabled={users.length > 0}
          onClick={() => {
            choose(undefined);
            change((now) => removeField(now, form, fieldKey));
          }}
        >
          {words.remove}
        </button>
      </div>
      {users.length > 0 && <p className="muted">{words.usedBy(users.join(', '))}</p>}
    </section>
  );
}

interface SettingsProps {
  field: CommunityFileField;
  set: (change: Change<CommunityFileField>) => void;
}

/** Settings that only fields of some types have. */
function TypeSettings({ file, form, field, set }: SettingsProps & { file: CommunityFile; form: Form }) {
  const words = useBuilderTexts();
  if (field.type === 'GENERIC_ENTITY_LIST')
    return (
      <Choice
        label={words.holds}
        options={Object.entries(words.objects)}
        value={field.metadata?.['generic_entity_list_config_id'] ?? 'core.user'}
        onChange={(kind) => set({ metadata: { ...field.metadata, generic_entity_list_config_id: kind } })}
      />
    );
  if (isQuantity({ type: FieldType[field.type ?? 'STRING'] })) return <NumberSettings field={field} set={set} />;
  if (!isListed(field)) return null;
  const above = fieldsOf(file, form).filter((one) => one.key !== field.key && isListed(one));
  return (
    <>
      {(file.catalogs ?? []).length > 0 && (
        <Choice
          label={words.catalog}
          options={[
            ['', words.ownValues],
            ...file.catalogs!.map(({ key = '', name = {} }) => [key, Object.values(name)[0] ?? key] as const),
          ]}
          value={field.catalog ?? ''}
          onChange={(catalog) => set(catalog === '' ? { catalog: undefined } : { catalog, values: undefined })}
        />
      )}
      {field.type === 'HIERARCHICAL_ENUM' && (
        <Choice
          label={words.parent}
          options={[['', '–'], ...above.map(({ key = '', label = key }) => [key, label] as const)]}
          value={field.parent ?? ''}
          onChange={(parent) => set({ parent: parent || undefined })}
        />
      )}
      {field.catalog === undefined && (
        <ValuesEditor values={field.values ?? []} onChange={(values) => set({ values })} />
      )}
    </>
  );
}

/** How numbers are shown: with a unit or a currency, and with how many digits after the point. */
function NumberSettings({ field, set }: SettingsProps) {
  const words = useBuilderTexts();
  const { tag } = useContext(LanguageContext);
  const { unit, currency, decimal_digits: digits } = field.metadata ?? {};
  const put = (change: Change<Record<'unit' | 'currency' | 'decimal_digits', string>>) =>
    set({ metadata: defined({ ...field.metadata, ...change }) as Record<string, string> });
  const names = new Intl.DisplayNames(tag, { type: 'currency' });
  const known = Intl.supportedValuesOf('currency').map((code) => [code, `${code} · ${names.of(code)}`] as const);
  return (
    <>
      <Choice
        label={words.currency}
        options={[['', words.noCurrency], ...known]}
        value={currency ?? ''}
        onChange={(code) => put(code === '' ? { currency: undefined } : { currency: code, unit: undefined })}
      />
      {currency === undefined && (
        <TextInput
          label={words.unit}
          placeholder="kg"
          maxLength={20}
          value={unit ?? ''}
          onChange={({ currentTarget: { value } }) => put({ unit: value.trimStart() || undefined })}
        />
      )}
      {field.type === 'DECIMAL' && (
        <Choice
          label={words.digits}
          options={[['', words.anyDigits], ...['0', '1', '2', '3', '4', '6'].map((count) => [count, count] as const)]}
          value={digits ?? ''}
          onChange={(count) => put({ decimal_digits: count || undefined })}
        />
      )}
    </>
  );
}

/** Switches that are on unless the file says otherwise. */
const SHOWN = ['searchable', 'visibleInPreview', 'visibleInDetail'] as const;
/** Switches whose default is the opposite of `readonly`. */
const WRITTEN = ['visibleInCreate', 'visibleInEdit'] as const;

function RareSettings({
  form,
  field,
  roles,
  set,
}: SettingsProps & { form: Form; roles: NonNullable<CommunityFile['roles']> }) {
  const words = useBuilderTexts();
  const readonly = field.readonly ?? field.type === 'LINK';
  const audience = field.visibleToRoles?.join(' ') ?? '';
  return (
    <details>
      <summary>{words.rare}</summary>
      <div className="form-fields">
        <Textarea
          label={words.description}
          autosize
          minRows={2}
          value={field.description ?? ''}
          onChange={({ currentTarget: { value } }) => set({ description: value || undefined })}
        />
        <Check label={words.readonly} checked={readonly} onChange={(on) => set({ readonly: on })} />
        {form === 'fields' && (
          <>
            {SHOWN.map((name) => (
              <Check
                key={name}
                label={words[name]}
                checked={field[name] !== false}
                onChange={(on) => set({ [name]: on ? undefined : false })}
              />
            ))}
            <Check
              label={words.sortable}
              checked={field.sortable === true}
              onChange={(on) => set({ sortable: on || undefined })}
            />
            {WRITTEN.map((name) => (
              <Check
                key={name}
                label={words[name]}
                checked={field[name] ?? !readonly}
                onChange={(on) => set({ [name]: on === !readonly ? undefined : on })}
              />
            ))}
          </>
        )}
        <Choice
          label={words.visibleTo}
          options={[
            ['', words.everybody],
            ...Object.entries(words.roles),
            ...roles.map(({ key = '', name = key }) => [key, name] as const),
            ...(audience.includes(' ') ? [[audience, audience.replaceAll(' ', ', ')] as const] : []),
          ]}
          value={audience}
          onChange={(role) => set({ visibleToRoles: role === '' ? undefined : role.split(' ') })}
        />
        <p className="muted">
          {words.key}: <code>{field.key}</code>
        </p>
      </div>
    </details>
  );
}
