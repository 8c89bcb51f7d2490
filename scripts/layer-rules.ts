/** The dependency-cruiser rules for which files may import which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';
import { root } from './steps.ts';

/**
 * The packages that each package may import. `service` also reads built files of `console` and `widget`, which it
 * imports nothing from.
 */
const packages: Readonly<Record<string, readonly string[]>> = {
  api: [],
  connectors: ['api'],
  service: ['api', 'connectors'],
  'server-helper': ['api'],
  widget: ['api'],
  console: ['api'],
  sandbox: [],
  'create-source': ['api', 'connectors', 'service'],
  demo: ['api', 'server-helper', 'widget'],
  e2e: ['api', 'connectors', 'server-helper', 'widget', 'demo'],
  'sources/github': ['connectors'],
  'sources/hubspot': ['connectors'],
  'sources/stripe': ['connectors'],
  'sources/testing': ['connectors'],
};

/**
 * The layers of `service/src` from top to bottom, as folders and files. Each may import only from the layers
 * below it. Import cycles between folders are rejected everywhere (`folder-cycles.ts`).
 */
const serviceLayers = [
  'main.ts',
  'cli',
  'index.ts',
  'service.ts',
  'app.ts',
  'features',
  'shared',
  'platform',
];

/** The files of the contract that browsers load: the reader of error responses, and what is shown of a connection. */
const browserFiles = ['api/src/client/error-response.ts', 'api/src/contract/connection-state.ts'];

const published = ['api', 'connectors', 'service', 'server-helper', 'widget', 'sandbox', 'create-source'];

/** Tests, benchmarks and the gallery, which are exempt from the rules. */
const testFiles = '\\.test(-d)?\\.ts$|^(sources/)?[^/]+/(test|bench|gallery)/';

/** The folders that the rules apply to. */
export const folders = Object.keys(packages);

/** Options for finding imports. Type-only imports count. */
export const options: ICruiseOptions = {
  parser: 'swc',
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: `(^|/)(dist|fixtures|samples)/|${testFiles}` },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['source', 'import', 'types', 'node', 'default'],
    extensions: ['.ts', '.mjs', '.js', '.json'],
  },
};

export const forbidden: IForbiddenRuleType[] = [
  { name: 'no-file-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  {
    name: 'published-code-imports-dependencies-only',
    severity: 'error',
    from: { path: `${anyOf(published)}/src/` },
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['npm-peer', 'type-only'],
    },
  },
  {
    name: 'browser-code-imports-types-of-the-contract-only',
    severity: 'error',
    from: { path: '^(widget|console)/src/' },
    to: { path: '^api/', pathNot: `${anyOf(browserFiles)}$`, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'files-that-browsers-load-import-types-only',
    severity: 'error',
    from: { path: `${anyOf(browserFiles)}$` },
    to: { dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'clients-import-no-examples',
    severity: 'error',
    from: { pathNot: '^(service/src/features/docs|api/src/contract)/|^api/src/examples.ts$' },
    to: { path: '^api/src/.*examples[.]ts$' },
  },
  ...Object.entries(packages).flatMap(([folder, allowed]) => packageRules(folder, allowed)),
  {
    name: 'service-folder-without-a-layer',
    comment: 'Move it into `features`, `shared` or `platform`.',
    severity: 'error',
    from: {},
    to: { path: '^service/src/', pathNot: inLayers(serviceLayers) },
  },
  ...serviceLayers.map((layer, index) => ({
    name: `service-${layer}-imports-only-layers-below`,
    severity: 'error' as const,
    from: { path: inLayers([layer]) },
    to: { path: '^service/src/', pathNot: inLayers(serviceLayers.slice(index)) },
  })),
  {
    name: 'app-imports-one-function-of-each-feature',
    severity: 'error',
    from: { path: '^service/src/app\\.ts$' },
    to: { path: '^service/src/features/', pathNot: '^service/src/features/[^/]+/feature\\.ts$' },
  },
  {
    name: 'service-features-import-no-other-feature',
    severity: 'error',
    from: { path: '^service/src/features/([^/]+)/' },
    to: { path: '^service/src/features/', pathNot: '^service/src/features/$1/' },
  },
];

function packageRules(folder: string, allowed: readonly string[]): IForbiddenRuleType[] {
  const others = folders.filter(other => other !== folder);
  const forbidden = others.filter(other => !allowed.includes(other));
  return [
    {
      name: `${folder}-imports-only-packages-below`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: { path: `${anyOf(forbidden)}/` },
    },
    {
      name: `${folder}-imports-public-files-only`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: { path: `${anyOf(others)}/`, pathNot: `${anyOf(others.flatMap(publicFiles))}$` },
    },
  ];
}

function inLayers(layers: readonly string[]): string {
  return `^service/src/(${layers.map(escape).join('|')})(/|$)`;
}

/**
 * Returns the source files that a package's `exports` expose, the only ones that other packages may import.
 */
function publicFiles(folder: string): string[] {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    exports?: Record<string, { source?: string }>;
  };
  return Object.values(exports).flatMap(({ source }) => (source ? [source.replace('./', `${folder}/`)] : []));
}

function anyOf(paths: readonly string[]): string {
  return `^(${paths.map(escape).join('|')})`;
}

function escape(text: string): string {
  return text.replaceAll(/[.\\]/g, String.raw`\$&`);
}
