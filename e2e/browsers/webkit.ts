import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { pathOf } from '../../scripts/find-browsers.ts';

/** One WebKitGTK browser that WebDriver controls. All commands go to its current window. */
export interface WebKit {
  /** For example `2.50.6`. */
  readonly version: string;
  goto(url: string): Promise<void>;
  url(): Promise<string>;
  /** Runs the body of a function in the page; `arguments` contains the values. */
  evaluate<Value>(body: string, ...values: unknown[]): Promise<Value>;
  /** Clicks a point of the viewport with the mouse. */
  clickAt(x: number, y: number, clickCount?: number): Promise<void>;
  keyDown(key: string): Promise<void>;
  keyUp(key: string): Promise<void>;
  windows(): Promise<readonly string[]>;
  currentWindow(): Promise<string>;
  switchTo(window: string): Promise<void>;
  closeWindow(): Promise<void>;
  quit(): Promise<void>;
}

/** Starts a browser in a virtual display. */
export async function startWebKit({ isDark = false } = {}): Promise<WebKit> {
  const port = await freePort();
  const driver = spawn(pathOf('display'), ['-a', pathOf('webKitDriver'), `--port=${port}`], {
    env: { ...process.env, ...(isDark ? { GTK_THEME: 'Adwaita:dark' } : {}) },
    stdio: 'ignore',
    // `xvfb-run` is a shell script: the signal has to reach the programs that it started as well.
    detached: true,
  });
  const stop = () => {
    if (driver.exitCode === null && driver.pid !== undefined) process.kill(-driver.pid, 'SIGTERM');
  };
  process.once('exit', stop);
  const end = () => {
    process.off('exit', stop);
    stop();
  };
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/status`);
    return await openSession(`http://127.0.0.1:${port}`, end);
  } catch (error) {
    end();
    throw error;
  }
}

async function openSession(driverUrl: string, onEnd: () => void): Promise<WebKit> {
  const { sessionId, capabilities } = await call<{
    readonly sessionId: string;
    readonly capabilities: { readonly browserVersion: string };
  }>(`${driverUrl}/session`, 'POST', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: pathOf('miniBrowser'), args: ['--automation'] },
      },
    },
  });
  const session = `${driverUrl}/session/${sessionId}`;
  const get = <Value>(path: string) => call<Value>(session + path, 'GET');
  const post = <Value>(path: string, body: object) => call<Value>(session + path, 'POST', body);
  const act = async (actions: object) => {
    await post('/actions', { actions: [actions] });
  };
  const press = (type: 'keyDown' | 'keyUp', key: string) =>
    act({ type: 'key', id: 'keyboard', actions: [{ type, value: keyCodes[key] ?? key }] });
  await post('/window/rect', { x: 0, y: 0, width: 1280, height: 1024 });
  return {
    version: capabilities.browserVersion,
    goto: async url => {
      await post('/url', { url });
    },
    url: () => get('/url'),
    evaluate: (script, ...values) => post('/execute/sync', { script, args: values }),
    clickAt: (x, y, clickCount = 1) =>
      act({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y), origin: 'viewport' },
          ...Array.from({ length: clickCount }, () => [
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ]).flat(),
        ],
      }),
    keyDown: key => press('keyDown', key),
    keyUp: key => press('keyUp', key),
    windows: () => get('/window/handles'),
    currentWindow: () => get('/window'),
    switchTo: async handle => {
      await post('/window', { handle });
    },
    closeWindow: async () => {
      await call(`${session}/window`, 'DELETE');
    },
    quit: async () => {
      await call(session, 'DELETE').catch(() => {});
      onEnd();
    },
  };
}

async function call<Value>(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Value> {
  const response = await fetch(url, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
  // Every response of a driver has a `value`.
  const { value } = (await response.json()) as { value: Value };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => probe.once('listening', resolve));
  // A server listening on a port has an AddressInfo.
  const { port } = probe.address() as AddressInfo;
  await new Promise(resolve => probe.close(resolve));
  return port;
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error(`WebKitWebDriver does not respond at ${url}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** The characters by which WebDriver names keys. */
const keyCodes: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};
