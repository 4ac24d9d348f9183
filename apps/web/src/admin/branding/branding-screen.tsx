import '../../forms.css';
import './branding.css';
import { Button, Textarea, TextInput } from '@mantine/core';
import { accentTones, isReadableAccent, readableAccent } from '@portico/contract/accent';
import type { Input, Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useLegalTexts } from '../../shell/legal-texts.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { faultBeside } from '../../write/faults.ts';
import { AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { useBrandingTexts } from './texts.ts';

type Settings = Output<'getTenantSettings'>;

/** Characters of the notice, and bytes of the logo, that the server takes. */
const MOST_NOTICE = 1_000;
const MOST_LOGO = 1_048_576;
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const COLOUR = /^#[0-9a-f]{6}$/i;
const OWN_ACCENT = '#4655d4';

const TEXTS = ['name', 'accentColor', 'signInNotice', 'imprintUrl', 'privacyUrl'] as const;
type Draft = Readonly<Record<(typeof TEXTS)[number], string>>;

/** The chosen logo: the present one, none, or an uploaded picture. */
type Logo = 'kept' | 'removed' | { readonly contentRef: string; readonly url: string };

/** The looks of the portal, with a preview of what is not saved yet. */
export function BrandingScreen() {
  const texts = useAdminTexts();
  const settings = useQuery({ queryKey: ['admin', 'settings'], queryFn: () => portal.settings.get() });
  return (
    <AdminScreenPage title={texts.screens['/admin/branding'].label}>
      <Loaded query={settings}>{(found) => <BrandingForm key={found.occToken} settings={found} />}</Loaded>
    </AdminScreenPage>
  );
}

const draftOf = (settings: Settings): Draft =>
  Object.fromEntries(TEXTS.map((name) => [name, settings[name] ?? ''])) as Draft;

function requestOf(draft: Draft, logo: Logo, { occToken }: Settings): Input<'editBranding'> {
  const filled = TEXTS.map((name) => [name, draft[name].trim()] as const).filter(([, text]) => text !== '');
  return {
    ...Object.fromEntries(filled),
    // An empty name is refused, not kept.
    name: draft.name,
    ...(logo === 'removed' && { removeLogo: true }),
    ...(typeof logo === 'object' && { newLogoContentRef: logo.contentRef }),
    occToken: occToken!,
  };
}

function BrandingForm({ settings }: { settings: Settings }) {
  const texts = useAdminTexts();
  const words = useBrandingTexts();
  const formats = useFormats();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [logo, setLogo] = useState<Logo>('kept');
  const { busy, faults, setFaults, send } = useSend();
  const accent = draft.accentColor.trim().toLowerCase();
  const readable = COLOUR.test(accent) ? readableAccent(accent) : undefined;
  const input = (name: keyof Draft) => ({
    value: draft[name],
    error: faults[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setDraft((before) => ({ ...before, [name]: value }));
      setFaults((before) => ({ ...before, [name]: '' }));
    },
  });
  const save = async () => {
    if (accent !== '' && readable !== accent) {
      setFaults({ accentColor: readable === undefined ? words.noColour : words.tooLight(readable) });
      return;
    }
    await send(
      () => portal.settings.replaceBranding(requestOf(draft, logo, settings)),
      `${texts.saved} ${words.reload}`,
    );
  };
  const unsaved = typeof logo === 'object' ? logo.url : undefined;
  const logoUrl = logo === 'kept' ? settings.logoUrl : unsaved;
  return (
    <div className="branding">
      <form
        noValidate
        className="admin-form"
        aria-label={texts.screens['/admin/branding'].label}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput label={words.name} {...input('name')} />
        <LogoInput url={logoUrl} present={settings.logoUrl} logo={logo} setLogo={setLogo} />
        <Fault text={faults['newLogoContentRef']} />
        <div className="branding-accent">
          <TextInput label={words.accent} description={words.accentHint} spellCheck={false} {...input('accentColor')} />
          <input
            type="color"
            aria-label={words.pickAccent}
            value={COLOUR.test(accent) ? accent : OWN_ACCENT}
            onChange={input('accentColor').onChange}
          />
        </div>
        {readable !== undefined && readable !== accent && (
          <p role="status">
            {words.tooLight(readable)}{' '}
            <button
              type="button"
              className="small"
              onClick={() => {
                setDraft((before) => ({ ...before, accentColor: readable }));
                setFaults((before) => ({ ...before, accentColor: '' }));
              }}
            >
              {words.pickColour(readable)}
            </button>
          </p>
        )}
        <Textarea
          label={words.notice}
          description={words.noticeHint(formats.number([...draft.signInNotice].length), formats.number(MOST_NOTICE))}
          autosize
          minRows={3}
          {...input('signInNotice')}
        />
        <TextInput type="url" label={words.imprint} description={words.addressHint} {...input('imprintUrl')} />
        <TextInput type="url" label={words.privacy} description={words.addressHint} {...input('privacyUrl')} />
        <Fault text={faultBeside(faults, [...TEXTS, 'newLogoContentRef'])} />
        <div className="buttons">
          <Button type="submit" loading={busy}>
            {texts.save}
          </Button>
        </div>
      </form>
      <Preview draft={draft} logo={logoUrl} accent={readable ?? OWN_ACCENT} />
    </div>
  );
}

function LogoInput({
  url,
  present,
  logo,
  setLogo,
}: {
  url: string | undefined;
  present: string | undefined;
  logo: Logo;
  setLogo: (logo: Logo) => void;
}) {
  const words = useBrandingTexts();
  const file = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'ready' | 'sending'>('ready');
  const [fault, setFault] = useState('');
  const shown = typeof logo === 'object' ? logo.url : undefined;
  useEffect(() => () => (shown === undefined ? undefined : URL.revokeObjectURL(shown)), [shown]);
  const choose = async (chosen: File) => {
    setFault('');
    if (!LOGO_TYPES.includes(chosen.type)) return setFault(words.notPicture);
    if (chosen.size > MOST_LOGO) return setFault(words.tooLarge);
    setState('sending');
    try {
      const { contentRef } = await portal.files.upload(chosen);
      setLogo({ contentRef, url: URL.createObjectURL(chosen) });
    } catch {
      setFault(words.uploadFailed);
    } finally {
      setState('ready');
    }
  };
  return (
    <fieldset className="labelled branding-logo-box">
      <legend className="admin-caption">{words.logo}</legend>
      <span className="branding-logo">
        {url !== undefined && <img src={url} alt="" />}
        <input
          ref={file}
          type="file"
          hidden
          accept={LOGO_TYPES.join(',')}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (chosen) void choose(chosen);
          }}
        />
        <Button variant="default" loading={state === 'sending'} onClick={() => file.current?.click()}>
          {words.chooseLogo}
        </Button>
        {url !== undefined && (
          <Button variant="default" onClick={() => setLogo(present === undefined ? 'kept' : 'removed')}>
            {words.removeLogo}
          </Button>
        )}
        {present !== undefined && logo !== 'kept' && (
          <Button variant="default" onClick={() => setLogo('kept')}>
            {words.keepLogo}
          </Button>
        )}
      </span>
      <span className="muted admin-hint">{words.logoHint}</span>
      <p role="status" className="branding-status">
        {state === 'sending' && words.sending}
        {state === 'ready' && logo === 'removed' && words.logoRemoved}
      </p>
      <Fault text={fault} />
    </fieldset>
  );
}

/** The sign-in page in both colour schemes, as it would be after the draft is saved. */
function Preview({ draft, logo, accent }: { draft: Draft; logo: string | undefined; accent: string }) {
  const words = useBrandingTexts();
  const texts = useTexts();
  const tones = accentTones(isReadableAccent(accent) ? accent : OWN_ACCENT);
  const links = useLegalTexts();
  const legal = [draft.imprintUrl.trim() && links.imprint, draft.privacyUrl.trim() && links.privacy].filter(Boolean);
  return (
    <section aria-label={words.preview} className="branding-preview">
      <h2>{words.preview}</h2>
      <p className="muted">{words.previewHint}</p>
      {(['light', 'dark'] as const).map((scheme) => (
        <figure
          key={scheme}
          className={`branding-${scheme}`}
          style={{ '--mantine-primary-color-filled': tones[scheme] } as CSSProperties}
        >
          <figcaption>{words[scheme]}</figcaption>
          <p className="branding-head" dir="auto">
            {logo !== undefined && <img src={logo} alt="" />}
            {draft.name}
          </p>
          {draft.signInNotice.trim() !== '' && (
            <p className="portal-notice" dir="auto">
              {draft.signInNotice.trim()}
            </p>
          )}
          <p className="branding-tones">
            <span className="branding-button" style={{ background: tones[scheme] }}>
              {texts.signIn}
            </span>
            <span style={{ color: tones[scheme], textDecoration: 'underline' }}>{words.link}</span>
          </p>
          {legal.length > 0 && <p className="branding-legal">{legal.join(' · ')}</p>}
        </figure>
      ))}
    </section>
  );
}
