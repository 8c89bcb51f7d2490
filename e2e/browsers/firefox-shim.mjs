#!/usr/bin/env node
/**
 * Starts Firefox and passes WebDriver BiDi messages between it and Playwright. Responds to the one command that
 * Firefox 153 does not know, which Playwright sends for every page. Plain JavaScript, because Playwright starts
 * this file as a program.
 */
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

const unknownCommand = 'emulation.setMediaFeaturesOverride';
const announcement = /WebDriver BiDi listening on (ws:\/\/\S+)/;
const limits = { maxPayload: 256 * 1024 * 1024, perMessageDeflate: false };

const firefox = spawn(process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.once('exit', code => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));

let isListening = false;
firefox.stderr.on('data', chunk => {
  const [, url] = String(chunk).match(announcement) ?? [];
  if (isListening || url === undefined) {
    process.stderr.write(chunk);
    return;
  }
  isListening = true;
  listen(url);
});

/** Listens on a port of its own and announces it to Playwright as Firefox would. */
function listen(firefoxUrl) {
  const server = new WebSocketServer({ ...limits, port: 0, host: '127.0.0.1' });
  server.once('listening', () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`);
  });
  server.on('connection', (playwright, { url }) => {
    connect(playwright, new WebSocket(firefoxUrl + url, limits));
  });
}

function connect(playwright, upstream) {
  const early = [];
  upstream.once('open', () => {
    for (const message of early.splice(0)) upstream.send(message);
  });
  playwright.on('message', data => {
    const message = String(data);
    const { id, method } = JSON.parse(message);
    if (method === unknownCommand) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
    else early.push(message);
  });
  upstream.on('message', data => playwright.send(String(data)));
  upstream.on('error', () => playwright.close());
  upstream.on('close', () => playwright.close());
  playwright.on('close', () => upstream.close());
}
