// Breaks a Citus cluster under the load of three tenants, moves a tenant, and checks that no acknowledged write is lost, stored twice
// or missing from the stream. Prints for each step what each tenant noticed. Ends with 0 when nothing is wrong.
// usage: node examples/citus/rehearse.mjs [--short] DIRECTORY   (the cluster is kept in DIRECTORY, and made there if it is missing)
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, portico, runAndUndo, startCommand } from '../shared.mjs';
import { startNode, stopNode } from '../two-nodes/node.mjs';
import { startCluster } from './cluster.mjs';
import { TenantLoad } from './load.mjs';

await (await import('../node-24.mjs')).useNode24();
/** How long a server is down, and how long the recovery may take before it counts as a fault. Milliseconds. */
const DOWN_MS = 5_000;
const RECOVERY_MS = 60_000;
/** How long a worker does not answer: longer than a request may take. Milliseconds. */
const SILENT_MS = 30_000;

const short = process.argv.includes('--short');
const directory = process.argv.slice(2).find((word) => !word.startsWith('--'));
if (!directory) {
  console.error('usage: node examples/citus/rehearse.mjs [--short] DIRECTORY');
  process.exit(2);
}
const undo = [];
const faults = [];
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

async function until(what, condition) {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > RECOVERY_MS) {
      faults.push(`${what} did not happen within ${seconds(RECOVERY_MS)}`);
      return undefined;
    }
    await sleep(100);
  }
  return performance.now() - started;
}

async function rehearse() {
  mkdirSync(directory, { recursive: true });
  const cluster = await startCluster(directory);
  undo.push(() => cluster.stop());
  const [coordinator, first, second] = cluster.nodes;
  const database = `rehearsal_${randomBytes(4).toString('hex')}`;
  const url = await cluster.create(database);
  undo.push(async () => {
    await cluster.start();
    await cluster.drop(database);
  });
  const work = mkdtempSync(join(tmpdir(), 'portico-citus-'));
  undo.push(async () => rmSync(work, { recursive: true, force: true }));
  const metricsPort = await freePort();
  const settings = {
    // Few shards: distributing takes a moment for each.
    DATABASE_URL: `${url}?options=${encodeURIComponent('-c citus.shard_count=4')}`,
    PORTICO_DATABASE_SCOPE: 'transaction',
    PORTICO_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    PORTICO_DATA_DIR: join(work, 'data'),
    PORTICO_FILES_DIR: join(work, 'files'),
    PORTICO_METRICS_PORT: String(metricsPort),
    PORTICO_DRAIN_MS: '0',
  };

  const move = async (tenant, to) => {
    for (const line of (await portico(settings, 'admin', 'tenant', 'move', tenant, '--to', to.name)).split('\n'))
      console.log(`    ${line}`);
  };

  const names = ['alpha', 'beta', 'gamma'];
  const keys = {};
  for (const name of names) {
    await portico(
      settings,
      'admin',
      'tenant',
      'create',
      name,
      '--host',
      `${name}.test`,
      '--admin-email',
      `ada@${name}.test`,
    );
    const out = join(work, `${name}.json`);
    await portico(
      settings,
      ...['admin', 'service-account', 'create', '--tenant', name, '--name', 'Load', '--admin'],
      ...['--role', 'manager', '--all-communities', '--out', out],
    );
    keys[name] = JSON.parse(readFileSync(out, 'utf8'));
  }
  const nodeOf = async (tenant) =>
    JSON.parse(await portico(settings, 'admin', 'nodes', 'list', '-o', 'json')).tenants.find(
      (one) => one.tenant === tenant,
    ).node;
  // Each worker holds a tenant in shards of its own; the third tenant shares the shards that its id falls into.
  await move('alpha', first);
  await move('beta', second);
  const node = await startNode('Portico', settings);
  undo.push(() => stopNode(node));
  const port = Number(new URL(node.origin).port);
  const tenants = names.map((name) => new TenantLoad(name, port, keys[name]));
  for (const tenant of tenants) await tenant.prepare();
  for (const tenant of tenants) tenant.start();
  undo.push(async () => {
    for (const tenant of tenants) tenant.close();
  });

  const ready = async () => {
    const answer = await fetch(`${node.origin}/readyz`);
    return { ...(await answer.json()), status: answer.status };
  };
  const isUp = async ({ name }) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return text.includes(`portico_db_worker_up{worker="${name}"} 1`);
  };

  /** Does one step, and prints what each tenant noticed from its beginning until all of them write again. */
  const step = async (title, work, unaffected = []) => {
    const begun = performance.now();
    console.log(title);
    await work();
    const ended = performance.now();
    for (const tenant of tenants)
      await until(`a write of ${tenant.name}`, () => [...tenant.acknowledged.values()].at(-1) > ended);
    const now = performance.now();
    for (const { name, acknowledged, refused } of tenants) {
      const times = [begun, ...[...acknowledged.values()].filter((at) => at > begun), now];
      const pause = Math.max(...times.slice(1).map((at, index) => at - times[index]));
      const failed = refused.filter(({ at }) => at > begun);
      const after = times.find((at) => at > ended) - ended;
      console.log(
        `    ${name}: ${times.length - 2} writes, ${failed.length} refused, longest pause ${seconds(pause)}, first write ${seconds(after)} after`,
      );
      if (unaffected.includes(name) && failed.length > 0)
        faults.push(`${title}: ${name} was refused ${failed.length} times`);
    }
  };
  /** A worker ends and is started again: only its tenants notice. */
  const worker = (how, one, signal) => async () => {
    const affected = [];
    for (const name of names) if ((await nodeOf(name)) === one.name) affected.push(name);
    const others = names.filter((name) => !affected.includes(name));
    await step(
      `The worker ${one.name} is ${how} (${affected.join(', ')})`,
      async () => {
        await cluster.end(one, signal);
        const noticed = await until('/readyz naming the worker', async () =>
          (await ready()).workersAway?.includes(one.name),
        );
        if (noticed !== undefined) console.log(`    /readyz named it after ${seconds(noticed)}`);
        if ((await ready()).status !== 200) faults.push('/readyz was not 200 while a worker was away');
        await until('the metric at 0', async () => !(await isUp(one)));
        await sleep(DOWN_MS);
        await cluster.start();
        await cluster.answers(one, database);
      },
      others,
    );
    await until('/readyz without workersAway', async () => !(await ready()).workersAway);
    await until('the metric at 1', () => isUp(one));
  };
  /** A worker that accepts connections and answers nothing. */
  const silentWorker = (one) => async () => {
    const affected = [];
    for (const name of names) if ((await nodeOf(name)) === one.name) affected.push(name);
    const others = names.filter((name) => !affected.includes(name));
    await step(
      `The worker ${one.name} is silent for ${seconds(SILENT_MS)} (${affected.join(', ')})`,
      async () => {
        for (const tenant of tenants) tenant.slowest = 0;
        cluster.suspend(one);
        const noticed = await until('/readyz naming the worker', async () =>
          (await ready()).workersAway?.includes(one.name),
        );
        if (noticed !== undefined) console.log(`    /readyz named it after ${seconds(noticed)}`);
        await sleep(SILENT_MS - (noticed ?? 0));
        for (const { name, slowest } of tenants)
          console.log(`    ${name}: the slowest answer took ${seconds(slowest)}`);
        cluster.suspend(one, 'SIGCONT');
      },
      others,
    );
    await until('/readyz without workersAway', async () => !(await ready()).workersAway);
  };
  const coordinatorEnds = (how, signal) => () =>
    step(`The coordinator is ${how}`, async () => {
      await cluster.end(coordinator, signal);
      await until('/readyz at 503', async () => (await ready()).status === 503);
      await cluster.start();
      await cluster.answers(coordinator, database);
    });
  const other = async (tenant) => ((await nodeOf(tenant)) === first.name ? second : first);
  const moveSteps = (tenant) => async () => {
    const to = await other(tenant);
    await step(`${tenant} moves to ${to.name}`, () => move(tenant, to), names);
  };
  const brokenMove = (tenant) => async () => {
    const to = await other(tenant);
    await step(
      `The command that moves ${tenant} is killed, and run again`,
      async () => {
        const running = startCommand(settings, ['admin', 'tenant', 'move', tenant, '--to', to.name]);
        await until('the move', () => running.output().includes('Moving'));
        await sleep(2_000);
        running.child.kill('SIGKILL');
        await running.done;
        // The statement of the killed command ends within moments.
        await until('the second run', async () => {
          const { code, output } = await startCommand(settings, ['admin', 'tenant', 'move', tenant, '--to', to.name])
            .done;
          if (code !== 0 && !output.includes('Another command') && !output.includes('Nothing was moved'))
            faults.push(output);
          return code === 0;
        });
        if ((await nodeOf(tenant)) !== to.name) faults.push(`${tenant} is not on ${to.name}`);
      },
      names,
    );
  };
  const steps = short
    ? [moveSteps('gamma'), worker('killed', first, 'SIGKILL'), coordinatorEnds('killed', 'SIGKILL')]
    : [
        () => step('Nothing happens', () => sleep(10_000), names),
        moveSteps('gamma'),
        worker('stopped', first, 'SIGINT'),
        worker('killed', first, 'SIGKILL'),
        worker('stopped', second, 'SIGINT'),
        worker('killed', second, 'SIGKILL'),
        silentWorker(first),
        coordinatorEnds('restarted', 'SIGINT'),
        coordinatorEnds('killed', 'SIGKILL'),
        brokenMove('beta'),
        moveSteps('gamma'),
      ];
  for (const one of steps) await one();

  await Promise.all(tenants.map((tenant) => tenant.stop()));
  for (const tenant of tenants) {
    const { acknowledged, lost, doubled, missing } = await tenant.check();
    console.log(
      `${tenant.name}: acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, missing from the stream ${missing}`,
    );
    if (lost + doubled + missing > 0)
      faults.push(`${tenant.name}: lost ${lost}, doubled ${doubled}, missing from the stream ${missing}`);
    for (const fault of new Set(tenant.faults)) faults.push(`${tenant.name}: ${fault}`);
  }
  if (process.env.SHOW_LOG) console.log(node.output());
  return faults;
}

process.exit(await runAndUndo(rehearse, undo));
