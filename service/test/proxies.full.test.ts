/** Runs the sample configurations of `deploy/` with the programs that they are for, in front of the service. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { makeCertificate } from './certificate.ts';
import { runCommand } from './command-process.ts';
import { makeDatabase, type TestDatabase } from './engines.ts';
import { freePort } from './postgres.ts';
import { requirePrograms } from './programs.ts';
import { application, environmentOf, startServiceProcess, type ServiceProcess } from './service-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const deploy = join(import.meta.dirname, '../../deploy');
const folder = mkdtempSync(join(tmpdir(), 'connector-auth-proxy-'));
const certificate = join(folder, 'localhost.crt');
const key = join(folder, 'localhost.key');
const programs = { caddy: '/usr/bin/caddy', nginx: '/usr/sbin/nginx' };

beforeAll(() => {
  requirePrograms(programs);
  makeCertificate('localhost', { certificate, key });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The ports of a proxy, and those behind it. */
interface Ports {
  readonly http: number;
  readonly https: number;
  readonly upstream: number;
}

/** Starts Caddy with the sample. What the test adds are ports and a certificate, and no installation of a root certificate. */
function startCaddy({ http, https, upstream }: Ports): ChildProcess {
  const config = join(folder, `Caddyfile-${https}`);
  const sample = readFileSync(join(deploy, 'Caddyfile'), 'utf8');
  const opening = `} {\n\treverse_proxy`;
  expect(sample).toContain(opening);
  writeFileSync(
    config,
    `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n}\n` +
      sample.replace(opening, `} {\n\ttls ${certificate} ${key}\n\treverse_proxy`),
  );
  return spawn(programs.caddy, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SITE_ADDRESS: `https://localhost:${https}`,
      SERVICE_ADDRESSES: `127.0.0.1:${upstream}`,
    },
    stdio: 'ignore',
  });
}

/** Starts nginx with the sample. What the test replaces are ports, the name and the paths of the certificate. */
function startNginx({ http, https, upstream }: Ports): ChildProcess {
  const site = join(folder, `site-${https}.conf`);
  const config = join(folder, `nginx-${https}.conf`);
  const changes: readonly (readonly [string, string])[] = [
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['server 127.0.0.1:8787 ', `server 127.0.0.1:${upstream} `],
    ['  server 127.0.0.1:8788 max_fails=1 fail_timeout=5s;\n', ''],
    ['/etc/ssl/connect.example.com.crt', certificate],
    ['/etc/ssl/connect.example.com.key', key],
    ['https://connect.example.com$request_uri', `https://localhost:${https}$request_uri`],
    ['server_name connect.example.com', 'server_name localhost'],
    ['server_name connect.example.com', 'server_name localhost'],
  ];
  let text = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  for (const [before, after] of changes) {
    expect(text).toContain(before);
    text = text.replace(before, after);
  }
  writeFileSync(site, text);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    config,
    // The processes that serve requests otherwise cannot enter the folder, if the tests run as root.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}pid ${folder}/nginx-${https}.pid; events {} http { ${temporary.join(' ')} include ${site}; }`,
  );
  return spawn(programs.nginx, ['-c', config, '-e', join(folder, 'nginx.log'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  });
}

describe.each([
  ['Caddy', startCaddy],
  ['nginx', startNginx],
])('behind %s', (_name, start) => {
  const started: ChildProcess[] = [];
  let agent: Agent;
  let place: TestDatabase;
  let service: ServiceProcess;
  let environment: Record<string, string | undefined>;
  let direct: string;
  let url: string;
  let httpUrl: string;

  /** Starts the proxy in front of a port of this machine, and returns its URL when it accepts connections. */
  async function startProxy(upstream: number): Promise<{ https: string; http: string }> {
    const [http, https] = [await freePort(), await freePort()];
    const proxy = start({ http, https, upstream });
    started.push(proxy);
    const address = `https://localhost:${https}`;
    await vi.waitFor(() => request(`${address}/healthz`, { dispatcher: agent }), {
      timeout: 60_000,
      interval: 100,
    });
    return { https: address, http: `http://localhost:${http}` };
  }

  beforeAll(async () => {
    agent = new Agent({ connect: { ca: readFileSync(certificate, 'utf8') } });
    place = await makeDatabase('postgres');
    const port = await freePort();
    ({ https: url, http: httpUrl } = await startProxy(port));
    environment = {
      ...environmentOf(place.location),
      ...application,
      BOOTSTRAP_CLIENT_SECRET: 'a-long-secret-for-the-tests-of-proxies',
      PORT: String(port),
      PUBLIC_URL: url,
      TRUSTED_PROXIES: '1',
      NODE_EXTRA_CA_CERTS: certificate,
    };
    direct = `http://127.0.0.1:${port}`;
    service = startServiceProcess(environment);
    await service.url;
    // Health checks of the proxy have to succeed first.
    await vi.waitFor(
      async () => expect((await request(`${url}/healthz`, { dispatcher: agent })).statusCode).toBe(200),
      { timeout: 60_000, interval: 100 },
    );
  });
  afterAll(async () => {
    for (const child of [...started, service?.child]) {
      if (!child) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await agent?.close();
    await place?.remove();
  });

  test('doctor finds that clients cannot choose the address that limits count them by', async () => {
    const { stdout } = await runCommand(['doctor', '--json'], environment);
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; state: string; message: string }[];
    };
    expect(findings.filter(({ check }) => ['public url', 'proxies'].includes(check))).toEqual([
      expect.objectContaining({ state: 'ok', message: `${url} is reachable.` }),
      expect.objectContaining({
        state: 'ok',
        message: 'TRUSTED_PROXIES is 1, and a request through PUBLIC_URL passes 1 proxies.',
      }),
    ]);
  });

  test('redirects http to https with the path and query', async () => {
    const { statusCode, headers } = await request(`${httpUrl}/docs?x=1`);
    expect([statusCode, headers['location']]).toEqual([308, `${url}/docs?x=1`]);
  });

  test.each([
    '/',
    '/console',
    '/docs',
    '/healthz',
    '/api/v1/integrations/connectors',
    '/oauth/callback/gong?code=x',
  ])('%s has the security headers of the service, each once', async path => {
    const names = [
      'content-security-policy',
      'strict-transport-security',
      'x-content-type-options',
      'x-frame-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'cache-control',
      'content-type',
    ];
    const through = await request(`${url}${path}`, { dispatcher: agent });
    const without = await request(`${direct}${path}`);
    await Promise.all([through.body.dump(), without.body.dump()]);
    expect(through.statusCode).toBe(without.statusCode);
    for (const name of names) expect([name, through.headers[name]]).toEqual([name, without.headers[name]]);
    expect(through.headers['content-security-policy']).toEqual(expect.any(String));
    expect(through.headers['strict-transport-security']).toContain('max-age');
    expect(String(through.headers['server'] ?? '')).not.toMatch(/\d/);
    expect(through.headers['x-powered-by']).toBeUndefined();
  });

  test('pages work in a browser without a violation of their policy', async () => {
    const browser = await chromium.launch(chromiumLaunchOptions());
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      const problems: string[] = [];
      page.on('console', message => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', error => problems.push(error.message));
      await page.goto(`${url}/console`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // Without a session, the console asks the service, which rejects the request.
      expect(problems.filter(text => !text.includes('status of 401'))).toEqual([]);
      problems.length = 0;
      await page.goto(`${url}/docs`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('the service explains that a request body is too large', async () => {
    const { statusCode, body } = await request(`${url}/api/v1/account/applications/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: 'x'.repeat(20_000) }),
      dispatcher: agent,
    });
    expect([statusCode, await body.json()]).toEqual([
      413,
      expect.objectContaining({ code: expect.any(String) }),
    ]);
  });

  test('each part of a streamed response arrives before the next one is sent', async () => {
    const finish = Promise.withResolvers<void>();
    const upstream = createServer(streamInTwoParts(finish.promise)).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    try {
      const proxy = await startProxy((upstream.address() as AddressInfo).port);
      const { body } = await vi.waitFor(
        async () => {
          const response = await request(`${proxy.https}/stream`, { dispatcher: agent });
          expect(response.statusCode).toBe(200);
          return response;
        },
        { timeout: 60_000, interval: 100 },
      );
      const parts: string[] = [];
      for await (const part of body) {
        parts.push(String(part));
        finish.resolve();
      }
      expect(parts).toEqual(['first\n', 'second\n']);
    } finally {
      upstream.closeAllConnections();
      upstream.close();
    }
  });
});

/** Sends a second part only after the client received the first one. */
function streamInTwoParts(isFirstRead: Promise<void>): RequestListener {
  return (asked, response) => {
    response.setHeader('content-type', 'application/x-ndjson');
    if (asked.url !== '/stream') return void response.end();
    response.write('first\n');
    void isFirstRead.then(() => response.end('second\n'));
  };
}
