import { Textarea } from '@mantine/core';
import { type FieldFault, type Output, ValidationError } from '@portico/sdk';
import { useRef, useState } from 'react';
import { portal } from '../../portal.ts';
import { useFieldErrorText } from '../../texts/field-errors.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { showNotice } from '../../write/notices.ts';
import { Check } from '../fields.tsx';
import { type AdminColumn, AdminTable } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAdminPeopleTexts } from './texts.ts';

type Report = Output<'importUsers'>;
type Row = NonNullable<Report['rows']>[number];

/** Maximum number of rows and of faults that are shown. */
const SHOWN = 500;
const FAULTS_SHOWN = 20;

/** Invites the people of a CSV file. A dry run shows each line before anybody is created. */
export function ImportPeople({ onClose }: { onClose: () => void }) {
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const file = useRef<HTMLInputElement>(null);
  const [csv, setCsv] = useState('');
  const [invite, setInvite] = useState(true);
  const [report, setReport] = useState<Report>();
  const [refused, setRefused] = useState<readonly FieldFault[]>([]);
  const { busy, faults, send } = useSend();
  const change = (text: string) => {
    setCsv(text);
    setReport(undefined);
    setRefused([]);
  };
  const run = async (dryRun: boolean) => {
    let created = 0;
    const sent = await send(async () => {
      try {
        setRefused([]);
        const answer = await portal.users.import({ csv, invite, ...(dryRun && { dryRun }) });
        setReport(answer);
        created = answer.createdCount ?? 0;
      } catch (error) {
        if (error instanceof ValidationError) setRefused(error.errors);
        throw error;
      }
    });
    if (!sent || dryRun) return;
    onClose();
    showNotice(words.importDone(formats.count(created)));
  };
  return (
    <FormDialog
      label={words.importTitle}
      className="admin-dialog"
      send={{ label: report ? words.importSend : words.check, busy, disabled: csv.trim() === '' }}
      onSend={() => void run(report === undefined)}
      onClose={onClose}
      more={
        <>
          <input
            ref={file}
            type="file"
            accept=".csv,text/csv,text/plain"
            hidden
            aria-label={words.chooseFile}
            onChange={async ({ currentTarget }) => change((await currentTarget.files?.[0]?.text()) ?? '')}
          />
          <button type="button" className="quiet" onClick={() => file.current?.click()}>
            {words.chooseFile}
          </button>
        </>
      }
    >
      <p className="muted">{words.importHint}</p>
      <Textarea
        label={words.fileOrText}
        rows={6}
        value={csv}
        onChange={({ currentTarget: { value } }) => change(value)}
        styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
      />
      <Check label={words.sendInvitations} checked={invite} onChange={setInvite} />
      {refused.length > 0 ? <LineFaults faults={refused} /> : <Fault text={Object.values(faults)[0]} />}
      {report && <ImportReport report={report} />}
    </FormDialog>
  );
}

/** The faults of a refused file, by line. */
function LineFaults({ faults }: { faults: readonly FieldFault[] }) {
  const words = useAdminPeopleTexts();
  const fieldError = useFieldErrorText();
  return (
    <ul className="fault" role="alert">
      {faults.slice(0, FAULTS_SHOWN).map((fault) => {
        const [, line, column = ''] = /^lines\[(\d+)\]\.?(.*)$/.exec(fault.field ?? '') ?? [];
        const text = [column, fieldError(fault) ?? fault.defaultMessage].filter(Boolean).join(': ');
        return <li key={`${fault.field} ${fault.code}`}>{line === undefined ? text : words.lineFault(line, text)}</li>;
      })}
    </ul>
  );
}

/** Shows the effect of a dry run on each line. */
function ImportReport({ report }: { report: Report }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const columns: readonly AdminColumn<Row>[] = [
    { key: 'line', label: words.line, cell: ({ line = 0 }) => formats.number(line) },
    {
      key: 'outcome',
      label: words.outcome,
      cell: ({ outcome = '' }) => words.outcomes[outcome as keyof typeof words.outcomes] ?? outcome,
    },
    { key: 'email', label: texts.email, cell: ({ contactEmail, username }) => contactEmail ?? username },
  ];
  return (
    <section className="effect" aria-label={texts.preview}>
      <p role="status">
        {words.importPreview(formats.number(report.createdCount ?? 0), formats.number(report.presentCount ?? 0))}
      </p>
      <AdminTable
        label={texts.preview}
        columns={columns}
        rows={(report.rows ?? []).slice(0, SHOWN)}
        keyOf={({ line }) => line!}
      />
    </section>
  );
}
