/** Access tokens on disk, so that the next process need not sign in again. Node.js only. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from './errors.ts';
import type { CachedToken, TokenCache } from './token-cache.ts';

const OTHERS = 0o077;
// Windows has access lists instead of modes; a user profile folder is accessible only to its user.
const HAS_MODES = process.platform !== 'win32';

/** Default folder of tokens: `PORTICO_CACHE_DIR`, else the user's cache folder. */
export function defaultCacheDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env['PORTICO_CACHE_DIR'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'portico', 'tokens');
}

/**
 * Stores tokens in a file (mode 0600) for each API base and identity, in one folder (mode 0700). A
 * folder or file that other users can read or write, that belongs to another user or is a symbolic
 * link is refused with a ConfigurationError: another user may have read the tokens or replaced
 * them.
 */
export class DiskTokenCache implements TokenCache {
  readonly directory: string;

  constructor(directory: string = defaultCacheDirectory()) {
    this.directory = directory;
  }

  async get(key: string): Promise<CachedToken | undefined> {
    if (!(await this.#check(this.directory, 'directory'))) return undefined;
    const path = this.#path(key);
    if (!(await this.#check(path, 'file'))) return undefined;
    let kept: unknown;
    try {
      kept = JSON.parse(await readFile(path, 'utf8'));
    } catch (error) {
      if (error instanceof SyntaxError || isMissing(error)) return undefined; // half written or gone: sign in again
      throw error;
    }
    const { key: ownKey, accessToken, expiresAt } = kept as Record<string, unknown>;
    if (ownKey !== key || typeof accessToken !== 'string' || typeof expiresAt !== 'number') return undefined;
    return { accessToken, expiresAt };
  }

  async set(key: string, token: CachedToken): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.#check(this.directory, 'directory');
    const path = this.#path(key);
    await this.#check(path, 'file');
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ key, ...token })}\n`);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  }

  async delete(key: string): Promise<void> {
    if (!(await this.#check(this.directory, 'directory'))) return;
    await rm(this.#path(key), { force: true });
  }

  #path(key: string): string {
    if (!/^[0-9A-Za-z_-]{1,200}$/.test(key)) throw new ConfigurationError(`"${key}" is not a key of the token cache`);
    return join(this.directory, `${key}.json`);
  }

  /**
   * @returns whether it exists
   * @throws ConfigurationError if it is not safe to use
   */
  async #check(path: string, kind: 'file' | 'directory'): Promise<boolean> {
    let found: Awaited<ReturnType<typeof lstat>>;
    try {
      found = await lstat(path);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    if (kind === 'file' ? !found.isFile() : !found.isDirectory()) {
      throw new ConfigurationError(`${path} is not a ${kind}; remove it, it is not used as a token cache.`);
    }
    if (!HAS_MODES) return true;
    if ((found.mode & OTHERS) !== 0) {
      const [is, wanted] = [(found.mode & 0o777).toString(8), kind === 'file' ? '600' : '700'];
      throw new ConfigurationError(
        `${path} has mode ${is} and is open to others; run "chmod ${wanted} ${path}" or remove it.`,
      );
    }
    const owner = process.getuid?.();
    if (owner !== undefined && found.uid !== owner) {
      throw new ConfigurationError(`${path} belongs to somebody else; it is not used as a token cache.`);
    }
    return true;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
