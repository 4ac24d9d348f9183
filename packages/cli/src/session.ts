/** A client of the portal, set up from the profile and the flags of the command. */
import type { ClientOptions, PorticoClient, RequestOptions } from '@portico/sdk';
import { UsageError } from './errors.ts';
import { readKeptToken } from './kept-token.ts';
import { activeProfile, type Profile, signInAccount } from './profiles.ts';

/** Flags of every command that sends requests to a portal. */
export interface CommonOptions {
  profile?: string;
  timeout?: number;
  verbose?: boolean;
}

export interface Session {
  client: PorticoClient;
  profileName: string;
  profile: Profile;
  /** Ends requests when the user presses Ctrl-C. */
  options: RequestOptions;
}

/**
 * Creates a client for the profile in use.
 * @param anonymous whether the operation needs no sign-in: then an address is enough, from the
 *   profile or `--url`
 * @throws UsageError if no portal or no way of signing in is configured
 */
export async function openSession(flags: CommonOptions & { url?: string }, anonymous = false): Promise<Session> {
  const { name, profile: kept } = activeProfile(flags.profile);
  const profile = { ...kept, ...(flags.url !== undefined && { url: flags.url }) };
  // A token of one portal is never sent to another one.
  const account = signInAccount(name, kept);
  if (profile.url !== kept.url) delete profile.signIn;
  const credentials = anonymous ? undefined : await credentialsOf(profile, account);
  return { ...(await connect(profile, flags, credentials)), profileName: name, profile };
}

/**
 * Adds `http://` to the address of a portal on this machine, which has no encryption, as "npm start"
 * sets it up. Other addresses stay unchanged.
 */
export function withScheme(url: string): string {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(url) ? `http://${url}` : url;
}

/**
 * Creates a client for a profile that need not be stored yet.
 * @param credentials undefined for operations without a sign-in
 */
export async function connect(
  profile: Profile,
  flags: CommonOptions,
  credentials: ClientOptions['credentials'] | undefined,
) {
  if (!profile.url) {
    throw new UsageError(
      credentials === undefined
        ? 'No portal is configured: say --url ADDRESS, run "portico login", or set PORTICO_URL.'
        : 'No portal is configured: run "portico login --url ADDRESS", or set PORTICO_URL.',
    );
  }
  const { PorticoClient, DiskTokenCache } = await import('@portico/sdk');
  const options: ClientOptions = {
    baseUrl: withScheme(profile.url),
    // Operations without a sign-in send no token: this one is never used.
    credentials: credentials ?? { accessToken: 'none' },
    tokenCache: new DiskTokenCache(),
    timeoutMs: flags.timeout !== undefined ? flags.timeout * 1000 : profile.timeoutMs,
    audience: profile.audience,
    apiPath: profile.apiPath,
    ...(flags.verbose && { hooks: verboseHooks }),
  };
  const controller = new AbortController();
  process.once('SIGINT', () => {
    process.exitCode = 130;
    controller.abort(new Interrupted());
  });
  return { client: new PorticoClient(options), options: { signal: controller.signal } };
}

/** The user pressed Ctrl-C. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

/**
 * Returns how a profile signs in.
 * @param account name under which the token of a person is stored
 * @throws UsageError without a way to sign in
 */
export async function credentialsOf(profile: Profile, account: string): Promise<ClientOptions['credentials']> {
  if (profile.tokenVariable) return { accessToken: variable(profile.tokenVariable) };
  if (profile.keyFile) return { serviceAccount: profile.keyFile };
  const { providerTokenVariable } = profile;
  if (providerTokenVariable) return { providerToken: variable(providerTokenVariable) };
  if (profile.signIn) {
    const accessToken = await readKeptToken(profile.signIn.store, account);
    if (accessToken !== undefined) return { accessToken };
  }
  throw new UsageError(
    'No way of signing in is configured: run "portico login", or set PORTICO_KEY_FILE or PORTICO_TOKEN.',
  );
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new UsageError(`The environment variable ${name}, which the profile names, is not set.`);
  return value;
}

const verboseHooks: NonNullable<ClientOptions['hooks']> = {
  onRequest: ({ method, url, attempt }) =>
    void process.stderr.write(`> ${method} ${url}${attempt > 1 ? ` (try ${attempt})` : ''}\n`),
  onResponse: ({ status, requestId, durationMs }) =>
    void process.stderr.write(
      `< ${status} in ${Math.round(durationMs)} ms${requestId ? `, request ${requestId}` : ''}\n`,
    ),
  onRetry: ({ delayMs, error }) =>
    void process.stderr.write(`! ${error.message}; again in ${Math.round(delayMs)} ms\n`),
};
