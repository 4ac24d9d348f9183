import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { AdminTable, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import type { PersonForm } from './person-screen.tsx';
import { useAdminPeopleTexts } from './texts.ts';

type Session = Output<'listUserSignIns'>['sessions'][number];

/** The ways by which a person signs in, and their personal access tokens. */
export function SignIn({ person: { credentials, signIns } }: { person: PersonForm }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const { custom, google, microsoft } = credentials.userCredentialsConfiguration ?? {};
  const { identities, passkeys, tokens, authenticatorApp, recoveryCodesLeft = 0 } = signIns;
  const ways = [
    custom && ([words.ways.custom, custom.username, custom.active] as const),
    google && ([words.ways.google, google.googleAccountId, google.enabled] as const),
    microsoft && ([words.ways.microsoft, microsoft.microsoftAccountId, microsoft.enabled] as const),
  ].filter((way) => way !== undefined);
  const day = (at: number | undefined) => (at === undefined ? words.never : formats.dayOf(at));
  const facts = [
    ...ways.map(
      ([way, account, on]) => [way, [account, ...(on ? [] : [`(${words.off})`])].filter(Boolean).join(' ')] as const,
    ),
    ...(authenticatorApp
      ? [[words.authenticatorApp, words.recoveryCodes(formats.number(recoveryCodesLeft))] as const]
      : []),
    ...passkeys.map(
      ({ name, lastUseTimestamp }) => [words.passkey, `${name} · ${words.lastUse(day(lastUseTimestamp))}`] as const,
    ),
    ...identities.map(
      ({ name = '', subject, linkTimestamp }) => [name, `${subject} · ${words.linkedOn(day(linkTimestamp))}`] as const,
    ),
    ...tokens.map(
      ({ name, expirationTimestamp, lastUseTimestamp }) =>
        [
          words.token,
          `${name} · ${words.lastUse(day(lastUseTimestamp))} · ${words.validUntil(day(expirationTimestamp))}`,
        ] as const,
    ),
  ];
  return (
    <section aria-label={words.signIn}>
      <h2>{words.signIn}</h2>
      {facts.length > 0 ? <Facts facts={facts} /> : <p className="muted">{texts.none}</p>}
    </section>
  );
}

/** The browsers in which a person is signed in, with buttons to end one session or all. */
export function Sessions({
  person: { userId, signIns },
  name,
  onSignOut,
}: {
  person: PersonForm;
  name: string;
  onSignOut: () => void;
}) {
  const words = useAdminPeopleTexts();
  const [ending, setEnding] = useState<Session>();
  const columns = useColumns(setEnding);
  const { sessions } = signIns;
  return (
    <section aria-label={words.sessions}>
      <h2>{words.sessions}</h2>
      {sessions.length === 0 ? (
        <p className="muted">{words.noSessions}</p>
      ) : (
        <>
          <AdminTable label={words.sessions} rows={sessions} keyOf={({ id }) => id!} columns={columns} />
          <Button variant="default" size="xs" mt={8} onClick={onSignOut}>
            {words.signOut}
          </Button>
        </>
      )}
      {ending && <EndSession userId={userId} session={ending} name={name} onClose={() => setEnding(undefined)} />}
    </section>
  );
}

function useColumns(end: (session: Session) => void) {
  const texts = useTexts();
  const admin = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const moment = (at: number | undefined) => (at === undefined ? '' : formats.moment(at));
  const device = ({ userAgent }: Session) => userAgent ?? words.unknownDevice;
  return [
    {
      key: 'device',
      label: words.device,
      cell: (session: Session) => (
        <span style={{ overflowWrap: 'anywhere' }}>
          {session.current ? `${texts.thisBrowser}: ` : ''}
          {device(session)}
        </span>
      ),
    },
    { key: 'address', label: words.address, wide: true, cell: ({ address }: Session) => address },
    { key: 'since', label: words.since, wide: true, cell: (session: Session) => moment(session.creationTimestamp) },
    { key: 'seen', label: words.lastSeen, cell: (session: Session) => moment(session.lastUseTimestamp) },
    {
      key: 'actions',
      label: admin.moreActions,
      cell: (session: Session) =>
        // People leave their own session by signing out.
        !session.current && (
          <button
            type="button"
            className="small"
            aria-label={words.endSessionIn(device(session))}
            onClick={() => end(session)}
          >
            {texts.endSession}
          </button>
        ),
    },
  ];
}

function EndSession({
  userId,
  session,
  name,
  onClose,
}: {
  userId: number;
  session: Session;
  name: string;
  onClose: () => void;
}) {
  const texts = useTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  const input = { userId, sessionId: session.id! };
  const { userAgent = words.unknownDevice, address, creationTimestamp: begun } = session;
  return (
    <ConfirmDialog
      title={words.endSessionTitle(name)}
      action={texts.endSession}
      dryRun={() => portal.users.revokeSession({ ...input, dryRun: true })}
      run={() => portal.users.revokeSession(input)}
      done={words.sessionEnded}
      onClose={onClose}
    >
      <Facts
        facts={[
          [words.device, userAgent],
          [words.address, address ?? ''],
          [words.since, begun === undefined ? '' : formats.moment(begun)],
        ]}
      />
      <p>{words.endSessionHint}</p>
    </ConfirmDialog>
  );
}
