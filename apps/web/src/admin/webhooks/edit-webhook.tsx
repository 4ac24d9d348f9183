import { Textarea, TextInput } from '@mantine/core';
import type { Input } from '@portico/sdk';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { portal } from '../../portal.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { Check, FilterSelect } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { ShownSecret } from './secrets.tsx';
import { useWebhooksTexts } from './texts.ts';
import {
  settingsOf,
  useNamedCommunities,
  useServiceAccounts,
  type WebhookForm,
  type WebhookSettings,
} from './use-webhooks.ts';
import { FilterInput, type WebhookFilter } from './webhook-filter.tsx';

type NewWebhook = Input<'createWebhook'>;
type Form = NonNullable<NewWebhook['form']>;
type Signature = NonNullable<NewWebhook['signature']>;
type Event = NonNullable<NewWebhook['events']>[number];

/** Placeholders that the default of a template does not use. */
const PLACEHOLDERS = ['title', 'link', 'number', 'state', 'author'].map((name) => `{{${name}}}`).join(' ');

interface Draft {
  readonly name: string;
  readonly address: string;
  readonly events: readonly Event[];
  readonly communityIds: readonly number[];
  readonly filter: WebhookFilter;
  readonly whole: boolean;
  readonly template: string;
}

const draftOf = (webhook: WebhookForm | undefined): Draft => ({
  name: webhook?.name ?? '',
  address: '',
  events: webhook?.events ?? [],
  communityIds: webhook?.communityIds ?? [],
  filter: webhook?.filter,
  whole: webhook?.contents === 'whole',
  template: webhook?.template ?? '',
});

/** The settings of a draft for a form of messages. */
function settingsFor(form: Form, draft: Draft): Omit<WebhookSettings, 'enabled'> {
  return {
    name: draft.name.trim(),
    events: [...draft.events],
    communityIds: [...draft.communityIds],
    ...(draft.filter && draft.communityIds.length === 1 && { filter: draft.filter }),
    ...(form === 'standard' && draft.whole && { contents: 'whole' }),
    ...(form !== 'standard' && draft.template.trim() !== '' && { template: draft.template }),
  };
}

const addressOf = ({ address }: Draft) => (address.trim() === '' ? {} : { address: address.trim() });

/** Creates a webhook, and shows its secret once. @param onDone is called with the id of the webhook */
export function CreateWebhook({ onClose, onDone }: { onClose: () => void; onDone: (id: number) => void }) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const [draft, setDraft] = useState(() => draftOf(undefined));
  const [accountId, setAccountId] = useState<number>();
  const [form, setForm] = useState<Form>('standard');
  const [signature, setSignature] = useState<Signature>('v1');
  const [created, setCreated] = useState<{ id: number; secret?: string; publicKey?: string }>();
  const accounts = useServiceAccounts().data ?? [];
  const { busy, faults, setFaults, send } = useSend();
  const create = async () => {
    const missing = {
      ...(draft.name.trim() === '' && { name: texts.required }),
      ...(draft.address.trim() === '' && { address: texts.required }),
      ...(accountId === undefined && { serviceAccountId: texts.required }),
    };
    if (Object.keys(missing).length > 0) return setFaults(missing);
    await send(async () => {
      const { webhookId: id, ...shown } = await portal.webhooks.create({
        ...settingsFor(form, draft),
        serviceAccountId: accountId!,
        address: draft.address.trim(),
        form,
        ...(form === 'standard' && { signature }),
      });
      // A chat has neither.
      if (shown.secret === undefined && shown.publicKey === undefined) onDone(id!);
      else setCreated({ id: id!, ...shown });
    });
  };
  if (created) return <ShownSecret shown={created} onClose={() => onDone(created.id)} />;
  return (
    <FormDialog
      label={words.newWebhook}
      className="admin-dialog"
      send={{ label: texts.create, busy }}
      onSend={() => void create()}
      onClose={onClose}
    >
      <Name draft={draft} change={setDraft} faults={faults} />
      <Labelled label={words.account} hint={words.accountHint} fault={faults['serviceAccountId']}>
        <FilterSelect
          label={words.account}
          all={words.chooseAccount}
          options={accounts.map(({ userId, name = '' }) => ({ id: userId!, label: name || `#${userId}` }))}
          value={accountId}
          onChange={setAccountId}
        />
      </Labelled>
      <Labelled label={words.form}>
        <Choice label={words.form} options={words.forms} value={form} onChange={setForm} />
      </Labelled>
      <Settings
        form={form}
        addressHint={words.addressHint}
        required
        draft={draft}
        change={setDraft}
        faults={faults}
        beside={
          <Labelled label={words.signature} fault={faults['signature']}>
            <Choice label={words.signature} options={words.signatures} value={signature} onChange={setSignature} />
          </Labelled>
        }
      />
      <Fault text={faultBeside(faults, [...Object.keys(draft), 'serviceAccountId', 'signature'])} />
    </FormDialog>
  );
}

/** Edits a webhook. */
export function EditWebhook({
  webhookId,
  webhook,
  onClose,
}: {
  webhookId: number;
  webhook: WebhookForm;
  onClose: () => void;
}) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  // The form is read again meanwhile: the draft goes with the token of its own reading.
  const [before] = useState(webhook);
  const [draft, setDraft] = useState(() => draftOf(webhook));
  const { busy, faults, setFaults, send } = useSend();
  const { form = 'standard', occToken, address = '' } = before;
  const save = async () => {
    if (draft.name.trim() === '') return setFaults({ name: texts.required });
    const { enabled } = settingsOf(before);
    const saved = await send(
      () =>
        portal.webhooks.replace({
          webhookId,
          ...settingsFor(form, draft),
          ...(enabled !== undefined && { enabled }),
          ...addressOf(draft),
          occToken: occToken!,
        }),
      texts.saved,
    );
    if (saved) onClose();
  };
  return (
    <FormDialog
      label={words.editWebhook}
      className="admin-dialog"
      send={{ label: texts.save, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      <Name draft={draft} change={setDraft} faults={faults} />
      <Settings form={form} addressHint={words.addressKept(address)} draft={draft} change={setDraft} faults={faults} />
      <Fault text={faultBeside(faults, Object.keys(draft))} />
    </FormDialog>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly faults: Faults;
}

function Name({ draft, change, faults }: PartProps) {
  const texts = useAdminTexts();
  return (
    <TextInput
      label={texts.name}
      required
      error={faults['name']}
      value={draft.name}
      onChange={({ currentTarget: { value } }) => change({ ...draft, name: value })}
    />
  );
}

/** A choice with a visible label. */
function Labelled({
  label,
  hint,
  fault,
  children,
}: {
  label: string;
  hint?: string;
  fault?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div>
      <span className="admin-caption">{label}</span>
      {children}
      {hint !== undefined && <div className="muted admin-hint">{hint}</div>}
      <Fault text={fault} />
    </div>
  );
}

/** A choice of one of a few words. */
function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <select
      className="field auto"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
    >
      {(Object.keys(options) as T[]).map((each) => (
        <option key={each} value={each}>
          {options[each]}
        </option>
      ))}
    </select>
  );
}

/** The settings that creation and edit share. @param required whether the address is @param beside further inputs of a webhook that is signed */
function Settings({
  form,
  addressHint,
  required = false,
  beside,
  ...part
}: PartProps & { form: Form; addressHint: string; required?: boolean; beside?: ReactNode }) {
  const words = useWebhooksTexts();
  const { draft, faults } = part;
  const change = (changes: Partial<Draft>) => part.change({ ...draft, ...changes });
  return (
    <>
      <TextInput
        label={words.address}
        description={addressHint}
        type="url"
        autoComplete="off"
        required={required}
        error={faults['address']}
        value={draft.address}
        onChange={({ currentTarget: { value } }) => change({ address: value })}
      />
      {form === 'standard' ? (
        <>
          {beside}
          <Check
            label={words.whole}
            hint={words.wholeHint}
            checked={draft.whole}
            onChange={(whole) => change({ whole })}
          />
        </>
      ) : (
        <Textarea
          label={words.template}
          description={`${words.templateHint} ${PLACEHOLDERS}`}
          rows={2}
          error={faults['template']}
          value={draft.template}
          onChange={({ currentTarget: { value } }) => change({ template: value })}
        />
      )}
      <Events {...part} />
      <Communities {...part} />
      <FilterInput
        communityIds={draft.communityIds}
        filter={draft.filter}
        fault={faults['filter']}
        onChange={(filter) => change({ filter })}
      />
    </>
  );
}

function Events({ draft, change, faults }: PartProps) {
  const words = useWebhooksTexts();
  const { 'webhook.test': _, ...kinds } = words.eventKinds;
  return (
    <fieldset className="choices">
      <legend>{words.events}</legend>
      <p className="muted">{words.eventsHint}</p>
      {(Object.keys(kinds) as Event[]).map((event) => (
        <Check
          key={event}
          label={kinds[event]}
          checked={draft.events.includes(event)}
          onChange={(checked) =>
            change({
              ...draft,
              events: checked ? [...draft.events, event] : draft.events.filter((each) => each !== event),
            })
          }
        />
      ))}
      <Fault text={faults['events']} />
    </fieldset>
  );
}

/** The chosen communities. A filter belongs to one community, so another choice removes it. */
function Communities({ draft, change, faults }: PartProps) {
  const words = useWebhooksTexts();
  const known = useNamedCommunities();
  const { communityIds: chosen } = draft;
  const choose = (communityIds: readonly number[]) => change({ ...draft, communityIds, filter: undefined });
  return (
    <fieldset className="choices">
      <legend>{words.communities}</legend>
      {chosen.map((communityId) => {
        const name = known.find(({ id }) => id === communityId)?.label ?? `#${communityId}`;
        return (
          <div key={communityId} className="admin-pair">
            <span dir="auto">{name}</span>
            <button
              type="button"
              className="tool"
              aria-label={words.removeCommunity(name)}
              title={words.removeCommunity(name)}
              onClick={() => choose(chosen.filter((id) => id !== communityId))}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
        );
      })}
      <FilterSelect
        label={words.addCommunity}
        all={chosen.length === 0 ? words.everyCommunity : words.addCommunity}
        options={known.filter(({ id }) => !chosen.includes(id))}
        value={undefined}
        onChange={(id) => {
          if (id !== undefined) choose([...chosen, id]);
        }}
      />
      <Fault text={faults['communityIds']} />
    </fieldset>
  );
}
