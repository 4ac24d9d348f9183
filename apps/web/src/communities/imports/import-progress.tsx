/** Progress and report of an import, with its refusals and its undo. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { AdminTable, Facts } from '../../admin/screen.tsx';
import { useAttempt } from '../../failures/attempt.ts';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { useImportTexts } from './texts.ts';
import { refusalsFile, type ShownImport, useImport, useRefusals } from './use-import.ts';

/**
 * Shows an import until it has ended, then its report.
 * @param onUndo called with the id of the undo that began
 */
export function ImportProgress({
  importId,
  onUndo,
  children,
}: {
  importId: number;
  onUndo: (id: number) => void;
  /** Actions beside those of the import. */
  children?: (shown: ShownImport) => ReactNode;
}) {
  return (
    <Loaded query={useImport(importId)}>
      {(shown) =>
        shown.endTimestamp === undefined ? (
          <Running shown={shown} />
        ) : (
          <Ended shown={shown} onUndo={onUndo}>
            {children?.(shown)}
          </Ended>
        )
      }
    </Loaded>
  );
}

function Running({ shown }: { shown: ShownImport }) {
  const words = useImportTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const { trial, undoesImportId, rows, readRows = 0 } = shown;
  const started = trial ? words.checking : words.importing;
  const title = undoesImportId === undefined ? started : words.undoing;
  return (
    <section className="import-part" aria-label={title}>
      <p role="status">{title}</p>
      <progress aria-label={title} {...(rows !== undefined && { value: readRows, max: Math.max(rows, 1) })} />
      {rows !== undefined && <p className="muted">{words.progress(formats.number(readRows), formats.number(rows))}</p>}
      <Button variant="default" onClick={() => void attempt(() => portal.imports.cancel({ importId: shown.id! }))}>
        {words.stop}
      </Button>
    </section>
  );
}

function Ended({
  shown,
  onUndo,
  children,
}: {
  shown: ShownImport;
  onUndo: (id: number) => void;
  children?: ReactNode;
}) {
  const words = useImportTexts();
  const formats = useFormats();
  const [asking, setAsking] = useState(false);
  const { id = 0, state, trial, report = {}, rows = 0, problem, notes = [], undoesImportId, fileName } = shown;
  const figures = Object.entries(words.figures).flatMap(([name, label]): [string, string][] => {
    const value = report[name as keyof typeof report];
    return value === undefined || value === 0 ? [] : [[label, formats.number(value)]];
  });
  const taken = (report.createdCount ?? 0) + (report.editedCount ?? 0) + (report.unchangedCount ?? 0);
  const undone = shown.undoneByImportId !== undefined;
  const mayUndo = !trial && undoesImportId === undefined && !undone && (report.createdCount ?? 0) > 0;
  return (
    <section className="import-part" aria-label={words.report}>
      <h2>
        {words.report}: {fileName}
      </h2>
      <p role="status">
        {trial && state === 'done'
          ? words.checked(formats.number(rows), formats.number(taken), formats.number(report.refusedCount ?? 0))
          : words.states[state as keyof typeof words.states]}
        {undone && ` · ${words.undone}`}
      </p>
      {problem !== undefined && <p className="fault">{problem}</p>}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <Facts facts={figures} />
      <Refusals importId={id} />
      <div className="buttons">
        {children}
        {mayUndo && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {words.undo}
          </Button>
        )}
      </div>
      {asking && <AskUndo importId={id} onUndo={onUndo} onClose={() => setAsking(false)} />}
    </section>
  );
}

function AskUndo({
  importId,
  onUndo,
  onClose,
}: {
  importId: number;
  onUndo: (id: number) => void;
  onClose: () => void;
}) {
  const words = useImportTexts();
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await attempt(async () => onUndo((await portal.imports.undo({ importId })).id!));
    setBusy(false);
    onClose();
  };
  return (
    <FormDialog
      label={words.undo}
      className="admin-dialog"
      send={{ label: words.undo, busy }}
      onSend={() => void run()}
      onClose={onClose}
    >
      <p>{words.undoQuestion}</p>
    </FormDialog>
  );
}

function Refusals({ importId }: { importId: number }) {
  const words = useImportTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const { data = [], hasNextPage, isFetchingNextPage, fetchNextPage } = useRefusals(importId);
  if (data.length === 0) return null;
  const rows = data.map((one, key) => ({ ...one, key }));
  const download = () =>
    attempt(async () => {
      const heads = [words.line, words.column, words.value, words.reason, words.outcome];
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await refusalsFile(importId, heads));
      link.download = `import-${importId}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  return (
    <>
      <AdminTable
        label={words.refusals}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            key: 'line',
            label: words.line,
            number: true,
            cell: ({ line = 0 }) => (line > 0 ? formats.number(line) : '–'),
          },
          { key: 'column', label: words.column, cell: ({ column }) => column },
          { key: 'value', label: words.value, wide: true, cell: ({ value }) => value },
          { key: 'reason', label: words.reason, cell: ({ reason }) => reason },
          {
            key: 'lost',
            label: words.outcome,
            wide: true,
            cell: ({ lost }) => lost && words.lost[lost as 'row' | 'value'],
          },
        ]}
      />
      <div className="buttons">
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.moreRefusals}
          </Button>
        )}
        <Button variant="default" onClick={() => void download()}>
          {words.refusalsAsFile}
        </Button>
      </div>
    </>
  );
}
