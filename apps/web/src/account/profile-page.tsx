import { Button, Textarea, TextInput, useMantineColorScheme } from '@mantine/core';
import { languages, timeZoneNames, type UserProfileInfo } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { Avatar } from '../shell/avatar.tsx';
import { SegmentedControl } from '../shell/segmented-control.tsx';
import { hasTexts, useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';
import { PROFILE, type ProfileChange, readProfile, saveProfile } from './own-profile.ts';
import { useAccountTexts } from './texts.ts';

/**
 * The caller's profile as colleagues see it, and the look of the page. Changes are saved at once.
 */
export function ProfilePage() {
  const texts = useTexts();
  const account = useAccountTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const profile = useQuery({ queryKey: PROFILE, queryFn: readProfile });
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const edit = async (change: ProfileChange) => {
    setBusy(true);
    await attempt(async () => {
      await saveProfile(change);
      showNotice(account.saved);
    }, account.notSaved);
    setBusy(false);
  };
  if (profile.isPending) return <Loading />;
  if (profile.isError) return <Failed query={profile} />;
  const { contactEmail, language, timezone, biography, mobilePhone, phone } = profile.data;
  return (
    <div className="settings">
      <Photo profile={profile.data} change={(change) => void edit(change)} busy={busy} />
      <p className="muted">{contactEmail}</p>
      <label>
        <span>{account.language}</span>
        <select
          className="field"
          value={language?.code ?? ''}
          onChange={({ currentTarget: { value } }) => void edit({ defaultLanguageId: value })}
        >
          {language === undefined && <option value="" />}
          {languages.map(({ code, description }) => (
            <option key={code} value={code}>
              {description}
            </option>
          ))}
        </select>
        {language?.code !== undefined && !hasTexts(language.code) && (
          <span className="muted">{account.noTexts(language.description ?? language.code)}</span>
        )}
      </label>
      <label>
        <span>{account.timeZone}</span>
        <select
          className="field"
          value={timezone?.id ?? ''}
          onChange={({ currentTarget: { value } }) => void edit({ defaultTimezoneId: Number(value) })}
        >
          {timezone === undefined && <option value="" />}
          {timeZoneNames
            .map((name, index) => ({ name: name.replaceAll('_', ' '), id: index + 1 }))
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ name, id }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <SavedOnBlur label={account.phone} value={phone ?? ''} save={(value) => void edit({ phone: value })} />
      <SavedOnBlur
        label={account.mobilePhone}
        value={mobilePhone ?? ''}
        save={(value) => void edit({ mobilePhone: value })}
      />
      <SavedOnBlur
        label={account.aboutMe}
        value={biography ?? ''}
        long
        save={(value) => void edit({ biography: value })}
      />
      <div>
        <span className="caption" aria-hidden>
          {texts.appearance}
        </span>
        <SegmentedControl
          label={texts.appearance}
          options={[
            { value: 'auto', label: texts.system },
            { value: 'light', label: texts.light },
            { value: 'dark', label: texts.dark },
          ]}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
    </div>
  );
}

/** A text input that saves when it loses the focus. */
function SavedOnBlur({
  label,
  value,
  long = false,
  save: done,
}: {
  label: string;
  value: string;
  long?: boolean;
  save: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const Field = long ? Textarea : TextInput;
  return (
    <Field
      label={label}
      value={text}
      {...(long && { autosize: false, rows: 4 })}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => setText(currentTarget.value)}
      onBlur={() => {
        if (text.trim() !== value) done(text.trim());
      }}
    />
  );
}

function Photo({
  profile,
  change,
  busy,
}: {
  profile: UserProfileInfo;
  change: (change: ProfileChange) => void;
  busy: boolean;
}) {
  const account = useAccountTexts();
  const attempt = useAttempt();
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    await attempt(async () => {
      const { contentRef } = await portal.files.upload(file);
      change({ profilePhoto: { newContentRef: contentRef } });
    }, account.notSaved);
  };
  return (
    <div className="photo">
      <Avatar user={profile} size={64} />
      <div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <div className="buttons">
          <Button variant="default" size="xs" loading={busy} onClick={() => input.current?.click()}>
            {account.choosePhoto}
          </Button>
          {profile.customPhotoUrl && (
            <Button
              variant="default"
              size="xs"
              onClick={() => change({ profilePhoto: { newContentRef: null } } as unknown as ProfileChange)}
            >
              {account.removePhoto}
            </Button>
          )}
        </div>
        <p className="muted">{account.photoHint}</p>
      </div>
    </div>
  );
}
