import { Textarea, TextInput } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { X } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import { Check, FilterSelect } from '../fields.tsx';
import { Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useAllGroups } from '../users/people-screen.tsx';
import { useProvidersTexts } from './texts.ts';

type ProviderForm = Output<'getIdentityProviderForEdit'>;
type Mapping = { readonly value: string; readonly groupId: number };

interface Draft {
  readonly name: string;
  readonly key: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly removeSecret: boolean;
  readonly scopes: string;
  readonly enabled: boolean;
  readonly createUsers: boolean;
  readonly linkByVerifiedEmail: boolean;
  readonly emailDomains: string;
  readonly groupsClaim: string;
  readonly groupMappings: readonly Mapping[];
}

const draftOf = (provider: ProviderForm | undefined): Draft => ({
  name: provider?.name ?? '',
  key: provider?.key ?? '',
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientSecret: '',
  removeSecret: false,
  scopes: (provider?.scopes ?? ['openid', 'email', 'profile']).join(' '),
  enabled: provider?.enabled ?? true,
  createUsers: provider?.createUsers ?? false,
  linkByVerifiedEmail: provider?.linkByVerifiedEmail ?? false,
  emailDomains: (provider?.emailDomains ?? []).join('\n'),
  groupsClaim: provider?.groupsClaim ?? '',
  groupMappings: (provider?.groupMappings ?? []).map(({ value = '', groupId = 0 }) => ({ value, groupId })),
});

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** The settings of a draft that an edit sends, too. */
function settingsOf(draft: Draft) {
  return {
    name: draft.name.trim(),
    clientId: draft.clientId.trim(),
    scopes: wordsOf(draft.scopes),
    enabled: draft.enabled,
    createUsers: draft.createUsers,
    linkByVerifiedEmail: draft.linkByVerifiedEmail,
    emailDomains: wordsOf(draft.emailDomains),
    ...(draft.groupsClaim.trim() !== '' && { groupsClaim: draft.groupsClaim.trim() }),
    groupMappings: draft.groupMappings.map((mapping) => ({ ...mapping })),
    ...(draft.clientSecret !== '' && { clientSecret: draft.clientSecret }),
    ...(draft.removeSecret && { clientSecret: '' }),
  };
}

/** Connects an identity provider, or edits one. */
export function EditProvider({
  providerId,
  provider,
  onClose,
}: {
  providerId?: number;
  /** Absent for a new provider. */
  provider?: ProviderForm;
  onClose: () => void;
}) {
  const texts = useAdminTexts();
  const words = useProvidersTexts();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const { busy, faults, setFaults, send } = useSend();
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const save = async () => {
    const required = provider ? (['name', 'clientId'] as const) : (['name', 'key', 'issuer', 'clientId'] as const);
    const missing = required.filter((name) => draft[name].trim() === '');
    if (missing.length > 0) {
      setFaults(Object.fromEntries(missing.map((name) => [name, texts.required])));
      return;
    }
    const settings = settingsOf(draft);
    const saved = await send(
      () =>
        provider
          ? portal.identityProviders.replace({
              identityProviderId: providerId!,
              ...settings,
              occToken: provider.occToken!,
            })
          : portal.identityProviders.create({ ...settings, key: draft.key.trim(), issuer: draft.issuer.trim() }),
      texts.saved,
    );
    if (saved) onClose();
  };
  const part = { draft, change, faults };
  return (
    <FormDialog
      label={provider ? words.editProvider(provider.name ?? '') : words.newProvider}
      className="admin-dialog"
      send={{ label: provider ? texts.save : texts.create, busy }}
      onSend={() => void save()}
      onClose={onClose}
    >
      {provider && <Facts facts={[[words.redirectUri, provider.redirectUri]]} />}
      <Text name="name" label={texts.name} hint={words.nameHint} required {...part} />
      {!provider && (
        <>
          <Text name="key" label={words.key} hint={words.keyHint} required {...part} />
          <Text name="issuer" label={words.issuer} hint={words.issuerHint} required {...part} />
        </>
      )}
      <Text name="clientId" label={words.clientId} required {...part} />
      <Text
        name="clientSecret"
        label={words.clientSecret}
        hint={provider?.hasClientSecret ? words.secretKept : words.secretNone}
        secret
        {...part}
      />
      {provider?.hasClientSecret && (
        <Check
          label={words.removeSecret}
          checked={draft.removeSecret}
          onChange={(removeSecret) => change({ removeSecret })}
        />
      )}
      <Text name="scopes" label={words.scopes} hint={words.scopesHint} {...part} />
      <SignInRules {...part} />
      <GroupMappings {...part} />
      <Fault text={faultBeside(faults, Object.keys(draft))} />
    </FormDialog>
  );
}

interface PartProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Faults;
}

type TextName = 'name' | 'key' | 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'groupsClaim';

function Text({
  name,
  label,
  hint,
  required = false,
  secret = false,
  draft,
  change,
  faults,
}: PartProps & { name: TextName; label: string; hint?: string; required?: boolean; secret?: boolean }) {
  return (
    <TextInput
      label={label}
      description={hint}
      required={required}
      autoComplete="off"
      {...(secret && { type: 'password', autoComplete: 'new-password' })}
      error={faults[name]}
      value={draft[name]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value })}
    />
  );
}

function SignInRules({ draft, change, faults }: PartProps) {
  const words = useProvidersTexts();
  return (
    <>
      <Check
        label={words.enabled}
        hint={words.enabledHint}
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <Check
        label={words.createUsers}
        checked={draft.createUsers}
        onChange={(createUsers) => change({ createUsers })}
      />
      <Check
        label={words.linkByVerifiedEmail}
        hint={words.linkHint}
        checked={draft.linkByVerifiedEmail}
        onChange={(linkByVerifiedEmail) => change({ linkByVerifiedEmail })}
      />
      <Textarea
        label={words.emailDomains}
        description={words.emailDomainsHint}
        rows={2}
        error={faults['emailDomains']}
        value={draft.emailDomains}
        onChange={({ currentTarget: { value } }) => change({ emailDomains: value })}
      />
    </>
  );
}

/** The claim with groups, and the group of each of its values. */
function GroupMappings({ draft, change, faults }: PartProps) {
  const texts = useAdminTexts();
  const words = useProvidersTexts();
  const groups = useAllGroups().data ?? [];
  const { groupMappings: mappings } = draft;
  const replace = (at: number, mapping: Mapping) =>
    change({ groupMappings: mappings.map((each, index) => (index === at ? mapping : each)) });
  return (
    <>
      <Text
        name="groupsClaim"
        label={words.groupsClaim}
        hint={words.groupsClaimHint}
        draft={draft}
        change={change}
        faults={faults}
      />
      {draft.groupsClaim.trim() !== '' && (
        <fieldset className="choices">
          <legend>{words.groupMappings}</legend>
          {mappings.map((mapping, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and their order stays
            <div key={at} className="admin-pair">
              <TextInput
                aria-label={words.value}
                placeholder={words.value}
                value={mapping.value}
                onChange={({ currentTarget: { value } }) => replace(at, { ...mapping, value })}
              />
              <FilterSelect
                label={texts.group}
                all={texts.group}
                options={groups.map(({ id, name = '' }) => ({ id: id!, label: name }))}
                value={mapping.groupId || undefined}
                onChange={(groupId = 0) => replace(at, { ...mapping, groupId })}
              />
              <button
                type="button"
                className="tool"
                aria-label={words.removeMapping(mapping.value)}
                onClick={() => change({ groupMappings: mappings.filter((_, index) => index !== at) })}
              >
                <X size={14} aria-hidden />
              </button>
            </div>
          ))}
          <button
            type="button"
            className="quiet"
            onClick={() => change({ groupMappings: [...mappings, { value: '', groupId: 0 }] })}
          >
            {words.addMapping}
          </button>
          <Fault text={faults['groupMappings']} />
        </fieldset>
      )}
    </>
  );
}
