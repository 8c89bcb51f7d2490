import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWidget, type WidgetFiles } from './widget-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'connector-auth-widget-'));
const server = createServer();
let widget: WidgetFiles;
let url: string;
beforeAll(async () => {
  mkdirSync(join(folder, 'languages'));
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'connector-auth.js'), 'register()');
  writeFileSync(join(folder, 'connector-auth.js.br'), brotliCompressSync('register()'));
  writeFileSync(join(folder, 'connector-auth.js.map'), '{}');
  writeFileSync(join(folder, 'languages/de.js'), 'export const messages = []');
  writeFileSync(join(folder, 'chunks/steps.js'), 'secret');
  widget = serveWidget(folder);
  server.on('request', express().use(widget.router)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('serves the script, compressed if possible, and its languages, which browsers may keep', async () => {
  for (const [path, content] of [
    [widget.scriptPath, 'register()'],
    [widget.scriptPath.replace('connector-auth', 'languages/de'), 'export const messages = []'],
  ] as const) {
    const response = await fetch(`${url}${path}`);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(content);
  }
  const { headers } = await fetch(`${url}${widget.scriptPath}`, { headers: { 'accept-encoding': 'br' } });
  expect(headers.get('content-encoding')).toBe('br');
});

test('serves no other file, and no other version', async () => {
  const base = widget.scriptPath.replace('connector-auth.js', '');
  for (const path of [
    `${base}connector-auth.js.map`,
    `${base}chunks/steps.js`,
    `${base}%2e%2e/package.json`,
    `${base}${encodeURIComponent('../package.json')}`,
    '/connect/assets/other/connector-auth.js',
    '/connect/assets/connector-auth.js',
  ]) {
    expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  }
});

test('changes the path of the script with each of its files', () => {
  writeFileSync(join(folder, 'languages/de.js'), 'export const messages = [1]');
  expect(serveWidget(folder).scriptPath).not.toBe(widget.scriptPath);
});
