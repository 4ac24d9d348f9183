import type { CommunityFile } from '@portico/sdk';
import { useState } from 'react';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { Loading } from '../../placeholders.tsx';
import type { DraftFaults } from './faults.ts';
import { FieldList } from './field-list.tsx';
import { useBuilderTexts } from './texts.ts';
import type { Trial } from './use-trial.ts';

const FieldEditor = part(() => import('./field-editor.tsx'), 'FieldEditor');
const FormPreview = part(() => import('./form-preview.tsx'), 'FormPreview');

/** The fields of posts: their list, the live form, and the settings of the chosen field. */
export function FieldsTab({
  file,
  communityId,
  change,
  faults,
  trial,
}: {
  file: CommunityFile;
  communityId: number;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  faults: DraftFaults;
  trial: Trial;
}) {
  const words = useBuilderTexts();
  const [chosen, setChosen] = useState<string>();
  const list = { file, form: 'fields' as const, change, faults, choose: setChosen };
  return (
    <div className="builder-columns">
      <section aria-label={words.fields}>
        <h2>{words.fields}</h2>
        <FieldList {...list} chosen={chosen} />
      </section>
      <Panel fallback={<Loading />}>
        <FormPreview file={file} communityId={communityId} trial={trial} />
      </Panel>
      <div>
        {chosen === undefined ? (
          <p className="muted">{words.choose}</p>
        ) : (
          <Panel fallback={<Loading />}>
            <FieldEditor key={chosen} {...list} fieldKey={chosen} />
          </Panel>
        )}
      </div>
    </div>
  );
}
