import type { NotificationPreference } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useCommunities } from '../shared-queries.ts';
import { MailSettings } from './mail-settings.tsx';
import { PushSettings, useBrowsers } from './push-settings.tsx';
import { useAccountTexts } from './texts.ts';

const FREQUENCIES = ['never', 'atOnce', 'bundled', 'digest'] as const;
/**
 * Kinds that concern the person: without a choice, their mails are bundled and browsers show them.
 * Mails of the others are in the digest.
 */
const PERSONAL: ReadonlySet<number> = new Set([1, 2, 3, 6]);
const KINDS = [1, 2, 3, 4, 5, 6, 7] as const;
type Kind = (typeof KINDS)[number];

/**
 * Settings of the caller's notifications: by kind for all communities, with exceptions for single
 * communities.
 */
export function NotificationsPage() {
  const attempt = useAttempt();
  const account = useAccountTexts();
  const communities = useCommunities().data ?? [];
  const pushes = useBrowsers().data?.enabled ?? false;
  const [added, setAdded] = useState<readonly number[]>([]);
  /** The preferences that are being saved. */
  const [chosen, setChosen] = useState<readonly NotificationPreference[]>([]);
  const preferences = useQuery({
    queryKey: ['notification preferences'],
    queryFn: () => portal.notifications.preferences(),
  });
  if (preferences.isPending) return <Loading />;
  if (preferences.isError) return <Failed query={preferences} />;
  const same = (a: NotificationPreference, b: NotificationPreference) =>
    a.kind === b.kind && a.communityId === b.communityId;
  const saved = preferences.data.preferences ?? [];
  const entries = [...saved.filter((each) => !chosen.some((other) => same(each, other))), ...chosen];
  const find = (kind: Kind, communityId?: number) =>
    entries.find((each) => each.kind === kind && each.communityId === communityId);
  const isOn = (kind: Kind, communityId?: number) =>
    (communityId === undefined ? undefined : find(kind, communityId)?.enabled) ?? find(kind)?.enabled ?? true;
  const mailOf = (kind: Kind, communityId?: number) =>
    (communityId === undefined ? undefined : find(kind, communityId)?.mail) ??
    find(kind)?.mail ??
    (PERSONAL.has(kind) ? 'bundled' : 'digest');
  const isShown = (kind: Kind, communityId?: number) =>
    (communityId === undefined ? undefined : find(kind, communityId)?.push) ?? find(kind)?.push ?? PERSONAL.has(kind);
  const set = async (change: NotificationPreference) => {
    const entry = { ...find(change.kind as Kind, change.communityId), ...change };
    setChosen((before) => [...before.filter((each) => !same(each, entry)), entry]);
    await attempt(async () => {
      const answer = await portal.notifications.updatePreferences({ preferences: [entry] });
      queryClient.setQueryData(['notification preferences'], answer);
    }, account.notSaved);
    setChosen((before) => before.filter((each) => each !== entry));
  };
  const own = [...new Set([...entries.flatMap(({ communityId }) => communityId ?? []), ...added])].flatMap(
    (id) => communities.find((community) => community.id === id) ?? [],
  );
  const others = communities.filter((community) => !own.includes(community));
  return (
    <section>
      <p className="muted">{account.notificationsHint}</p>
      <table className="preferences">
        <thead>
          <tr>
            <td />
            <th scope="col">{account.everywhere}</th>
            {own.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind}>
              <th scope="row">{account.notificationKinds[kind]}</th>
              {[undefined, ...own.map(({ id }) => id!)].map((communityId) => (
                <td key={communityId ?? 0}>
                  <input
                    type="checkbox"
                    aria-label={`${account.notificationKinds[kind]}: ${
                      own.find(({ id }) => id === communityId)?.name ?? account.everywhere
                    }`}
                    checked={isOn(kind, communityId)}
                    onChange={({ currentTarget: { checked } }) =>
                      void set({ kind, enabled: checked, ...(communityId !== undefined && { communityId }) })
                    }
                  />{' '}
                  <select
                    className="field auto"
                    aria-label={`${account.mail.of} ${account.notificationKinds[kind]}: ${
                      own.find(({ id }) => id === communityId)?.name ?? account.everywhere
                    }`}
                    disabled={!isOn(kind, communityId)}
                    value={mailOf(kind, communityId)}
                    onChange={({ currentTarget: { value } }) =>
                      void set({
                        kind,
                        mail: value as (typeof FREQUENCIES)[number],
                        ...(communityId !== undefined && { communityId }),
                      })
                    }
                  >
                    {FREQUENCIES.map((frequency) => (
                      <option key={frequency} value={frequency}>
                        {account.mail.frequencies[frequency]}
                      </option>
                    ))}
                  </select>
                  {pushes && (
                    <label className="push-choice">
                      <input
                        type="checkbox"
                        aria-label={`${account.push.of} ${account.notificationKinds[kind]}: ${
                          own.find(({ id }) => id === communityId)?.name ?? account.everywhere
                        }`}
                        disabled={!isOn(kind, communityId)}
                        checked={isOn(kind, communityId) && isShown(kind, communityId)}
                        onChange={({ currentTarget: { checked } }) =>
                          void set({ kind, push: checked, ...(communityId !== undefined && { communityId }) })
                        }
                      />
                      {account.push.short}
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <select
          className="field auto below"
          aria-label={account.addException}
          value=""
          onChange={({ currentTarget: { value } }) => setAdded((before) => [...before, Number(value)])}
        >
          <option value="">{account.addException}</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <PushSettings />
      <MailSettings preferences={preferences.data} />
    </section>
  );
}
