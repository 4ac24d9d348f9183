import { useState } from 'react';
import { FieldValue } from '../../content/field-value.tsx';
import { useDefinition } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { useWriteTexts } from '../../write/texts.ts';
import { EditField } from './edit-field.tsx';
import type { Post } from './save-part.ts';

/** The custom fields of a post: filled fields, and empty fields on demand. */
export function EditCustomFields({ post }: { post: Post }) {
  const texts = useWriteTexts();
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const values = post.customData ?? {};
  const fields = (useDefinition(post.communityId!).data?.fieldDefinitions ?? []).filter(
    ({ visibleInDetail }) => visibleInDetail !== false,
  );
  const isFilled = ({ id }: { id?: number }) => values[String(id)] !== undefined;
  const canEdit = ({ visibleInEdit, readonly }: (typeof fields)[number]) => visibleInEdit !== false && !readonly;
  const empty = fields.filter((field) => !isFilled(field) && canEdit(field));
  const shown = fields.filter((field) => isFilled(field) || (all && canEdit(field)));
  return (
    <>
      {shown.map((field) => (
        <div key={field.id}>
          <dt>{field.label}</dt>
          <dd>
            {canEdit(field) ? (
              <EditField post={post} field={field} />
            ) : (
              <FieldValue field={field} value={values[String(field.id)]} />
            )}
          </dd>
        </div>
      ))}
      {empty.length > 0 && !all && (
        <div>
          <dt className="visually-hidden">{texts.emptyFields}</dt>
          <dd className="post-details-more">
            <button type="button" className="quiet muted add-field" onClick={() => setAll(true)}>
              {texts.showEmpty(formats.count(empty.length))}
            </button>
          </dd>
        </div>
      )}
    </>
  );
}
