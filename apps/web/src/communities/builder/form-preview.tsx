import '../../admin/admin.css';
import type { CommunityFile, CommunityPreviewField } from '@portico/sdk';
import { SegmentedControl } from '../../shell/segmented-control.tsx';
import { FieldInput } from '../../write/field-input.tsx';
import { type InputValues, inSections } from '../../write/input-values.ts';
import { type PreviewField, previewFields } from './form-fields.ts';
import { useBuilderTexts } from './texts.ts';
import { type Trial, valuesById } from './use-trial.ts';
import { WhomSelect } from './whom-select.tsx';

/** The form of the draft as a person meets it. It reacts to typed values, and stores nothing. */
export function FormPreview({ file, communityId, trial }: { file: CommunityFile; communityId: number; trial: Trial }) {
  const words = useBuilderTexts();
  const { preview } = trial;
  const told = preview.data?.fields ?? [];
  return (
    <section className="builder-preview" aria-label={words.preview}>
      <h2>{words.preview}</h2>
      <p className="muted">{words.previewHint}</p>
      <div className="builder-whom">
        <WhomSelect file={file} communityId={communityId} value={trial.whom} onChange={trial.setWhom} />
        <SegmentedControl
          label={words.form}
          options={[
            { value: 'create', label: words.create },
            { value: 'edit', label: words.edit },
          ]}
          value={trial.form}
          onChange={trial.setForm}
        />
      </div>
      {preview.isError && <p role="status">{words.noPreview}</p>}
      {preview.data?.mayCreatePosts === false && <p role="status">{words.mayNotCreate}</p>}
      {!preview.isError && preview.data && (
        <PreviewForm
          fields={previewFields(file, 'fields', told)}
          told={told}
          values={trial.values}
          onChange={trial.setValues}
          communityId={communityId}
        />
      )}
    </section>
  );
}

function PreviewForm({
  fields,
  told,
  values,
  onChange,
  communityId,
}: {
  fields: readonly PreviewField[];
  told: readonly CommunityPreviewField[];
  values: InputValues;
  onChange: (values: InputValues) => void;
  communityId: number;
}) {
  const words = useBuilderTexts();
  const hidden = told.filter(({ shown }) => !shown);
  const shown = fields.filter(({ key }) => told.some((one) => one.key === key && one.shown));
  return (
    <>
      <div className="form-fields">
        {inSections(shown, fields).map(([section, own]) => (
          <section key={section} className="form-fields" aria-label={section || words.noSection}>
            {section !== '' && <h3 dir="auto">{section}</h3>}
            {own.map((field) => (
              <FieldInput
                // A field of another type has another input.
                key={`${field.key} ${field.type}`}
                field={field}
                value={values[field.key]}
                onChange={(value) => onChange({ ...values, [field.key]: value })}
                communityId={communityId}
                values={valuesById(fields, values)}
              />
            ))}
          </section>
        ))}
      </div>
      {hidden.length > 0 && (
        <>
          <h3>{words.notShown}</h3>
          <ul className="muted">
            {hidden.map(({ key, label, text }) => (
              <li key={key}>
                <bdi>{label}</bdi>: {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
