import type { Output } from '@portico/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { showNotice } from '../../write/notices.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { FilterSelect } from '../fields.tsx';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { refreshAdmin } from '../use-send.ts';
import type { MailState } from './mails-search.ts';
import { TestMail, useTestMail } from './test-mail.tsx';
import { useMailsTexts } from './texts.ts';

type Mail = NonNullable<Output<'listMails'>['items']>[number];

/** The mails to people, with the answers of the mail server. */
export function MailsScreen() {
  const texts = useAdminTexts();
  const words = useMailsTexts();
  const navigate = useNavigate();
  const { state } = useSearch({ from: '/shell/admin/admin/mails' });
  const [removed, setRemoved] = useState<Mail>();
  const mails = usePages(['admin', 'mails', state], (page, { signal }) =>
    portal.mails.list({ pageSize: 100, ...(state !== undefined && { states: [state] }), ...page }, { signal }),
  );
  const [test, setTest] = useState<Output<'sendTestMail'>>();
  const { button, fault } = useTestMail(setTest);
  const label = texts.screens['/admin/mails'].label;
  return (
    <AdminScreenPage
      title={label}
      actions={button}
      filters={
        <FilterSelect<MailState>
          label={texts.state}
          all={words.everyState}
          options={(Object.keys(words.states) as MailState[]).map((id) => ({ id, label: words.states[id] }))}
          value={state}
          onChange={(next) =>
            void navigate({ to: '/admin/mails', search: next === undefined ? {} : { state: next }, replace: true })
          }
        />
      }
    >
      {(test || fault) && <TestMail sent={test ?? {}} fault={fault} />}
      <AdminList
        label={label}
        query={mails}
        empty={words.empty}
        columns={useColumns(setRemoved)}
        keyOf={({ id }) => id!}
      />
      {removed && (
        <ConfirmDialog
          title={words.discardTitle(removed.recipient ?? '')}
          action={words.discard}
          dryRun={() => portal.mails.discard({ mailId: removed.id!, dryRun: true })}
          run={() => portal.mails.discard({ mailId: removed.id! })}
          done={words.discarded}
          onClose={() => setRemoved(undefined)}
        >
          <p>{words.discardHint}</p>
        </ConfirmDialog>
      )}
    </AdminScreenPage>
  );
}

function useColumns(remove: (mail: Mail) => void): readonly AdminColumn<Mail>[] {
  const texts = useAdminTexts();
  const words = useMailsTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const retry = (mailId: number) =>
    attempt(async () => {
      await portal.mails.retry({ mailId });
      await refreshAdmin();
      showNotice(words.retried);
    });
  return [
    { key: 'recipient', label: words.recipient, cell: ({ recipient }) => recipient },
    {
      key: 'kind',
      label: words.kind,
      wide: true,
      cell: ({ template = '' }) => words.kinds[template as keyof typeof words.kinds] ?? template,
    },
    {
      key: 'state',
      label: texts.state,
      cell: ({ state = '' }) => words.states[state as MailState] ?? state,
    },
    {
      key: 'created',
      label: words.created,
      wide: true,
      cell: ({ creationTimestamp: at }) => (at === undefined ? '' : formats.moment(at)),
    },
    { key: 'error', label: words.error, wide: true, cell: ({ error }) => error },
    {
      key: 'actions',
      label: words.actions,
      cell: (mail) => (
        <span className="buttons">
          {mail.canRetry && (
            <button
              type="button"
              className="small"
              aria-label={words.retryOf(mail.recipient ?? '')}
              onClick={() => void retry(mail.id!)}
            >
              {words.retry}
            </button>
          )}
          <button
            type="button"
            className="small"
            aria-label={words.discardOf(mail.recipient ?? '')}
            onClick={() => remove(mail)}
          >
            {words.discard}
          </button>
        </span>
      ),
    },
  ];
}
