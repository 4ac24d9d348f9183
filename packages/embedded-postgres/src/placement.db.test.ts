import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyNativeFiles, healLinks, locateNativeFiles, probeNativeFiles } from './binaries.ts';
import { isRoot, launchAsSelf } from './launch.ts';
import {
  canForbidUserNamespaces,
  forbidUserNamespaces,
  handTo,
  ordinaryUser,
  query,
  TestPlace,
} from './testing/fixtures.ts';

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.cleanUp());

const modes = (directory: string) => statSync(directory).mode & 0o777;

describe('the binaries', () => {
  it('get the links that npm did not make, in place or in a private copy', async () => {
    const self = launchAsSelf();
    const source = locateNativeFiles();
    const copy = await copyNativeFiles(source, place.root);
    expect(await copyNativeFiles(source, place.root)).toBe(copy);
    expect(await probeNativeFiles(copy, self)).toBe(null);

    mkdirSync(place.path('package'));
    const native = place.path('package', 'native');
    renameSync(copy, native);
    const lib = path.join(native, 'lib');
    const isLink = (name: string) => lstatSync(path.join(lib, name)).isSymbolicLink();
    for (const name of readdirSync(lib).filter(isLink)) rmSync(path.join(lib, name));
    // A platform without links needs no healing.
    const linked = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')).length > 0;
    if (linked) expect(await probeNativeFiles(native, self)).toContain('lib');
    expect(healLinks(native)).toBe(true);
    expect(await probeNativeFiles(native, self)).toBe(null);
    // A package that cannot be written, with its links missing, is copied with all of them.
    for (const name of readdirSync(lib).filter(isLink)) rmSync(path.join(lib, name));
    const second = await copyNativeFiles({ dir: native, packageVersion: 'other' }, place.root);
    expect(await probeNativeFiles(second, self)).toBe(null);
  });

  it('are refused with advice where there are none', () => {
    expect(() => locateNativeFiles('win32-x64')).toThrow(/linux-x64.*DATABASE_URL/);
    expect(() => locateNativeFiles('plan9-mips')).toThrow(/plan9-mips.*DATABASE_URL/);
  });
});

describe('as an ordinary user', () => {
  it('just runs, and survives its server', async () => {
    const user = ordinaryUser();
    const home = place.path('home');
    mkdirSync(home, { mode: 0o700 });
    handTo(user, home);
    const dataDir = path.join(home, 'portico');
    const first = await place.hold(dataDir, user);
    expect(first.report).toMatchObject({ adopted: false });
    // Two user namespaces do not see into each other's processes, so there nothing is taken over.
    const seen = user.prefix === undefined;
    await first.end(seen ? 'SIGKILL' : 'SIGTERM');
    const second = await place.hold(dataDir, user);
    expect(second.report).toMatchObject(seen ? { adopted: true, pid: first.report.pid } : { adopted: false });
    expect(await second.end('SIGTERM')).toBe(0);
    expect(modes(dataDir)).toBe(0o700);
  });

  it('says in one sentence that a directory cannot be written', async () => {
    const user = ordinaryUser();
    const closed = place.path('closed');
    mkdirSync(closed);
    handTo(user, closed);
    chmodSync(closed, 0o555);
    for (const dataDir of [closed, path.join(closed, 'below')]) {
      const { report } = await place.hold(dataDir, user);
      expect(report.error).toMatchObject({ code: 'data_dir_unwritable' });
      expect(report.error?.message).toMatch(/permission denied/);
    }
  });

  it.runIf(isRoot())('leaves its files to itself when root starts once in between', async () => {
    const user = ordinaryUser();
    const home = place.path('home');
    mkdirSync(home);
    handTo(user, home);
    const dataDir = path.join(home, 'portico');
    const own = await place.hold(dataDir, user);
    expect(await own.end('SIGTERM')).toBe(0);
    const asRoot = await place.start(dataDir);
    expect(statSync(asRoot.clusterDir).uid).toBe(statSync(home).uid);
    await asRoot.stop();
    const again = await place.hold(dataDir, user);
    expect(again.report.error).toBeUndefined();
    expect(await again.end('SIGTERM')).toBe(0);
  });

  it.runIf(isRoot())('is told when the database is another user’s', async () => {
    const user = ordinaryUser();
    const dataDir = place.path('data');
    const cluster = await place.start(dataDir);
    await cluster.stop();
    const { report } = await place.hold(dataDir, user);
    // In a user namespace everything of root's is this user's.
    expect(report.error?.code).toBe(user.as ? 'data_dir_unwritable' : undefined);
  });
});

describe.runIf(isRoot())('as root', () => {
  it('runs below a directory that only root can reach, and changes no mode', async () => {
    const home = place.path('home');
    mkdirSync(home, { mode: 0o700 });
    const cluster = await place.start(path.join(home, 'clone', '.portico'));
    expect(await query(cluster.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(modes(home)).toBe(0o700);
  });

  it('runs on when that directory is closed or opened later', async () => {
    const home = place.path('home');
    mkdirSync(home, { mode: 0o755 });
    for (const mode of [0o755, 0o700, 0o755]) {
      chmodSync(home, mode);
      const cluster = await place.start(path.join(home, '.portico'));
      expect(await query(cluster.connection, 'CREATE TABLE IF NOT EXISTS kept (); SELECT 1 AS one')).toEqual([
        { one: 1 },
      ]);
      await cluster.stop();
      expect(modes(home)).toBe(mode);
    }
  });
});

describe.runIf(await canForbidUserNamespaces())('as root where user namespaces are forbidden', () => {
  it('keeps the database elsewhere, moves an existing one there, and finds it again', async () => {
    const home = place.path('home');
    mkdirSync(home, { mode: 0o700 });
    const dataDir = path.join(home, '.portico');
    const before = await place.start(dataDir);
    await query(before.connection, 'CREATE TABLE kept AS SELECT 1 AS one');
    await before.stop();

    const moved = await place.hold(dataDir, forbidUserNamespaces());
    expect(moved.report.clusterDir.startsWith(place.path('elsewhere'))).toBe(true);
    expect(existsSync(before.clusterDir)).toBe(false);
    expect(await query(moved.report.connection, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect(await moved.end('SIGTERM')).toBe(0);
    expect(modes(home)).toBe(0o700);

    const after = await place.start(dataDir);
    expect(after.clusterDir).toBe(moved.report.clusterDir);
    expect(await query(after.connection, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  it('does not let a copy of the data directory share the database', async () => {
    const home = place.path('home');
    mkdirSync(home, { mode: 0o700 });
    const dataDir = path.join(home, '.portico');
    const holder = await place.hold(dataDir, forbidUserNamespaces());
    expect(await holder.end('SIGTERM')).toBe(0);
    mkdirSync(path.join(home, 'copy'));
    copyFileSync(path.join(dataDir, 'postgres-location.json'), path.join(home, 'copy', 'postgres-location.json'));
    await expect(place.start(path.join(home, 'copy'))).rejects.toMatchObject({ code: 'relocated_missing' });
    // A directory that was renamed keeps its database.
    renameSync(dataDir, path.join(home, 'renamed'));
    const renamed = await place.start(path.join(home, 'renamed'));
    expect(renamed.clusterDir).toBe(holder.report.clusterDir);
  });
});
