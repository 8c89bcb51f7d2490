import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is: the machine's own if there is one, else the one Playwright downloaded; null when there is none. */
export function findChromium(): string | null {
  const candidates = [process.env['CHROMIUM_PATH'], ...installed, chromium.executablePath()];
  return candidates.find(path => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** Options for `chromium.launch` that keep the browser quiet on a closed network and let it run as root. */
export function chromiumLaunchOptions(): { executablePath?: string; args: string[] } {
  const executablePath = findChromium();
  return {
    ...(executablePath === null ? {} : { executablePath }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
