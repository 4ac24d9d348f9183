import { Button, Textarea, TextInput } from '@mantine/core';
import type { CommunityFile } from '@portico/sdk';
import { useState } from 'react';
import { Check } from '../../admin/fields.tsx';
import { AccessEditor } from './access-editor.tsx';
import { Choice } from './choice.tsx';
import { ConditionsEditor } from './conditions-editor.tsx';
import {
  addTransition,
  changeState,
  changeTransition,
  equalAccess,
  fieldsOf,
  moved,
  removeState,
  removeTransition,
  withWorkflow,
} from './edit-file.ts';
import { FaultList } from './fault-mark.tsx';
import { type DraftFaults, placeOf } from './faults.ts';
import { useBuilderTexts } from './texts.ts';
import type { Part } from './workflow-list.tsx';

export interface PartEditorProps {
  file: CommunityFile;
  communityId: number;
  partKey: string;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  choose: (part: Part | undefined) => void;
  faults: DraftFaults;
}

/** Names of screens, and the choice of none. */
function useScreens(file: CommunityFile): readonly (readonly [string, string])[] {
  const words = useBuilderTexts();
  return [['', words.noScreen], ...(file.workflow?.screens ?? []).map(({ name = '' }) => [name, name] as const)];
}

/** The settings of a state, and a form for a transition that leads away from it. */
export function StateEditor({ file, communityId, partKey, change, choose, faults }: PartEditorProps) {
  const words = useBuilderTexts();
  const screens = useScreens(file);
  const { states = [] } = file.workflow ?? {};
  const index = states.findIndex(({ key }) => key === partKey);
  const state = states[index];
  if (!state) return null;
  const set = (next: Parameters<typeof changeState>[2]) => change((now) => changeState(now, partKey, next));
  const move = (by: -1 | 1) =>
    change((now) => withWorkflow(now, { states: moved(now.workflow?.states ?? [], index, by) }));
  return (
    <section className="form-fields" aria-label={words.state(state.name ?? partKey)}>
      <h2 dir="auto">{state.name}</h2>
      <FaultList faults={faults.get(placeOf('states', partKey))} />
      <TextInput
        label={words.name}
        value={state.name ?? ''}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      <Check
        label={words.initial}
        checked={state.initial === true}
        onChange={(on) => set({ initial: on || undefined })}
      />
      <Check
        label={words.terminal}
        checked={state.terminal === true}
        onChange={(on) => set({ terminal: on || undefined })}
      />
      {state.terminal !== true && (
        <NewTransition
          file={file}
          from={partKey}
          add={(name, to) => {
            choose({ list: 'transitions', key: addTransition(file, { name, from: partKey, to })[1] });
            change((now) => addTransition(now, { name, from: partKey, to })[0]);
          }}
        />
      )}
      <details>
        <summary>{words.rare}</summary>
        <div className="form-fields">
          <Textarea
            label={words.meaning}
            autosize
            minRows={2}
            value={state.description ?? ''}
            onChange={({ currentTarget: { value } }) => set({ description: value || undefined })}
          />
          <Choice
            label={words.stateScreen}
            options={screens}
            value={state.screen ?? ''}
            onChange={(screen) =>
              set(screen === '' ? { screen: undefined, edit: undefined } : { screen, edit: state.edit ?? {} })
            }
          />
          {state.screen !== undefined && (
            <AccessEditor
              file={file}
              communityId={communityId}
              legend={words.mayEditScreen}
              value={state.edit ?? {}}
              onChange={(edit) => set({ edit })}
            />
          )}
          <p className="muted">
            {words.key}: <code>{partKey}</code>
          </p>
        </div>
      </details>
      <div className="buttons">
        <button type="button" className="small" disabled={index === 0} onClick={() => move(-1)}>
          {words.moveUp}
        </button>
        <button type="button" className="small" disabled={index === states.length - 1} onClick={() => move(1)}>
          {words.moveDown}
        </button>
        <button
          type="button"
          className="small"
          onClick={() => {
            choose(undefined);
            change((now) => removeState(now, partKey));
          }}
        >
          {words.remove}
        </button>
      </div>
    </section>
  );
}

function NewTransition({
  file,
  from,
  add,
}: {
  file: CommunityFile;
  from: string;
  add: (name: string, to: string) => void;
}) {
  const words = useBuilderTexts();
  const targets = (file.workflow?.states ?? []).filter(({ key }) => key !== from);
  const [name, setName] = useState('');
  const [to, setTo] = useState<string>();
  const target = to ?? targets[0]?.key;
  if (target === undefined) return null;
  return (
    <form
      className="builder-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') return;
        add(name.trim(), target);
        setName('');
      }}
    >
      <TextInput label={words.newTransition} value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
      <Choice
        label={words.leadsTo}
        options={targets.map(({ key = '', name: label = key }) => [key, label] as const)}
        value={target}
        onChange={setTo}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''}>
        {words.addTransition}
      </Button>
    </form>
  );
}

const DEFAULT_RUN = { roles: ['CONTRIBUTOR'] };

/** The settings of a transition. */
export function TransitionEditor({ file, communityId, partKey, change, choose, faults }: PartEditorProps) {
  const words = useBuilderTexts();
  const screens = useScreens(file);
  const { states = [], transitions = [] } = file.workflow ?? {};
  const transition = transitions.find(({ key }) => key === partKey);
  if (!transition) return null;
  const set = (next: Parameters<typeof changeTransition>[2]) => change((now) => changeTransition(now, partKey, next));
  const places = states.map(({ key = '', name = key }) => [key, name] as const);
  const named = (['fields', 'screenFields'] as const).flatMap((form) =>
    fieldsOf(file, form).map((field) => ({ form, field })),
  );
  return (
    <section className="form-fields" aria-label={words.transition(transition.name ?? partKey)}>
      <h2 dir="auto">{transition.name}</h2>
      <FaultList faults={faults.get(placeOf('transitions', partKey))} />
      <TextInput
        label={words.name}
        value={transition.name ?? ''}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      <Choice
        label={words.leadsFrom}
        options={places}
        value={transition.from ?? ''}
        onChange={(from) => set({ from })}
      />
      <Choice label={words.leadsTo} options={places} value={transition.to ?? ''} onChange={(to) => set({ to })} />
      <Choice
        label={words.asksFor}
        options={screens}
        value={transition.screen ?? ''}
        onChange={(screen) => set({ screen: screen || undefined })}
      />
      <AccessEditor
        file={file}
        communityId={communityId}
        legend={words.mayRun}
        value={transition.run ?? DEFAULT_RUN}
        onChange={(run) => set({ run: equalAccess(run, DEFAULT_RUN) ? undefined : run })}
      />
      <ConditionsEditor
        file={file}
        legend={words.onlyIf}
        named={named}
        value={transition.conditions ?? []}
        onChange={(conditions) => set({ conditions })}
      />
      <p className="muted">
        {words.key}: <code>{partKey}</code>
      </p>
      <div className="buttons">
        <button
          type="button"
          className="small"
          onClick={() => {
            choose({ list: 'states', key: transition.from! });
            change((now) => removeTransition(now, partKey));
          }}
        >
          {words.remove}
        </button>
      </div>
    </section>
  );
}
