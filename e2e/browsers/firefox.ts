import type { LaunchOptions } from 'playwright';

/** Returns options for `firefox.launch` that start the installed Firefox through firefox-shim.mjs. */
export function firefoxLaunchOptions(
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): LaunchOptions & { channel: string } {
  return {
    channel: 'moz-firefox',
    executablePath: new URL('firefox-shim.mjs', import.meta.url).pathname,
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, ...preferences },
  };
}
