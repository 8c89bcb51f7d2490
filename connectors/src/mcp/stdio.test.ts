import { fileURLToPath } from 'node:url';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOverStdio } from './stdio.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));
const key = 'grn_sandbox_demo';

describe('connector-auth-mcp', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  // Starting the program takes most of the time, so only one revision is tested with it.
  test.each([
    ['2025', 'this process', {}],
    ['2026', 'the program', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ])('serves one source to clients of %s in %s, without search', async (_revision, place, options) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    const args = ['--kind', 'granola'];
    const env = { GRANOLA_API_KEY: key, SANDBOX_URL: sandbox.url };
    if (place === 'the program') {
      const command = ['--conditions=source', program, ...args];
      await client.connect(new StdioClientTransport({ command: process.execPath, args: command, env }));
    } else {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      expect(runOverStdio(args, env, { transport: serverEnd })).toBeNull();
      await client.connect(clientEnd);
    }
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_sources', 'describe', 'read']);
    const listed = await client.callTool({ name: 'list_sources', arguments: {} });
    expect(listed.structuredContent).toMatchObject({
      connections: [{ connector_id: 'granola', state: 'connected' }],
    });
    const target = { connector_id: 'granola', entity: 'notes', action: 'list' };
    const read = await client.callTool({ name: 'read', arguments: { ...target, fields: ['id'] } });
    const { records, next_cursor } = read.structuredContent as { records: unknown[]; next_cursor: string };
    expect(records).toHaveLength(10);
    const more = await client.callTool({ name: 'read', arguments: { ...target, cursor: next_cursor } });
    expect(JSON.stringify([listed, read, more])).not.toContain(key);
    const wrong = await client.callTool({ name: 'read', arguments: { ...target, connector_id: 'gong' } });
    expect(wrong).toMatchObject({ isError: true });
    await client.close();
  });

  test('sends credentials to a sandbox only on this machine', () => {
    for (const url of ['https://sandbox.example.com', 'http://localhost.example.com', 'localhost:8788']) {
      expect(runOverStdio(['--kind', 'granola'], { GRANOLA_API_KEY: key, SANDBOX_URL: url })).toBe(
        'SANDBOX_URL must be a localhost URL, because the sandbox receives credentials',
      );
    }
  });

  test('says which credentials are missing', () => {
    expect(runOverStdio(['--kind', 'granola'], {})).toContain(
      'Set the credentials in the environment: GRANOLA_API_KEY',
    );
    expect(runOverStdio(['--kind', 'nowhere'], {})).toContain('Usage: connector-auth-mcp --kind <gong|');
    expect(runOverStdio(['--surprise'], {})).toContain('--surprise');
  });
});
