import { Button, TextInput } from '@mantine/core';
import { auditActions, auditObjects, type Input, type Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useAttempt } from '../../failures/attempt.ts';
import { portal } from '../../portal.ts';
import { nameOf } from '../../posts/user-name.ts';
import { useFormats } from '../../texts/index.ts';
import { instantOf } from '../../texts/time-zone.ts';
import { usePages } from '../../use-pages.ts';
import { DayFilter } from '../../write/day-input.tsx';
import { Picker } from '../../write/picker.tsx';
import { Check, FilterSelect } from '../fields.tsx';
import { useNounTexts } from '../nouns.ts';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import type { AuditSearch } from './audit-search.ts';
import { RightWords } from './right-words.tsx';
import { useAuditTexts } from './texts.ts';
import { useVerification } from './verification.tsx';

type Entry = NonNullable<Output<'listAuditEntries'>['items']>[number];
type Filters = Input<'listAuditEntries'>;

const DAY = 86_400_000;

/** The filters of the address as the interface takes them. The last day is included whole. */
function filtersOf({ from, to, action, actor, kind, object, oldest }: AuditSearch): Filters {
  return {
    ...(from !== undefined && { from: instantOf(`${from}T00:00:00`) }),
    ...(to !== undefined && { to: instantOf(`${nextDay(to)}T00:00:00`) }),
    ...(actor !== undefined && { actorIds: [actor] }),
    ...(object !== undefined && { objectIds: [object] }),
    ...(action !== undefined && { actions: [action] }),
    ...(kind !== undefined && { objectTypes: [kind] }),
    ...(oldest && { orderDesc: false }),
  };
}

const nextDay = (day: string): string => new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);

/** The audit log: who did what, with the changes of each field. */
export function AuditScreen() {
  const texts = useAdminTexts();
  const words = useAuditTexts();
  const attempt = useAttempt();
  const verification = useVerification();
  const search = useSearch({ from: '/shell/admin/admin/audit' });
  const filters = filtersOf(search);
  const entries = usePages(['admin', 'audit', filters], (page, { signal }) =>
    portal.audit.list({ ...filters, pageSize: 50, ...page }, { signal }),
  );
  const download = () =>
    attempt(async () => {
      const stream = await portal.audit.export(filters, { format: 'csv' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await new Response(stream).blob());
      link.download = 'audit.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    }, words.notDownloaded);
  const label = texts.screens['/admin/audit'].label;
  return (
    <AdminScreenPage
      title={label}
      actions={
        <>
          {verification.button}
          <Button variant="default" leftSection={<Download size={14} aria-hidden />} onClick={() => void download()}>
            {words.download}
          </Button>
        </>
      }
      filters={<AuditFilters search={search} />}
    >
      {verification.outcome}
      <AdminList label={label} query={entries} empty={words.empty} columns={useColumns()} keyOf={({ id }) => id!} />
    </AdminScreenPage>
  );
}

function AuditFilters({ search }: { search: AuditSearch }) {
  const words = useAuditTexts();
  const nouns = useNounTexts();
  const navigate = useNavigate();
  const show = (change: { [K in keyof AuditSearch]: AuditSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/admin/audit', search: Object.fromEntries(next) as AuditSearch, replace: true });
  };
  const named = useQuery({
    queryKey: ['admin', 'account-name', search.actor],
    enabled: search.actor !== undefined,
    queryFn: () => portal.users.readForEdit({ userId: search.actor! }),
  }).data;
  const actorName = named && nameOf({ firstName: named.firstname ?? '', lastName: named.lastname ?? '' });
  const actor = search.actor === undefined ? [] : [{ id: search.actor, label: actorName || `#${search.actor}` }];
  return (
    <>
      <DayFilter label={words.from} value={search.from ?? ''} onChange={(from) => show({ from })} />
      <DayFilter label={words.to} value={search.to ?? ''} onChange={(to) => show({ to })} />
      <FilterSelect
        label={words.action}
        all={words.everyAction}
        options={auditActions.map((id) => ({ id, label: words.actions[id] }))}
        value={search.action}
        onChange={(action) => show({ action })}
      />
      <FilterSelect
        label={words.kind}
        all={words.everyKind}
        options={auditObjects.map((id) => ({ id, label: nouns.one(id) }))}
        value={search.kind}
        onChange={(kind) => show({ kind })}
      />
      <TextInput
        aria-label={words.objectId}
        placeholder={words.objectId}
        inputMode="numeric"
        value={search.object ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ object: /^\d{1,15}$/.test(value) ? Number(value) : undefined })
        }
      />
      <Picker
        label={words.actor}
        unlabelled
        placeholder={words.anybody}
        offer={{ source: { of: 'accounts' } }}
        several={false}
        value={actor}
        onChange={([chosen]) => show({ actor: chosen?.id })}
      />
      <Check
        label={words.oldestFirst}
        checked={search.oldest === true}
        onChange={(on) => show({ oldest: on || undefined })}
      />
      {Object.keys(search).length > 0 && (
        <button type="button" className="quiet" onClick={() => void navigate({ to: '/admin/audit', search: {} })}>
          {words.clear}
        </button>
      )}
    </>
  );
}

function useColumns(): readonly AdminColumn<Entry>[] {
  const words = useAuditTexts();
  const formats = useFormats();
  const nouns = useNounTexts();
  return [
    {
      key: 'when',
      label: words.when,
      cell: ({ timestamp }) => (timestamp === undefined ? '' : formats.moment(timestamp)),
    },
    {
      key: 'actor',
      label: words.actor,
      cell: ({ actorName, operator }) => (operator === undefined ? actorName : words.operator(operator)),
    },
    {
      key: 'action',
      label: words.action,
      cell: ({ action = '', count = 1 }) => {
        const name = words.actions[action as keyof typeof words.actions] ?? action;
        return count > 1 ? `${name} (${words.times(formats.number(count))})` : name;
      },
    },
    {
      key: 'object',
      label: words.object,
      cell: ({ objectType = '', objectId, objectName }) =>
        `${nouns.one(objectType)} ${objectName ?? (objectId === undefined ? '' : `#${objectId}`)}`,
    },
    { key: 'changes', label: words.changes, cell: (entry) => <Changes entry={entry} /> },
    { key: 'address', label: words.address, wide: true, cell: ({ address }) => address },
  ];
}

/** The changes of an entry, field by field, folded at first. */
function Changes({ entry: { changes = [], operation } }: { entry: Entry }) {
  const words = useAuditTexts();
  const formats = useFormats();
  if (changes.length === 0) return <span className="muted">{operation}</span>;
  return (
    <details>
      <summary>{words.showChanges(formats.count(changes.length))}</summary>
      {operation !== undefined && (
        <p className="muted">
          {words.operation}: {operation}
        </p>
      )}
      <dl className="admin-facts">
        {changes.map(({ field = '', before, after, beforeRights, afterRights }) => (
          <div key={field} className="audit-change">
            <dt>{words.fields[field as keyof typeof words.fields] ?? field}</dt>
            <dd>
              {before !== undefined && (
                <del dir="auto">
                  <span className="visually-hidden">{words.before}: </span>
                  {beforeRights ? <RightWords rights={beforeRights} /> : before}
                </del>
              )}{' '}
              {after !== undefined && (
                <ins dir="auto">
                  <span className="visually-hidden">{words.after}: </span>
                  {afterRights ? <RightWords rights={afterRights} /> : after}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
