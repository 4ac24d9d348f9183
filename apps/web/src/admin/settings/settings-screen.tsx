import { Button, Textarea, TextInput } from '@mantine/core';
import { languages, timeZoneNames } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useRights } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside } from '../../write/faults.ts';
import { useAllTexts } from '../../write/texts.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { Check } from '../fields.tsx';
import { AdminScreenPage, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import {
  badNumbers,
  draftOf,
  type ListName,
  type NumberName,
  requestOf,
  type Settings,
  type SettingsDraft,
  type SwitchName,
  tightens,
} from './draft.ts';
import { useSettingsTexts } from './texts.ts';

/** The settings of the portal that its administrators keep, and below them the settings of the operator. */
export function SettingsScreen() {
  const texts = useAdminTexts();
  const settings = useQuery({ queryKey: ['admin', 'settings'], queryFn: () => portal.settings.get() });
  return (
    <AdminScreenPage title={texts.screens['/admin/settings'].label}>
      <Loaded query={settings}>{(found) => <SettingsForm key={found.occToken} settings={found} />}</Loaded>
    </AdminScreenPage>
  );
}

interface PartProps {
  draft: SettingsDraft;
  change: (change: Partial<SettingsDraft>) => void;
  faults: Faults;
}

function SettingsForm({ settings }: { settings: Settings }) {
  const texts = useAdminTexts();
  const words = useSettingsTexts();
  const all = useAllTexts();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [asking, setAsking] = useState(false);
  const { busy, faults, setFaults, send } = useSend();
  const run = () => portal.settings.replace(requestOf(draft, settings));
  const save = async () => {
    const bad = badNumbers(draft);
    if (bad.length > 0) {
      setFaults(Object.fromEntries(bad.map((name) => [name, all.notNumber])));
      return;
    }
    // A stricter sign-in ends sessions: its effect is shown first.
    if (tightens(draft, settings)) setAsking(true);
    else await send(run, texts.saved);
  };
  const part: PartProps = { draft, faults, change: (change) => setDraft((before) => ({ ...before, ...change })) };
  return (
    <>
      <form
        noValidate
        className="admin-form"
        aria-label={texts.screens['/admin/settings'].label}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <General {...part} />
        <SigningIn {...part} />
        <Section title={words.notifications}>
          <Switch name="notificationMails" hint={words.notificationMailsHint} {...part} />
          <Switch name="notificationPush" hint={words.notificationPushHint} {...part} />
        </Section>
        <Section title={words.programs}>
          <NumberInput name="accessTokenSeconds" {...part} />
          <Lines name="corsOrigins" hint={words.corsOriginsHint} {...part} />
          <Lines name="audiences" hint={words.audiencesHint} {...part} />
        </Section>
        <Section title={words.retention}>
          <NumberInput name="notificationRetentionDays" {...part} />
          <NumberInput name="auditRetentionDays" hint={words.auditRetentionHint} {...part} />
        </Section>
        <Fault text={faultBeside(faults, Object.keys(draft))} />
        <div className="buttons">
          <Button type="submit" loading={busy}>
            {texts.save}
          </Button>
        </div>
        <ByOperator settings={settings} />
      </form>
      {asking && (
        <ConfirmDialog
          title={words.effectTitle}
          action={texts.save}
          dryRun={() => portal.settings.replace({ ...requestOf(draft, settings), dryRun: true })}
          run={run}
          done={texts.saved}
          onClose={() => setAsking(false)}
        >
          <p>{words.effectHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="form-section">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function NumberInput({ name, hint, draft, change, faults }: PartProps & { name: NumberName; hint?: string }) {
  const words = useSettingsTexts();
  return (
    <TextInput
      label={words[name]}
      description={hint}
      inputMode="decimal"
      error={faults[name]}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value })}
    />
  );
}

function Lines({ name, hint, draft, change, faults }: PartProps & { name: ListName; hint: string }) {
  const words = useSettingsTexts();
  return (
    <Textarea
      label={words[name]}
      description={hint}
      rows={3}
      error={faults[name]}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value })}
    />
  );
}

function Switch({ name, hint, draft, change, faults }: PartProps & { name: SwitchName; hint: string }) {
  const words = useSettingsTexts();
  return (
    <>
      <Check label={words[name]} hint={hint} checked={draft[name]} onChange={(on) => change({ [name]: on })} />
      <Fault text={faults[name]} />
    </>
  );
}

function General({ draft, change, faults }: PartProps) {
  const words = useSettingsTexts();
  const known: readonly string[] = timeZoneNames;
  const zones = known.includes(draft.defaultTimezone) ? known : [draft.defaultTimezone, ...known];
  return (
    <Section title={words.general}>
      <TextInput
        label={words.name}
        description={words.nameHint}
        error={faults['name']}
        value={draft.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <label className="labelled">
        <span className="admin-caption">{words.defaultLanguage}</span>
        <select
          className="field"
          value={draft.defaultLanguage}
          onChange={({ currentTarget: { value } }) => change({ defaultLanguage: value })}
        >
          {languages.map(({ code, description }) => (
            <option key={code} value={code}>
              {description}
            </option>
          ))}
        </select>
        <span className="muted admin-hint">{words.defaultLanguageHint}</span>
      </label>
      <label className="labelled">
        <span className="admin-caption">{words.defaultTimezone}</span>
        <select
          className="field"
          value={draft.defaultTimezone}
          onChange={({ currentTarget: { value } }) => change({ defaultTimezone: value })}
        >
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
        <span className="muted admin-hint">{words.defaultTimezoneHint}</span>
      </label>
    </Section>
  );
}

function SigningIn(part: PartProps) {
  const words = useSettingsTexts();
  const rights = useRights().data;
  const { draft, change, faults } = part;
  const every = rights?.size === 2;
  return (
    <Section title={words.signIn}>
      <label className="labelled">
        <span className="admin-caption">{words.requireSecondFactor}</span>
        <select
          className="field"
          disabled={!every}
          value={draft.requireSecondFactor}
          onChange={({ currentTarget: { value } }) =>
            change({ requireSecondFactor: value as SettingsDraft['requireSecondFactor'] })
          }
        >
          {Object.entries(words.factors).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        {!every && <span className="muted admin-hint">{words.everyRight}</span>}
      </label>
      <Check
        label={words.requireProvider}
        hint={every ? words.requireProviderHint : words.everyRight}
        disabled={!every}
        checked={draft.requireProvider}
        onChange={(requireProvider) => change({ requireProvider })}
      />
      <Fault text={faults['requireProvider']} />
      <Lines name="loginDomains" hint={words.loginDomainsHint} {...part} />
      <NumberInput name="sessionIdleSeconds" {...part} />
      <NumberInput name="sessionSeconds" {...part} />
    </Section>
  );
}

/** The settings that only the operator changes. */
function ByOperator({ settings }: { settings: Settings }) {
  const words = useSettingsTexts();
  const formats = useFormats();
  const limit = (value: number | undefined) => (value === undefined ? words.noLimit : formats.number(value));
  const { attachmentQuotaBytes: quota } = settings;
  return (
    <section aria-label={words.byOperator}>
      <h2>{words.byOperator}</h2>
      <Facts
        facts={[
          [words.hosts, (settings.hosts ?? []).join(', ')],
          [words.quota, quota === undefined ? words.noLimit : formats.bytes(quota)],
          [words.requests, limit(settings.requestsPerMinute)],
          [words.accountRequests, limit(settings.accountRequestsPerMinute)],
        ]}
      />
    </section>
  );
}
