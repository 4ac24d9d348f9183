import { Button, TextInput } from '@mantine/core';
import type { CommunityFile } from '@portico/sdk';
import { ArrowRight, CornerDownRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { addScreen, addState } from './edit-file.ts';
import { FaultMark } from './fault-mark.tsx';
import { type DraftFaults, placeOf } from './faults.ts';
import { useBuilderTexts } from './texts.ts';

/** A part of the workflow: by its key, a screen by its name. */
export interface Part {
  readonly list: 'states' | 'transitions' | 'screens' | 'screenFields';
  readonly key: string;
}

interface WorkflowListProps {
  file: CommunityFile;
  change: (edit: (file: CommunityFile) => CommunityFile) => void;
  chosen: Part | undefined;
  choose: (part: Part | undefined) => void;
  faults: DraftFaults;
}

/** The states with the transitions that lead away from each, and the screens. */
export function WorkflowList({ file, change, chosen, choose, faults }: WorkflowListProps) {
  const words = useBuilderTexts();
  const { states = [], transitions = [], screens = [] } = file.workflow ?? {};
  const names = new Map(states.map(({ key, name = '' }) => [key, name]));
  const item = (part: Part, content: ReactNode) => (
    <>
      <button
        type="button"
        className="quiet"
        aria-pressed={chosen?.list === part.list && chosen.key === part.key}
        onClick={() => choose(part)}
      >
        {content}
      </button>
      <FaultMark faults={faults.get(placeOf(part.list, part.key))} />
    </>
  );
  return (
    <>
      <ol className="builder-list">
        {states.flatMap(({ key = '', name = key, initial, terminal }) => [
          <li key={`state ${key}`}>
            {item(
              { list: 'states', key },
              <>
                <strong dir="auto">{name}</strong>
                <span className="muted">
                  {[initial && words.begins, terminal && words.ends].filter(Boolean).join(', ')}
                </span>
              </>,
            )}
          </li>,
          ...transitions
            .filter(({ from }) => from === key)
            .map((transition) => (
              <li key={`transition ${transition.key}`} className="builder-transition">
                <CornerDownRight size={14} aria-hidden className="muted" />
                {item(
                  { list: 'transitions', key: transition.key ?? '' },
                  <>
                    <span dir="auto">{transition.name}</span>
                    <span className="muted">
                      <ArrowRight size={12} aria-hidden /> {names.get(transition.to) ?? transition.to}
                    </span>
                  </>,
                )}
              </li>
            )),
        ])}
      </ol>
      <NewPart
        label={words.newState}
        action={words.addState}
        add={(name) => {
          choose({ list: 'states', key: addState(file, name)[1] });
          change((now) => addState(now, name)[0]);
        }}
      />
      <h2>{words.screens}</h2>
      <ol className="builder-list">
        {screens.map(({ name = '' }) => (
          <li key={name}>{item({ list: 'screens', key: name }, <span dir="auto">{name}</span>)}</li>
        ))}
      </ol>
      <NewPart
        label={words.newScreen}
        action={words.addScreen}
        add={(name) => {
          choose({ list: 'screens', key: name });
          change((now) => addScreen(now, name));
        }}
      />
    </>
  );
}

function NewPart({ label, action, add }: { label: string; action: string; add: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form
      className="builder-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') return;
        add(name.trim());
        setName('');
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={label}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <Button type="submit" variant="default" disabled={name.trim() === ''}>
        {action}
      </Button>
    </form>
  );
}
