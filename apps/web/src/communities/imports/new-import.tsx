/** A new import: the file, its columns, the first rows, a check of all rows, and the import. */
import { Button, Checkbox } from '@mantine/core';
import type { Input, SuggestImportMappingResponse } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { Loaded } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { useDefinition } from '../../shared-queries.ts';
import { ColumnTable } from './column-table.tsx';
import { ImportProgress } from './import-progress.tsx';
import { PreviewTable } from './preview-table.tsx';
import { useImportTexts } from './texts.ts';

/** A destination that the person chose for a column. */
export type Choice = NonNullable<Input<'suggestImportMapping'>['columns']>[number];

interface Chosen {
  readonly fileName: string;
  readonly contentRef: string;
  /** The check that took the file, once it began. */
  readonly trialId?: number;
}

/** @param onStarted called with the id of the import that began */
export function NewImport({ communityId, onStarted }: { communityId: number; onStarted: (id: number) => void }) {
  const words = useImportTexts();
  const attempt = useAttempt();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<Chosen>();
  const [busy, setBusy] = useState(false);
  const take = (given: File | undefined) => {
    if (!given) return;
    setBusy(true);
    void attempt(async () => {
      const { contentRef } = await portal.files.upload(given);
      setFile({ fileName: given.name, contentRef });
    }).finally(() => setBusy(false));
  };
  return (
    <section className="import-part" aria-label={words.newImport}>
      <h2>{words.newImport}</h2>
      <p className="muted">{words.hint}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.chooseFile}
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,.xlsx,.gz"
        onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
      />
      <div className="buttons">
        <Button loading={busy} variant={file ? 'default' : 'filled'} onClick={() => input.current?.click()}>
          {file ? words.otherFile : words.chooseFile}
        </Button>
        {file && <span dir="auto">{words.fileOf(file.fileName)}</span>}
      </div>
      {file && (
        <Mapping
          key={file.contentRef}
          communityId={communityId}
          file={file}
          onTrial={(trialId) => setFile({ ...file, trialId })}
          onStarted={onStarted}
        />
      )}
    </section>
  );
}

function Mapping({
  communityId,
  file,
  onTrial,
  onStarted,
}: {
  communityId: number;
  file: Chosen;
  onTrial: (id: number) => void;
  onStarted: (id: number) => void;
}) {
  const words = useImportTexts();
  const attempt = useAttempt();
  const definition = useDefinition(communityId);
  const [columns, setColumns] = useState<Choice[]>();
  const [addStates, setAddStates] = useState<boolean>();
  const [checked, setChecked] = useState(false);
  const { trialId, contentRef, fileName } = file;
  const request = {
    communityId,
    ...(trialId === undefined ? { contentRef, fileName } : { importId: trialId }),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(columns && { columns }),
    ...(addStates !== undefined && { addStates }),
  };
  const suggestion = useQuery({
    queryKey: ['import', 'suggestion', request],
    queryFn: ({ signal }) => portal.imports.suggestMapping(request, { signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const start = (trial: boolean) =>
    attempt(async () => {
      const { mapping } = suggestion.data!;
      const from = trialId === undefined ? { contentRef, fileName } : { importId: trialId };
      const { id } = await portal.imports.start({ communityId, ...from, mapping, trial });
      if (!trial) onStarted(id!);
      else {
        onTrial(id!);
        setChecked(true);
      }
      void queryClient.invalidateQueries({ queryKey: ['imports', communityId] });
    });
  const change = (changed: Choice[]) => {
    setColumns(changed);
    setChecked(false);
  };
  if (checked && trialId !== undefined) {
    return (
      <ImportProgress importId={trialId} onUndo={() => undefined}>
        {({ state, report = {} }) => (
          <>
            {state === 'done' && (
              <Button disabled={report.refusedCount !== 0 && isNothing(report)} onClick={() => void start(false)}>
                {report.refusedCount ? words.startRest : words.start}
              </Button>
            )}
            <Button variant="default" onClick={() => setChecked(false)}>
              {words.change}
            </Button>
          </>
        )}
      </ImportProgress>
    );
  }
  return (
    <Loaded query={definition}>
      {({ fieldDefinitions = [] }) => (
        <Loaded query={suggestion}>
          {(found) => (
            <>
              <Recognised found={found} />
              <ColumnTable
                found={found}
                fields={fieldDefinitions.flatMap(({ id, label }) =>
                  id === undefined ? [] : [{ id, label: label ?? '' }],
                )}
                onChange={change}
              />
              {(found.missingStates?.length ?? 0) > 0 && (
                <Checkbox
                  label={words.addStates(found.missingStates!.join(', '))}
                  checked={found.addsStates ?? false}
                  onChange={({ currentTarget }) => setAddStates(currentTarget.checked)}
                />
              )}
              <PreviewTable rows={found.rows ?? []} />
              <div className="buttons">
                <Button disabled={suggestion.isFetching} onClick={() => void start(true)}>
                  {words.check}
                </Button>
              </div>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

const isNothing = ({ createdCount = 0, editedCount = 0, unchangedCount = 0 }) =>
  createdCount + editedCount + unchangedCount === 0;

function Recognised({ found: { preset, moreColumns } }: { found: SuggestImportMappingResponse }) {
  const words = useImportTexts();
  return (
    <>
      {preset !== undefined && (
        <p role="status">{words.recognised(words.programs[preset as keyof typeof words.programs])}</p>
      )}
      {moreColumns && <p>{words.moreColumns}</p>}
    </>
  );
}
