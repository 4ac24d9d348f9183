/**
 * Profiles: which portal, and how to sign in there. A profile names key files, variables and the place
 * of a person's token; it holds no secret.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './errors.ts';

/** The sign-in of a person, whose token is in the keychain or in a file. */
export interface KeptSignIn {
  store: 'keychain' | 'file';
  tokenId: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface Profile {
  url?: string;
  /** Path of a service account's key file. */
  keyFile?: string;
  /** Environment variable that holds a token of the identity provider. */
  providerTokenVariable?: string;
  /** Environment variable that holds an access token of the portal. */
  tokenVariable?: string;
  audience?: string;
  apiPath?: string;
  timeoutMs?: number;
  signIn?: KeptSignIn;
}

/** Returns the name under which the token of a profile is stored. */
export const signInAccount = (name: string, { url = '' }: Pick<Profile, 'url'>): string => `${name}@${url}`;

interface Configuration {
  current?: string;
  profiles: Record<string, Profile>;
}

/** Names of the settings of a profile. */
export const settingNames = [
  'url',
  'keyFile',
  'providerTokenVariable',
  'tokenVariable',
  'audience',
  'apiPath',
  'timeoutMs',
] as const satisfies readonly Exclude<keyof Profile, 'signIn'>[];

/** Where profiles are kept: `PORTICO_CONFIG`, else the user's configuration folder. */
export function configurationPath(): string {
  const { env } = process;
  return env['PORTICO_CONFIG'] ?? join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'portico', 'config.json');
}

/** @throws UsageError when the file is there but cannot be read as a configuration */
export function readConfiguration(): Configuration {
  const path = configurationPath();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    const value = JSON.parse(text) as Partial<Configuration>;
    return { ...(typeof value.current === 'string' && { current: value.current }), profiles: value.profiles ?? {} };
  } catch {
    throw new UsageError(`${path} is not JSON; mend it or remove it.`);
  }
}

/** Writes the configuration for its owner only. */
export function writeConfiguration(configuration: Configuration): void {
  const path = configurationPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(configuration, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

/**
 * The profile in use: `--profile`, else `PORTICO_PROFILE`, else the current one; single settings come from the environment
 * first (`PORTICO_URL`, `PORTICO_KEY_FILE`, `PORTICO_TOKEN`, `PORTICO_AUDIENCE`).
 * @throws UsageError when the profile does not exist
 */
export function activeProfile(wanted: string | undefined): { name: string; profile: Profile } {
  const { env } = process;
  const configuration = readConfiguration();
  const name = wanted ?? env['PORTICO_PROFILE'] ?? configuration.current ?? 'default';
  const kept = configuration.profiles[name];
  if (!kept && (wanted ?? env['PORTICO_PROFILE']) !== undefined) {
    const known = Object.keys(configuration.profiles);
    throw new UsageError(`There is no profile "${name}"${known.length > 0 ? `; there are: ${known.join(', ')}` : ''}.`);
  }
  const profile: Profile = { ...kept };
  if (env['PORTICO_URL']) profile.url = env['PORTICO_URL'];
  if (env['PORTICO_AUDIENCE']) profile.audience = env['PORTICO_AUDIENCE'];
  if (env['PORTICO_KEY_FILE']) {
    profile.keyFile = env['PORTICO_KEY_FILE'];
    delete profile.tokenVariable;
    delete profile.providerTokenVariable;
    delete profile.signIn;
  }
  if (env['PORTICO_TOKEN']) profile.tokenVariable = 'PORTICO_TOKEN';
  return { name, profile };
}
