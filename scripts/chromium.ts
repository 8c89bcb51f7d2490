import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/** Debian's Chromium without windows, in which tests need about half of the processor time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';
const installed = [headlessShell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Returns the path to the first Chromium that exists: the one in `CHROMIUM_PATH`, the system's, or the one
 * that Playwright downloaded. Returns null if there is none.
 */
export function findChromium(): string | null {
  const candidates = [process.env['CHROMIUM_PATH'], ...installed, chromium.executablePath()];
  return candidates.find(path => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** Returns options for `chromium.launch` that turn off background requests and allow running as root. */
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
