import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints, parseJson, problemCodes, type Endpoint, type EndpointName } from '@connector-auth/api';
import { kinds } from '@connector-auth/connectors';
import { describeKind } from '@connector-auth/connectors/kind';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullTest } from '../../../../scripts/full-test.ts';
// @ts-expect-error -- a script for browsers, which has no types
import { findEntries } from './assets/search.js';
import { curlExample, typescriptCall } from './calls.ts';
import { describeService } from './documentation.ts';
import { callCode } from './pages/entity.ts';
import { mountDocs } from './routes.ts';
import type { IndexEntry } from './site.ts';

const run = promisify(execFile);
const serviceUrl = 'https://connect.example.com';
const paths = describeService(kinds, serviceUrl).map(({ path }) => path);

let base = '';
const server = createServer(express().use(mountDocs(kinds, serviceUrl)));
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address === 'object' && address !== null) base = `http://127.0.0.1:${address.port}`;
});
afterAll(() => server.close());

/** Returns the text of a page. */
async function read(path: string): Promise<string> {
  const response = await fetch(base + path);
  expect(response.status, path).toBe(200);
  return response.text();
}

function idsOf(text: string): string[] {
  return [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
}

const recorded = kinds.flatMap(kind =>
  describeKind(kind).entities.flatMap(({ name: entity, actions, search, searchExample }) => [
    ...actions.map(({ name, example }) => ({ kind, entity, action: name, params: example?.params })),
    ...(search === null ? [] : [{ kind, entity, action: 'search', params: searchExample?.request }]),
  ]),
);

describe('the pages of the documentation', () => {
  test('link only to pages and sections that exist, and use each id once', async () => {
    const pages = new Map(await Promise.all(paths.map(async path => [path, await read(path)] as const)));
    const broken: string[] = [];
    for (const [path, text] of pages) {
      const ids = idsOf(text);
      expect(ids.length, path).toBe(new Set(ids).size);
      for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
        if (/^(https?:|\/docs\/assets\/|\/openapi\.json$|\/llms\.txt$|\/docs[\w/-]*\.md$)/.test(href))
          continue;
        const [page = '', id] = href.split('#');
        const target = pages.get(page === '' ? path : page);
        if (target === undefined || (id !== undefined && !idsOf(target).includes(id)))
          broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('have a place for each entity, action, endpoint and error code, and the search finds it', async () => {
    // The service wrote the index.
    const index = JSON.parse(await read('/docs/search-index.json')) as IndexEntry[];
    const urls = new Set(index.map(([, , , url]) => url));
    for (const { kind, entity, action } of recorded)
      expect(urls).toContain(`/docs/kinds/${kind.key}/${entity}#${action}`);
    for (const [name, { tag }] of Object.entries(endpoints))
      expect(urls).toContain(`/docs/http/${tag.toLowerCase()}#${name}`);
    for (const code of problemCodes) expect(urls).toContain(`/docs/errors/${code}`);
    const ids = new Map<string, string[]>();
    for (const url of urls) {
      const [path = '', id] = url.split('#');
      if (!ids.has(path)) ids.set(path, idsOf(await read(path)));
      if (id !== undefined) expect(ids.get(path), url).toContain(id);
    }
  });

  test('say for list and search what shape their results have', async () => {
    const text = await read('/docs/kinds/granola/notes');
    const [, list = ''] = text.split('id="list"');
    expect(list).toContain('The <code>result</code> is an array of records');
    const [, search = ''] = text.split('id="search"');
    expect(search).toContain('The <code>result</code> is an object, <code>{data, meta}</code>');
    expect(await read('/docs/http/execute')).toContain('{data, meta}');
  });

  test('name the error codes of each endpoint', async () => {
    const text = await read('/docs/http/execute');
    expect(text).toContain('/docs/errors/reauthentication_required');
    expect(text).toContain('/docs/errors/token_expired');
    expect(text).not.toContain('/docs/errors/edit_conflict');
  });

  test('allow no inline code and no other origin, and are revalidated by their ETag', async () => {
    const response = await fetch(`${base}/docs/search`);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const ofTheme = (await fetch(`${base}/docs/appearance`)).headers.get('content-security-policy');
    expect(ofTheme).toContain(
      "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
    );
    expect(ofTheme).toContain("require-trusted-types-for 'script'; trusted-types lit-html");
    const headers = { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await fetch(`${base}/docs/search`, { headers })).status).toBe(304);
    for (const path of paths)
      expect(await read(path)).not.toMatch(
        / style=|<style|<script(?! (?:type="module" )?src="\/docs\/)| on\w+="/,
      );
  });

  test('exist as Markdown too, whose links lead to Markdown, and all of them in one file', async () => {
    const pages = new Map(
      await Promise.all(paths.map(async path => [path, await read(`${path}.md`)] as const)),
    );
    const all = await read('/llms-full.txt');
    for (const [path, text] of pages) {
      expect(text, path).toMatch(/^# \S/);
      expect(text, path).not.toMatch(/<(?:p|div|ul|li|section|span)\b|<!--/);
      expect(all, path).toContain(text);
      for (const [, target = ''] of text.matchAll(
        /\]\((?:https:\/\/connect\.example\.com)?(\/docs[^)#]*)/g,
      )) {
        expect(target, path).toMatch(/\.md$/);
        expect([...pages.keys()], path).toContain(target.slice(0, -3));
      }
    }
    expect(pages.get('/docs/kinds/granola/notes')).toContain(
      '- `page_size` (integer (1 to 30)): Notes per page.',
    );
    const response = await fetch(`${base}/docs/limits.md`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const list = await read('/llms.txt');
    for (const path of paths.filter(path => path !== '/docs'))
      expect(list).toContain(`(${serviceUrl}${path}.md)`);
  });

  test('say of each error code why it occurs, what to do and what a response looks like', async () => {
    for (const code of problemCodes) {
      const text = await read(`/docs/errors/${code}.md`);
      expect(text).toContain(`# ${code}\n`);
      for (const title of ['Cause', 'What to do', 'Example'])
        expect(text, code).toMatch(new RegExp(`## ${title}\n\n\\S`));
      expect(text, code).toMatch(/^## Example\n\n```(?:http\nHTTP|ts\n)/m);
    }
    expect(await read('/docs/errors/link_expired.md')).toContain(
      '[`POST /api/v1/integrations/connect-links/{id}/confirm`](https://connect.example.com/docs/http/links.md#confirmConnectLink)',
    );
  });

  test('are found by words of their text, guides before error codes', async () => {
    // The service wrote the index.
    const index = JSON.parse(await read('/docs/search-index.json')) as IndexEntry[];
    const find = (query: string) => (findEntries(index, query) as IndexEntry[]).map(([, , , url]) => url);
    expect(find('rate limit')[0]).toBe('/docs/limits');
    expect(find('rate limit')).toContain('/docs/errors/rate_limited');
    expect(find('rate_limited')[0]).toBe('/docs/errors/rate_limited');
    expect(find('limits')[0]).toBe('/docs/limits');
    expect(find('mcp')[0]).toMatch(/^\/docs\/agents/);
    expect(find('campaigns')[0]).toMatch(/^\/docs\/kinds\/[\w-]+\/campaigns$/);
    expect(find('notes page_size')[0]).toBe('/docs/kinds/granola/notes#list.page_size');
    expect(find('no such thing')).toEqual([]);
  });

  test('do not exist under other paths', async () => {
    for (const path of ['/docs/nothing', '/docs/nothing.md', '/docs/errors/nothing', '/docs/limits.md.md'])
      expect((await fetch(base + path)).status, path).toBe(404);
    expect((await fetch(`${base}/docs/assets/../routes.ts`)).status).toBe(404);
  });
});

/** Runs a command with a curl that prints its arguments, and returns them. */
async function argumentsOf(commands: readonly string[]): Promise<string[][]> {
  const script = [
    'curl() { printf "%s\\0" "$@"; printf "\\1\\0"; }',
    'TOKEN=token CONNECTOR_ID=connector SESSION_ID=session LINK_ID=link VERIFIER=verifier SECRET_ID=secret WEBHOOK_ID=webhook EVENT_ID=event AGENT_ID=agent SIGN_IN_ID=sign-in',
    ...commands,
  ];
  const { stdout } = await run('sh', ['-euc', script.join('\n')], { maxBuffer: 16 * 1024 * 1024 });
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map(call => call.split('\0').slice(0, -1));
}

function bodyOf(args: readonly string[]): unknown {
  return parseJson(args[args.indexOf('-d') + 1] ?? '');
}

describe('the samples', () => {
  test('show a recorded call of each action', () => {
    expect(recorded.filter(({ params }) => params === undefined)).toEqual([]);
  });

  test('for curl send the recorded params to execute', async () => {
    const sent = await argumentsOf(
      recorded.map(({ kind, ...call }) => callCode(kind, call, serviceUrl)[0]?.text ?? ''),
    );
    expect(sent).toHaveLength(recorded.length);
    for (const [index, args] of sent.entries()) {
      expect(args[0]).toBe(`${serviceUrl}/api/v1/integrations/connectors/connector/execute`);
      expect(args).toContain('Authorization: Bearer token');
      const body = bodyOf(args);
      expect(endpoints.execute.body.safeParse(body).error).toBeUndefined();
      const { entity, action, params } = recorded[index] ?? {};
      expect(body).toEqual({ entity, action, params });
    }
  });

  test('for curl match the contract', async () => {
    // The keys of the contract are its names.
    const all = Object.entries(endpoints) as unknown as [EndpointName, Endpoint][];
    const sent = await argumentsOf(all.map(([name]) => curlExample(serviceUrl, name).text));
    for (const [index, [name, { method, path, body }]] of all.entries()) {
      const args = sent[index] ?? [];
      const url = args.find(argument => argument.startsWith('https://')) ?? '';
      expect(new URL(url).pathname).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}$]+')}$`));
      expect(args.includes('-X') ? args[args.indexOf('-X') + 1] : args.includes('-d') ? 'POST' : 'GET').toBe(
        method,
      );
      if (body) expect(body.safeParse(bodyOf(args)).error, name).toBeUndefined();
    }
  });

  test('of the guides are commands that a shell can parse', async () => {
    const texts = await Promise.all(paths.map(read));
    const commands = texts.flatMap(text => codeIn(text, 'sh'));
    expect(commands.length).toBeGreaterThan(20);
    await run('sh', ['-nc', commands.join('\n')]);
  });

  test('of the mirror is the file of the example, which a test runs', async () => {
    const file = readFileSync(join(root, 'examples/postgres/mirror.ts'), 'utf8');
    expect(codeIn(await read('/docs/changes'), 'ts')[0]).toBe(file.trimEnd());
  });

  test('of a source of your own are the files of the examples, which tests run', async () => {
    const file = readFileSync(join(root, 'connectors/examples/acme-crm.ts'), 'utf8');
    const hosts = readFileSync(join(root, 'connectors/examples/customer-hosts.ts'), 'utf8');
    expect(codeIn(await read('/docs/your-own-source'), 'ts')).toEqual([file.trimEnd(), hosts.trimEnd()]);
  });

  fullTest('in TypeScript compile under strict', async () => {
    const folder = new URL('../../../.cache/', import.meta.url).pathname;
    mkdirSync(folder, { recursive: true });
    const place = mkdtempSync(join(folder, 'samples-'));
    try {
      const guides = (await Promise.all(paths.map(read))).flatMap(text => codeIn(text, 'ts'));
      const calls = recorded.map(({ kind, ...call }) => typescriptCall(serviceUrl, kind, call).text);
      const samples = [...new Set([...guides, ...calls])];
      for (const [index, text] of samples.entries()) writeFileSync(join(place, `sample-${index}.ts`), text);
      writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(strictConfiguration));
      await run(process.execPath, [tsc, '-p', place]).catch((error: unknown) => {
        throw new Error(String((error as { stdout?: string }).stdout));
      });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

const root = new URL('../../../../', import.meta.url).pathname;
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const strictConfiguration = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noUnusedLocals: false,
    paths: {
      '@connector-auth/connectors': [join(root, 'connectors/src/index.ts')],
      '@connector-auth/api/client': [join(root, 'api/src/client/index.ts')],
      '@connector-auth/server-helper': [join(root, 'server-helper/src/index.ts')],
    },
  },
  include: ['*.ts'],
};

/** Returns the samples in a page, without their colours. */
function codeIn(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`<figure data-language="${language}">.*?<code>(.*?)</code>`, 'gs'));
  return [...blocks].map(([, code = '']) =>
    code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&#x27;|&#39;/g, "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
}
