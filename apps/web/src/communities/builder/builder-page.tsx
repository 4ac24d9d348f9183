import './builder.css';
import { Button } from '@mantine/core';
import type { CommunityFile } from '@portico/sdk';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { Loaded, Loading } from '../../placeholders.tsx';
import { queryClient } from '../../portal.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { SegmentedControl } from '../../shell/segmented-control.tsx';
import { useFormats } from '../../texts/index.ts';
import { useTitle } from '../../use-title.ts';
import { Menu } from '../../write/menu.tsx';
import { showNotice } from '../../write/notices.ts';
import { FaultList } from './fault-mark.tsx';
import { FieldsTab } from './fields-tab.tsx';
import { type BuilderTexts, useBuilderTexts } from './texts.ts';
import { useDraftFaults } from './use-checks.ts';
import { type Conflict, type Draft, type Saved, useDraft, useSaved } from './use-draft.ts';
import { useTrial } from './use-trial.ts';

const WorkflowTab = part(() => import('./workflow-tab.tsx'), 'WorkflowTab');
const PublishDialog = part(() => import('./publish-dialog.tsx'), 'PublishDialog');

/** Builds the fields and the workflow of a community, as a draft until it is published. */
export function BuilderPage() {
  const communityId = Number(useParams({ strict: false }).communityId);
  const saved = useSaved(communityId);
  return (
    <Loaded query={saved}>{(loaded) => <Builder key={communityId} communityId={communityId} loaded={loaded} />}</Loaded>
  );
}

function Builder({ communityId, loaded }: { communityId: number; loaded: Saved }) {
  const words = useBuilderTexts();
  const draft = useDraft(communityId, loaded, (by) => showNotice(words.merged(by ?? words.somebody)));
  const { file, change } = draft;
  const { faults, changes } = useDraftFaults(file);
  const trial = useTrial(file);
  const [tab, setTab] = useState<'fields' | 'workflow'>('fields');
  const [publishing, setPublishing] = useState(false);
  const name = file.community?.name ?? file.community?.key ?? '';
  useTitle(words.title(name));
  const refused = [...faults.values()].flat().some((fault) => fault.refused);
  return (
    <div className="page builder">
      <header className="toolbar">
        <h1 dir="auto">{words.title(name)}</h1>
        <SegmentedControl
          label={words.parts}
          options={[
            { value: 'fields', label: words.fields },
            { value: 'workflow', label: words.workflow },
          ]}
          value={tab}
          onChange={setTab}
        />
        <SaveStatus draft={draft} />
        <DraftMenu draft={draft} name={file.community?.key ?? 'community'} />
        <Button
          disabled={refused || draft.conflict !== undefined || changes === 0}
          onClick={() => void draft.save().then(setPublishing)}
        >
          {words.publish}
        </Button>
      </header>
      {draft.conflict && <ConflictChoice conflict={draft.conflict} resolve={draft.resolve} />}
      {faults.has('') && (
        <section className="builder-faults" aria-label={words.faults}>
          <FaultList faults={faults.get('')} />
        </section>
      )}
      {tab === 'fields' ? (
        <FieldsTab file={file} communityId={communityId} change={change} faults={faults} trial={trial} />
      ) : (
        <Panel fallback={<Loading />}>
          <WorkflowTab file={file} communityId={communityId} change={change} faults={faults} trial={trial} />
        </Panel>
      )}
      {publishing && (
        <Panel close={() => setPublishing(false)}>
          <PublishDialog
            communityId={communityId}
            draft={file}
            published={draft.saved.published}
            onClose={() => setPublishing(false)}
            onDone={() => {
              setPublishing(false);
              void draft.reload();
              for (const queryKey of [['definition', communityId], ['communities']])
                void queryClient.invalidateQueries({ queryKey });
            }}
          />
        </Panel>
      )}
    </div>
  );
}

/** Whether the draft is saved, and who saved it. */
function SaveStatus({ draft: { state, saved } }: { draft: Draft }) {
  const words = useBuilderTexts();
  const formats = useFormats();
  return (
    <output className="muted builder-status">
      {state === 'saved' ? savedText(saved, words, formats.age) : words[state === 'saving' ? 'saving' : 'notSaved']}
    </output>
  );
}

function savedText({ token, by, at }: Saved, words: BuilderTexts, age: (ms: number) => string): string {
  if (token === 0) return words.noDraft;
  return by === undefined || at === undefined ? words.saved : words.savedBy(by, age(at));
}

/** Both edits of the same places, to choose between. Nothing of either is lost until then. */
function ConflictChoice({ conflict, resolve }: { conflict: Conflict; resolve: Draft['resolve'] }) {
  const words = useBuilderTexts();
  const formats = useFormats();
  const { theirs, merged } = conflict;
  return (
    <section className="builder-conflict" role="alert" aria-label={words.conflictTitle}>
      <h2>{words.conflictTitle}</h2>
      <p>{words.conflictBy(theirs.by ?? words.somebody, formats.age(theirs.at ?? Date.now()))}</p>
      <ul>
        {merged.conflicts.map((place) => (
          <li key={place}>
            <code>{place}</code>
          </li>
        ))}
      </ul>
      <p className="muted">{words.conflictHint}</p>
      <div className="buttons">
        <Button variant="default" onClick={() => resolve('mine')}>
          {words.keepMine}
        </Button>
        <Button variant="default" onClick={() => resolve('theirs')}>
          {words.takeTheirs}
        </Button>
      </div>
    </section>
  );
}

/** Downloads and uploads the draft as a file, and discards it. */
function DraftMenu({ draft, name }: { draft: Draft; name: string }) {
  const words = useBuilderTexts();
  const input = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const download = async () => {
    const { writeFileText } = await import('./file-text.ts');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([writeFileText(draft.file)], { type: 'application/yaml' }));
    link.download = `${name}.yaml`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      const { readFileText } = await import('./file-text.ts');
      const file: CommunityFile = readFileText(await chosen.text());
      draft.change(() => file);
      showNotice(words.uploaded);
    } catch (error) {
      showNotice(words.notRead(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        hidden
        aria-label={words.upload}
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Menu
        className="small"
        label={words.more}
        button={words.more}
        items={[
          { label: words.download, run: () => void download() },
          { label: words.upload, run: () => input.current?.click() },
          { label: words.discard, run: () => setAsking(true) },
        ]}
      />
      {asking && (
        <Dialog label={words.discard} onClose={() => setAsking(false)}>
          <h2>{words.discardQuestion}</h2>
          <div className="buttons">
            <Button
              onClick={() => {
                setAsking(false);
                void draft.discard().then(() => showNotice(words.discarded));
              }}
            >
              {words.discard}
            </Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              {words.keep}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
