import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

/** What the console is built from. */
export const consoleSources = [
  'vite.config.ts',
  'console/index.html',
  'console/build',
  'console/public',
  'console/src',
  'api/src/client/error-response.ts',
  'api/src/contract/connection-state.ts',
  'api/src/contract/connectors.ts',
  'api/src/contract/admin',
  'server-helper/examples',
  ...globSync('examples/*/package.json', { cwd: root }),
];

/** What the widget is built from. */
export const widgetSources = [
  'tsconfig.base.json',
  'widget/src',
  'widget/build',
  'vite.config.ts',
  'widget/package.json',
  'widget/tsconfig.json',
  'widget/tsconfig.build.json',
  'api/src',
];

/** What the page with all states of the widget is built from. */
export const gallerySources = [
  ...widgetSources,
  // Not the folder, which contains the built files.
  ...globSync('widget/gallery/*.*', { cwd: root }),
  'connectors/src',
];

const serverPackages = ['api', 'connectors', 'service', 'server-helper', 'sandbox', 'create-source'];

/** The scripts that build the public packages, with the files and folders that each reads. */
export const builds = [
  {
    script: 'build-servers',
    sources: [
      'tsconfig.base.json',
      ...serverPackages.flatMap(name => [
        `${name}/src`,
        `${name}/tsconfig.json`,
        `${name}/tsconfig.build.json`,
      ]),
      ...consoleSources,
    ],
    outputs: serverPackages.map(name => `${name}/dist`),
  },
  {
    script: 'build-widget',
    sources: gallerySources,
    outputs: ['widget/dist', 'widget/gallery/dist'],
  },
] as const;

/** Returns when a file in these files and folders last changed, in milliseconds since 1970. */
export function lastChange(sources: readonly string[]): number {
  const paths = sources.flatMap(source => {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) return [path];
    // A folder changes when a file in it is deleted.
    return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name))];
  });
  return Math.max(...paths.map(path => statSync(path).mtimeMs));
}
