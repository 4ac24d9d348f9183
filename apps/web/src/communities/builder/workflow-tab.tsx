import '../../admin/admin.css';
import { Button } from '@mantine/core';
import type { CommunityFile } from '@portico/sdk';
import { Check as Tick, X } from 'lucide-react';
import { useState } from 'react';
import { Check } from '../../admin/fields.tsx';
import { addState, withWorkflow } from './edit-file.ts';
import type { DraftFaults } from './faults.ts';
import { FieldEditor } from './field-editor.tsx';
import { FieldList } from './field-list.tsx';
import { ScreenEditor } from './screen-editor.tsx';
import { StateEditor, TransitionEditor } from './state-editor.tsx';
import { useBuilderTexts } from './texts.ts';
import type { Trial } from './use-trial.ts';
import { WhomSelect } from './whom-select.tsx';
import { type Part, WorkflowList } from './workflow-list.tsx';
import { WorkflowPicture } from './workflow-picture.tsx';

interface WorkflowTabProps {
  file: CommunityFile;
  communityId: number;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  faults: DraftFaults;
  trial: Trial;
}

/** The workflow: its list, the steps that a person meets, and the settings of the chosen part. */
export function WorkflowTab(props: WorkflowTabProps) {
  const words = useBuilderTexts();
  const { file, change, faults } = props;
  const [chosen, setChosen] = useState<Part>();
  if (!file.workflow)
    return (
      <div className="builder-columns">
        <div>
          <p>{words.noWorkflow}</p>
          <Button
            variant="default"
            onClick={() => change((now) => addState(withWorkflow(now, { title: words.workflow }), words.firstState)[0])}
          >
            {words.addWorkflow}
          </Button>
        </div>
      </div>
    );
  const list = { file, change, faults };
  return (
    <div className="builder-columns">
      <section aria-label={words.workflow}>
        <h2>{words.workflow}</h2>
        <WorkflowList {...list} chosen={chosen} choose={setChosen} />
        <h2>{words.screenFields}</h2>
        <FieldList
          {...list}
          form="screenFields"
          chosen={chosen?.list === 'screenFields' ? chosen.key : undefined}
          choose={(key) => setChosen(key === undefined ? undefined : { list: 'screenFields', key })}
        />
      </section>
      <div className="builder-middle">
        <WorkflowPicture workflow={file.workflow} chosen={chosen} choose={setChosen} faults={faults} />
        <Steps {...props} />
      </div>
      <div>
        <PartEditor {...props} part={chosen} choose={setChosen} />
      </div>
    </div>
  );
}

/** The settings of the chosen part. */
function PartEditor({
  part,
  choose,
  ...props
}: WorkflowTabProps & { part: Part | undefined; choose: (part: Part | undefined) => void }) {
  const words = useBuilderTexts();
  if (!part) return <p className="muted">{words.choosePart}</p>;
  const { list, key } = part;
  const shared = { ...props, partKey: key, choose };
  switch (list) {
    case 'states':
      return <StateEditor {...shared} key={`${list} ${key}`} />;
    case 'transitions':
      return <TransitionEditor {...shared} key={`${list} ${key}`} />;
    case 'screens':
      return <ScreenEditor {...shared} key={`${list} ${key}`} />;
    default:
      return (
        <FieldEditor
          {...props}
          key={`${list} ${key}`}
          form="screenFields"
          fieldKey={key}
          choose={(next) => choose(next === undefined ? undefined : { list, key: next })}
        />
      );
  }
}

/** The transitions from each state that a person may run, and why not the others. */
function Steps({ file, communityId, trial }: WorkflowTabProps) {
  const words = useBuilderTexts();
  const { preview } = trial;
  const steps = preview.data?.transitions ?? [];
  return (
    <section className="builder-preview" aria-label={words.steps}>
      <h2>{words.steps}</h2>
      <p className="muted">{words.stepsHint}</p>
      <div className="builder-whom">
        <WhomSelect file={file} communityId={communityId} value={trial.whom} onChange={trial.setWhom} />
        <Check label={words.ownPost} checked={trial.byAuthor} onChange={trial.setByAuthor} />
      </div>
      {preview.isError && <p role="status">{words.noPreview}</p>}
      {!preview.isError &&
        (file.workflow?.states ?? []).map(({ key, name }) => (
          <section key={key} aria-label={name}>
            <h3 dir="auto">{name}</h3>
            <ul className="builder-steps">
              {steps
                .filter(({ from }) => from === key)
                .map((step) => (
                  <li key={step.key}>
                    {step.permitted ? <Tick size={14} aria-hidden /> : <X size={14} aria-hidden />}{' '}
                    <bdi>{step.name}</bdi>: {step.permitted ? words.may : words.mayNot}
                    <p className="muted">{step.text}</p>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </section>
  );
}
