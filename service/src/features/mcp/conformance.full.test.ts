import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as send, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

const current = '2026-07-28';
const previous = '2025-11-25';

/** The scenarios of the official suite that apply to a server without sessions that only has tools. */
const applicable = [
  { scenario: 'server-initialize', revision: previous },
  { scenario: 'ping', revision: previous },
  { scenario: 'tools-list', revision: previous },
  { scenario: 'tools-list', revision: current },
  { scenario: 'dns-rebinding-protection', revision: previous },
  { scenario: 'dns-rebinding-protection', revision: current },
  { scenario: 'server-stateless', revision: current },
  { scenario: 'server-sse-multiple-streams', revision: current },
  { scenario: 'http-header-validation', revision: current },
  { scenario: 'caching', revision: current },
  { scenario: 'sep-2164-resource-not-found', revision: current },
  { scenario: 'input-required-result-unsupported-methods', revision: current },
  { scenario: 'input-required-result-validate-input', revision: current },
];

const needsReferenceTool = 'Calls a tool of the reference server.';
const noSubscriptions = 'No list changes while a client is connected, so there are no subscriptions.';

/** Why single checks of these scenarios fail. A check that fails and is not listed fails the test, and so does one that passes. */
const notApplicableChecks: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': needsReferenceTool,
  'sep-2575-missing-capability-http-400': needsReferenceTool,
  'sep-2575-http-server-no-independent-requests-on-stream': needsReferenceTool,
  'sep-2575-server-no-log-without-loglevel': needsReferenceTool,
  'sep-2575-server-sends-subscription-ack': noSubscriptions,
  'sep-2575-server-tags-subscription-id': noSubscriptions,
  'sep-2549-prompts-list-caching-hints': 'There are no prompts.',
  'sep-2549-resources-list-caching-hints': 'There are no resources.',
  'sep-2549-resources-templates-list-caching-hints': 'There are no resources.',
};

/** Why the other scenarios do not apply. A scenario that is in neither list fails the test. */
const notApplicable: Readonly<Record<string, string>> = {
  'server-session-lifecycle': 'The server has no sessions.',
  'logging-set-level': 'The server sends no log messages.',
  'completion-complete': 'Nothing to complete: there are no prompts and no resources.',
  'json-schema-2020-12': `${needsReferenceTool} Our schemas are plain 2020-12.`,
  'server-sse-polling': `${needsReferenceTool} It also needs resumable streams.`,
  'elicitation-sep*': 'No tool asks the user for a form.',
  'tools-call-*': `${needsReferenceTool} \`mcp.test.ts\` calls ours.`,
  'resources-*': 'There are no resources.',
  'prompts-*': 'There are no prompts.',
  'http-custom-header-server-validation': 'No parameter of a tool is sent as a header.',
  'input-required-result-*': `${needsReferenceTool} \`connect.test.ts\` has the input that ours asks for.`,
  'tasks-*': 'An extension that the server does not offer.',
  'sep-2640-skills-*': 'An extension that the server does not offer.',
};

const run = promisify(execFile);
const conformance = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

onPostgresOrEachEngineInFull('the conformance suite', database => {
  let service: TestService;
  let proxy: Server;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'connector-auth-conformance-'));
    let forwardTo = '';
    let token = '';
    // The suite sends no token, so this proxy adds it.
    proxy = createServer((request, response) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const forwarded = send(
        new URL(request.url ?? '/', forwardTo),
        { method: request.method, headers },
        from => {
          response.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(response);
        },
      );
      request.pipe(forwarded);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
    url = `http://localhost:${address.port}`;
    service = await startTestService(database(), { kinds: bothKinds, publicUrl: url });
    forwardTo = service.url;
    const application = await service.tokenOf(await service.addApplication('own', ['Own']));
    token = await service.customerToken(application, { customer_name: 'acme' });
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  test.each(applicable)('passes $scenario of $revision', async ({ scenario, revision }) => {
    const failed = await failedChecks(scenario, revision);
    expect(failed.filter(id => notApplicableChecks[id] === undefined)).toEqual([]);
  });

  test('fails each check that is said not to apply', async () => {
    const scenarios = ['server-stateless', 'caching'];
    const failed = await Promise.all(scenarios.map(scenario => failedChecks(scenario, current)));
    expect(failed.flat().toSorted()).toEqual(Object.keys(notApplicableChecks).toSorted());
  });

  test('covers every scenario of the suite, or says why it does not apply', async () => {
    const { stdout } = await run(process.execPath, [conformance, 'list', '--server'], { cwd: folder });
    const known = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
    const tested = applicable.map(({ scenario }) => scenario);
    expect(known).toEqual(expect.arrayContaining(tested));
    const explained = Object.keys(notApplicable).map(name => new RegExp(`^${name.replace('*', '.*')}$`));
    const others = known.filter(name => !tested.includes(name));
    expect(others.filter(name => !explained.some(pattern => pattern.test(name)))).toEqual([]);
  });
  /** Runs a scenario and returns the ids of the checks that failed. */
  async function failedChecks(scenario: string, revision: string): Promise<string[]> {
    const results = await mkdtemp(join(folder, 'results-'));
    const args = [conformance, 'server', '--url', `${url}/mcp`, '-o', results];
    // It exits with 1 if a check fails.
    await run(process.execPath, [...args, '--scenario', scenario, '--spec-version', revision]).catch(
      ({ code }: { code?: unknown }) => expect(code).toBe(1),
    );
    const files = await readdir(results, { recursive: true });
    const file = files.find(name => name.endsWith('checks.json')) ?? '';
    const checks = JSON.parse(await readFile(join(results, file), 'utf8')) as {
      id: string;
      status: string;
    }[];
    const count = (status: string) => checks.filter(check => check.status === status);
    expect(count('SUCCESS')).not.toEqual([]);
    return count('FAILURE').map(({ id }) => id);
  }
});
