import { Button } from '@mantine/core';
import { type CommunityFile, type CommunityFileField, FieldType } from '@portico/sdk';
import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useFormats } from '../../texts/index.ts';
import { inSections } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { addField, type Form, fieldsOf, moveField } from './edit-file.ts';
import { FaultMark } from './fault-mark.tsx';
import { type DraftFaults, placeOf } from './faults.ts';
import { useBuilderTexts } from './texts.ts';

type TypeName = NonNullable<CommunityFileField['type']>;

/** Names of the types, the frequent ones first. */
const typeNames: readonly TypeName[] = [
  ...(['STRING', 'TEXT_AREA', 'INT', 'DECIMAL', 'DATE', 'DATETIME', 'ENUM', 'ENUM_LIST', 'FLAG'] as const),
  ...(['GENERIC_ENTITY_LIST', 'DELTA_AREA', 'FEEDBACK', 'LINK', 'BIGINT', 'HIERARCHICAL_ENUM'] as const),
].filter((name) => FieldType[name] !== undefined);

interface FieldListProps {
  file: CommunityFile;
  form: Form;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  /** Key of the chosen field. */
  chosen: string | undefined;
  choose: (key: string | undefined) => void;
  faults: DraftFaults;
}

/** The fields of a form by section, in order; they are moved by the mouse and by keys. */
export function FieldList({ file, form, change, chosen, choose, faults }: FieldListProps) {
  const words = useBuilderTexts();
  const formats = useFormats();
  const [dragged, setDragged] = useState<string>();
  const fields = fieldsOf(file, form);
  const move = (key: string, target: CommunityFileField | undefined) => {
    if (!target) return;
    change((now) => moveField(now, form, key, target.key!));
    const place = fields.indexOf(target) + 1;
    showNotice(words.movedTo(fields.find((field) => field.key === key)?.label ?? key, formats.number(place)));
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    move(fields[index]!.key!, fields[index + by]);
  };
  return (
    <>
      {fields.length === 0 && <p className="muted">{words.noFields}</p>}
      {fields.length > 1 && <p className="muted">{words.listHint}</p>}
      {inSections(fields, fields).map(([section, own]) => (
        <section key={section} aria-label={section || words.noSection}>
          {section !== '' && <h3 dir="auto">{section}</h3>}
          <ol className="builder-list">
            {own.map((field) => (
              <li
                key={field.key}
                draggable
                data-dragged={dragged === field.key ? '' : undefined}
                onDragStart={() => setDragged(field.key)}
                onDragEnd={() => setDragged(undefined)}
                onDragOver={(event) => dragged !== undefined && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged !== undefined && dragged !== field.key) move(dragged, field);
                  setDragged(undefined);
                }}
              >
                <GripVertical size={14} aria-hidden className="muted" />
                <button
                  type="button"
                  className="quiet"
                  aria-pressed={chosen === field.key}
                  aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                  onClick={() => choose(field.key)}
                  onKeyDown={(event) => onKeyDown(event, fields.indexOf(field))}
                >
                  <span dir="auto">{field.label}</span>
                  {field.required && <span aria-hidden>*</span>}
                  <span className="muted">{words.types[field.type ?? 'STRING']}</span>
                </button>
                <FaultMark faults={faults.get(placeOf(form, field.key))} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <NewField
        add={(label, type) => {
          const metadata = type === 'GENERIC_ENTITY_LIST' ? { generic_entity_list_config_id: 'core.user' } : undefined;
          const section = fields.find((field) => field.key === chosen)?.section;
          const made = { label, type, ...(metadata && { metadata }), ...(section !== undefined && { section }) };
          choose(addField(file, form, made)[1]);
          change((now) => addField(now, form, made)[0]);
        }}
      />
    </>
  );
}

function NewField({ add }: { add: (label: string, type: TypeName) => void }) {
  const words = useBuilderTexts();
  const [label, setLabel] = useState('');
  const [type, setType] = useState<TypeName>('STRING');
  return (
    <form
      className="builder-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (label.trim() === '') return;
        add(label.trim(), type);
        setLabel('');
      }}
    >
      <input
        className="field"
        aria-label={words.newField}
        placeholder={words.newField}
        value={label}
        onChange={({ currentTarget: { value } }) => setLabel(value)}
      />
      <TypeSelect value={type} onChange={setType} />
      <Button type="submit" variant="default" disabled={label.trim() === ''}>
        {words.addField}
      </Button>
    </form>
  );
}

/** Chooses the type of a field. */
export function TypeSelect({ value, onChange }: { value: TypeName; onChange: (type: TypeName) => void }) {
  const words = useBuilderTexts();
  return (
    <select
      className="field"
      aria-label={words.type}
      value={value}
      onChange={({ currentTarget }) => onChange(typeNames.find((name) => name === currentTarget.value)!)}
    >
      {typeNames.map((name) => (
        <option key={name} value={name}>
          {words.types[name]}
        </option>
      ))}
    </select>
  );
}
