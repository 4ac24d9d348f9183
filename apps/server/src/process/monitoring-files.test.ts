/** Figures that the dashboard, the alert rules and the documents name exist, and the documents name all of them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from './metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const NAME = /\b(?:portico|process|nodejs)_[a-z0-9_]+/g;
const SUFFIX = /_(?:bucket|count|sum)$/;

/** Names of all figures. */
async function figures(): Promise<Set<string>> {
  const metrics = new Metrics();
  metrics.watchProcess({ pool: () => ({ total: 0, idle: 0, waiting: 0, cancelled: 0 }) });
  metrics.watchLive(() => 0);
  metrics.watchNode({
    workers: () => [],
    streamLag: async () => ({ pending: 0, oldestSeconds: 0 }),
    files: async () => [],
    mails: async () => [],
    backupAge: async () => 0,
    installation: async () => [],
    onError: () => undefined,
  });
  return new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name));
}

test('the dashboard and the alert rules name figures that exist', async () => {
  const known = await figures();
  const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const rules = parse(read('deploy/monitoring/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const expressions = [
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const)),
  ];
  expect(expressions.length).toBeGreaterThan(40);
  for (const [where, expression] of expressions) {
    const names = expression.match(NAME) ?? [];
    if (!expression.includes('up{')) expect(names, where).not.toEqual([]);
    for (const name of names) expect(known, `${where}: ${name}`).toContain(name.replace(SUFFIX, ''));
  }
});

test('the documents describe every figure of Portico, and no other', async () => {
  const known = [...(await figures())].filter((name) => name.startsWith('portico_')).sort();
  const [, table = ''] = /\| figure \|([\s\S]*?)\n\n/.exec(read('docs/operating/watch.md')) ?? [];
  const described = [...table.matchAll(/`(portico_\w+)`/g)].map(([, name]) => name);
  expect(described.sort()).toEqual(known);
});
