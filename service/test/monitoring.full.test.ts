/** The alerts and the dashboard in `deploy` use metrics that the service has, and the documentation explains them. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeDatabase, type TestDatabase } from './engines.ts';
import { environmentOf, startServiceHere, type ServiceHere } from './service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const run = promisify(execFile);

let place: TestDatabase;
let service: ServiceHere;
let metrics: ReadonlySet<string>;
beforeAll(async () => {
  place = await makeDatabase('postgres');
  service = await startServiceHere(environmentOf(place.location));
  const text = await (await fetch(`${service.url}/metrics`)).text();
  metrics = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
});
afterAll(async () => {
  await service.close();
  await place.remove();
});

/** Returns the metrics in PromQL, without the suffixes of histograms. */
function metricsIn(text: string): readonly string[] {
  const names = text.match(/\b(?:connector_auth|process|nodejs)_[a-z_]+/g) ?? [];
  return names.map(name => name.replace(/_(?:bucket|sum|count)$/, ''));
}

async function alertsIn(path: string, key: 'alert' | 'alertname'): Promise<readonly string[]> {
  return [...(await read(path)).matchAll(new RegExp(`^ *- ${key}: (\\S+)$`, 'gm'))].map(
    ([, name = '']) => name,
  );
}

test('promtool accepts the alerts, and each one fires and does not fire as its test says', async () => {
  const cwd = fileURLToPath(new URL('deploy/prometheus/', root));
  expect((await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd })).stdout).toContain('SUCCESS');
  expect((await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd })).stdout).toContain('SUCCESS');
  const tests = await read('deploy/prometheus/alerts.test.yml');
  for (const alert of await alertsIn('deploy/prometheus/alerts.yml', 'alert')) {
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n +- exp_labels`));
  }
});

test('the page has the first step for each alert, to which the alert links', async () => {
  const page = await read('docs/what-to-watch.md');
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(await alertsIn('deploy/prometheus/alerts.yml', 'alert'));
  const links = [...(await read('deploy/prometheus/alerts.yml')).matchAll(/what-to-watch\.md#(\S+)$/gm)];
  expect(links.map(([, anchor]) => anchor)).toEqual(headings.map(name => name?.toLowerCase()));
});

test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/dashboard.json', 'docs/what-to-watch.md'])(
  '%s uses only metrics that a service has',
  async path => {
    const used = metricsIn(await read(path));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(name => !metrics.has(name))).toEqual([]);
  },
);

test('the dashboard shows the metrics of the service, each panel with a query and a unit', async () => {
  const { panels } = JSON.parse(await read('deploy/grafana/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[]; fieldConfig: { defaults: { unit: string } } }[];
  };
  for (const { title, targets, fieldConfig } of panels) {
    expect(metricsIn(targets.map(({ expr }) => expr).join(' ')).length, title).toBeGreaterThan(0);
    expect(fieldConfig.defaults.unit, title).not.toBe('');
  }
});

test('the README of the service explains each of its metrics', async () => {
  const documented = new Set(metricsIn(await read('service/README.md')));
  const own = [...metrics].filter(name => name.startsWith('connector_auth_'));
  expect(own.filter(name => !documented.has(name))).toEqual([]);
});
