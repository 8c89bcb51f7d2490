import { existsSync } from 'node:fs';
import { release } from 'node:os';

/** Where Debian's packages put the programs. An environment variable replaces each path. */
const programs = {
  firefox: { variable: 'FIREFOX_PATH', path: '/usr/bin/firefox-esr', debianPackage: 'firefox-esr' },
  webKitDriver: {
    variable: 'WEBKIT_DRIVER_PATH',
    path: '/usr/bin/WebKitWebDriver',
    debianPackage: 'webkit2gtk-driver',
  },
  miniBrowser: {
    variable: 'MINI_BROWSER_PATH',
    path: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
    debianPackage: 'webkit2gtk-driver',
  },
  display: { variable: 'XVFB_RUN_PATH', path: '/usr/bin/xvfb-run', debianPackage: 'xvfb xauth' },
} as const;

type Program = keyof typeof programs;

/** Returns the path of a program, which may not exist. */
export function pathOf(program: Program): string {
  const { variable, path } = programs[program];
  return process.env[variable] ?? path;
}

/** Returns an error message that names what is missing and how to install it, or null if nothing is missing. */
export function describeMissingBrowsers(): string | null {
  const names = (Object.keys(programs) as Program[]).filter(name => !existsSync(pathOf(name)));
  if (!names.length) return null;
  const packages = [...new Set(names.map(name => programs[name].debianPackage))].join(' ');
  return (
    `Error: no program at ${names.map(name => `${pathOf(name)} (${programs[name].variable})`).join(', ')}.\n` +
    'The checks in Firefox and WebKit need it. On Debian and Ubuntu, install the packages:\n' +
    `  ${installCommand(packages)}\n` +
    (process.platform === 'linux'
      ? ''
      : `WebKitGTK does not exist on ${process.platform} ${release()}: run these checks on Linux.\n`)
  );
}

/** Returns the command that installs packages, by default all that the checks need. */
export function installCommand(
  packages = [...new Set(Object.values(programs).map(({ debianPackage }) => debianPackage))].join(' '),
): string {
  return `apt-get install -y --no-install-recommends ${packages}`;
}
