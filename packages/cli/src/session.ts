/** A client of the portal, set up from the profile and the flags of the command. */
import type { ClientOptions, PorticoClient, RequestOptions } from '@portico/sdk';
import { UsageError } from './errors.ts';
import { activeProfile, type Profile } from './profiles.ts';

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
  return { ...(await connect(profile, flags, anonymous)), profileName: name, profile };
}

/**
 * Adds `http://` to the address of a portal on this machine, which has no encryption, as "npm start"
 * sets it up. Other addresses stay unchanged.
 */
export function withScheme(url: string): string {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(url) ? `http://${url}` : url;
}

/** Creates a client for a profile that need not be stored yet. */
export async function connect(profile: Profile, flags: CommonOptions, anonymous = false) {
  if (!profile.url) {
    throw new UsageError(
      anonymous
        ? 'No portal is configured: say --url ADDRESS, run "portico login", or set PORTICO_URL.'
        : 'No portal is configured: run "portico login --url ADDRESS --key FILE", or set PORTICO_URL.',
    );
  }
  const { PorticoClient, DiskTokenCache } = await import('@portico/sdk');
  const options: ClientOptions = {
    baseUrl: withScheme(profile.url),
    // Operations without a sign-in send no token: this one is never used.
    credentials: anonymous ? { accessToken: 'none' } : credentialsOf(profile),
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

function credentialsOf(profile: Profile): ClientOptions['credentials'] {
  if (profile.tokenVariable) return { accessToken: variable(profile.tokenVariable) };
  if (profile.keyFile) return { serviceAccount: profile.keyFile };
  const { providerTokenVariable } = profile;
  if (providerTokenVariable) return { providerToken: variable(providerTokenVariable) };
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
