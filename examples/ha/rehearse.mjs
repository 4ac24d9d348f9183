// Breaks one machine after the other while clients write, read and follow, and counts what was lost. Prints a row per fault;
// ends with 0 when nothing was lost, written twice or missing from the stream and no answer was wrong.
// usage: node examples/ha/rehearse.mjs [--rounds N] [--patroni DIRECTORY] [FAULT…]   (what is needed: README.md beside it)
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAndUndo } from '../shared.mjs';
import { makeLoad } from './load.mjs';
import { MEMBERS, makeMachines, NODES, until, wait } from './machines.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '1' }, patroni: { type: 'string', default: '' } },
});
const directory = mkdtempSync(join(tmpdir(), 'portico-ha-'));
const machines = makeMachines({ directory, patroni: values.patroni });

/** Longer than ttl in patroni.yml. Milliseconds. */
const BEYOND_TTL = 28_000;
/** Longer than loop_wait. Milliseconds. */
const LOOP = 6_000;
const newLeader = (old) =>
  until('a new leader', 90, async () => {
    const leader = await machines.leader();
    return leader !== undefined && leader !== old && leader;
  });
const others = (member) => MEMBERS.filter((name) => name !== member);

/** Each fault breaks something, waits until it has had its effect, and repairs what a service manager would repair. */
const faults = {
  'PostgreSQL of the leader killed': async (leader) => {
    const killed = machines.postmaster(leader);
    machines.signal(`postgresql ${leader}`, 'SIGKILL');
    // Patroni starts it again, or another member takes over: whichever comes first.
    return until('a leader', 90, async () => {
      const now = await machines.leader();
      return now !== undefined && ![undefined, killed].includes(machines.postmaster(now)) && now;
    });
  },
  'Patroni of the leader killed': async (leader) => {
    machines.signal(`patroni ${leader}`, 'SIGKILL');
    const next = await newLeader(leader);
    machines.startPatroni(leader);
    return next;
  },
  'both killed': async (leader) => {
    machines.signal(`patroni ${leader}`, 'SIGKILL');
    machines.signal(`postgresql ${leader}`, 'SIGKILL');
    const next = await newLeader(leader);
    machines.startPatroni(leader);
    return next;
  },
  'Patroni of the leader stopped beyond ttl': async (leader) => {
    machines.signal(`patroni ${leader}`, 'SIGSTOP');
    await wait(BEYOND_TTL);
    machines.signal(`patroni ${leader}`, 'SIGCONT');
    return until('a leader', 90, () => machines.leader());
  },
  'a majority of etcd away': async (leader) => {
    for (const member of others(leader)) machines.signal(`etcd ${member}`, 'SIGSTOP');
    await wait(BEYOND_TTL);
    for (const member of others(leader)) machines.signal(`etcd ${member}`, 'SIGCONT');
    return until('a leader', 90, () => machines.leader());
  },
  'a node of Portico killed': async (leader) => {
    machines.signal('node-2', 'SIGKILL');
    await wait(2_000);
    await machines.startNode('node-2');
    return leader;
  },
  'a planned switchover': async (leader) => {
    machines.patronictl('switchover', '--leader', leader, '--candidate', await synchronous(), '--force', 'portico');
    return newLeader(leader);
  },
  'a member rebuilt': async (leader) => {
    machines.patronictl('reinit', 'portico', others(leader)[0], '--force');
    return leader;
  },
};

async function synchronous() {
  const members = JSON.parse(machines.patronictl('list', '-f', 'json').toString());
  return members.find(({ Role }) => Role === 'Sync Standby').Member;
}

/** Waits until the cluster is healthy and still is after one loop of Patroni, so that faults do not overlap. */
async function settled() {
  await until('one leader and two standbys', 180, async () => {
    if (!(await machines.healthy())) return false;
    await wait(LOOP);
    return machines.healthy();
  });
}

async function rehearse(load, name) {
  const leader = await machines.leader();
  await load.start();
  await wait(3_000);
  const begun = Date.now();
  const next = await faults[name](leader);
  const answered = Date.now();
  // A write that began after the leader answered: the first one may have been sent before.
  const first = await until('an acknowledged write', 90, () => load.firstAfter(next === leader ? begun : answered));
  await settled();
  const result = await load.end();
  const { lost, doubled, missing, wrong, secondsWithoutWrites } = result;
  const firstWrite =
    next === leader ? '' : `, first write ${((first - answered) / 1000).toFixed(1)} s after the new leader`;
  console.log(
    `${name}: lost ${lost}, doubled ${doubled}, missing from the stream ${missing}, wrong answers ${wrong.length}, ` +
      `${secondsWithoutWrites.toFixed(1)} s without writes${firstWrite} ` +
      `(${result.unavailable} answers 503, ${result.broken} broken connections, ${result.acknowledged} writes in all)`,
  );
  for (const answer of wrong.slice(0, 5)) console.log(`  ${answer}`);
  return lost + doubled + missing + wrong.length;
}

async function run() {
  const names = positionals.length > 0 ? positionals : Object.keys(faults);
  for (const name of names)
    if (!faults[name]) throw new Error(`no fault "${name}"; there are: ${Object.keys(faults).join(', ')}`);
  console.log('Three members of etcd and Patroni, HAProxy and two nodes on loopback addresses');
  await machines.startDatabase();
  for (const node of NODES) await machines.startNode(node);
  const key = JSON.parse(readFileSync(join(directory, NODES[0], 'data', 'demo-service-account.json'), 'utf8'));
  const load = await makeLoad({ origins: NODES.map((node) => machines.origin(node)), key });
  const found = [];
  for (let round = 0; round < Number(values.rounds); round++)
    for (const name of names) if ((await rehearse(load, name)) > 0) found.push(name);
  load.close();
  return found;
}

const exitCode = await runAndUndo(
  () =>
    run().catch((error) => {
      for (const member of MEMBERS) console.error(`${member}: ${machines.output(`patroni ${member}`)}`);
      throw error;
    }),
  [() => rmSync(directory, { recursive: true, force: true }), () => machines.stop()],
);
process.exit(exitCode);
