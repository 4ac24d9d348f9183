import type { NotificationPreferences } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useAttempt } from '../failures/attempt.ts';
import { showNotice } from '../write/notices.ts';
import { PROFILE, type ProfileChange, readProfile, saveProfile } from './own-profile.ts';
import { useAccountTexts } from './texts.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Settings of all mail of notifications: whether it is sent, the address, the hour of the digest. */
export function MailSettings({ preferences }: { preferences: NotificationPreferences }) {
  const account = useAccountTexts();
  const attempt = useAttempt();
  const profile = useQuery({ queryKey: PROFILE, queryFn: readProfile });
  if (!profile.data) return null;
  const { emailNotificationsEnabled, digestHour } = profile.data;
  const save = (change: ProfileChange) =>
    attempt(async () => {
      await saveProfile(change);
      showNotice(account.saved);
    }, account.notSaved);
  const { mailAddress, mailHeld } = preferences;
  return (
    <div className="settings">
      <label>
        <input
          type="checkbox"
          checked={emailNotificationsEnabled ?? false}
          onChange={({ currentTarget: { checked } }) => void save({ emailNotificationsEnabled: checked })}
        />{' '}
        {account.mail.enabled}
      </label>
      <p className="muted">
        {mailAddress !== undefined && account.mail.address(mailAddress)}
        {mailHeld !== undefined && account.mail.held[mailHeld]}
      </p>
      <label>
        <span>{account.mail.digestHour}</span>
        <select
          className="field"
          value={digestHour ?? ''}
          onChange={({ currentTarget: { value } }) => void save({ digestHour: Number(value) })}
        >
          {HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {`${String(hour).padStart(2, '0')}:00`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
