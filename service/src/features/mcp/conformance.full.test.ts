import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { bothKinds } from '../../../test/second-kind.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';

/** The scenarios of the official suite that apply to a server without sessions that only has tools. */
const applicable = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

/** Why the other scenarios do not apply. A scenario that is in neither list fails the test. */
const notApplicable: Readonly<Record<string, string>> = {
  'logging-set-level': 'The server sends no log messages.',
  'completion-complete': 'Nothing to complete: there are no prompts and no resources.',
  'json-schema-2020-12': 'Calls a tool of the reference server; our schemas are plain 2020-12.',
  'server-sse-polling': 'Calls a tool of the reference server, and needs resumable streams.',
  'server-sse-multiple-streams': 'Calls a tool of the reference server.',
  'elicitation-sep1034-defaults': 'No tool asks the user for a form.',
  'elicitation-sep1330-enums': 'No tool asks the user for a form.',
  'tools-call-*': 'Calls tools of the reference server. `mcp.test.ts` calls ours.',
  'resources-*': 'There are no resources.',
  'prompts-*': 'There are no prompts.',
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

  test.each(applicable)('passes %s', async scenario => {
    const args = [conformance, 'server', '--url', `${url}/mcp`, '--scenario', scenario];
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`);
      },
    );
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });

  test('covers every scenario of the suite, or says why it does not apply', async () => {
    const { stdout } = await run(process.execPath, [conformance, 'list', '--server'], { cwd: folder });
    const known = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
    expect(known).toEqual(expect.arrayContaining(applicable));
    const explained = Object.keys(notApplicable).map(name => new RegExp(`^${name.replace('*', '.*')}$`));
    const others = known.filter(name => !applicable.includes(name));
    expect(others.filter(name => !explained.some(pattern => pattern.test(name)))).toEqual([]);
  });
});
