import { join } from 'node:path';
import { defaultClientConditions, type UserConfig } from 'vite';
import { compactMessages } from './compact-messages.ts';
import { minifyTemplates } from './minify-templates.ts';
import { splitMessages } from './split-messages.ts';

const entries = {
  modules: {
    index: 'src/index.ts',
    element: 'src/connector-auth.ts',
    lit: 'src/lit/index.ts',
    react: 'src/react/index.ts',
  },
  // Built separately, because a shared chunk would cost every page with the element another request.
  headless: { headless: 'src/headless/index.ts' },
  server: { server: 'src/server.ts', 'lit-server': 'src/lit/server.ts' },
  script: { 'connector-auth': 'src/script.ts' },
  // A page of the service's documentation, which is not in the package.
  gallery: { appearance: 'gallery/appearance.ts' },
};

/**
 * Configures one of the widget's builds, each usable directly from a static file server: ES modules that load later
 * screens on demand, one classic file for a script tag, the flow without the element, the module that Node
 * imports, and the page with all states. Declarations come from tsc.
 */
export function widgetBuild(name: keyof typeof entries): UserConfig {
  const isScript = name === 'script';
  return {
    root: join(import.meta.dirname, '..'),
    resolve: {
      conditions: ['source', ...defaultClientConditions],
      // `*.script.ts` files replace the modules that import others on demand, and those for providers.
      alias: isScript
        ? [{ find: /^\.\/(import-\w+|provided-flow)\.ts$/, replacement: './$1.script.ts' }]
        : [],
    },
    // They save bytes on the pages of integrators.
    plugins:
      name === 'gallery'
        ? []
        : [compactMessages(), minifyTemplates(), ...(name === 'modules' ? [splitMessages()] : [])],
    build: {
      outDir: name === 'gallery' ? 'gallery/dist' : 'dist',
      emptyOutDir: false,
      target: 'es2022',
      // Keeps light-dark() and relative colours. Rewritten for older browsers, they would be three times
      // as long.
      cssTarget: ['chrome126', 'firefox128', 'safari18'],
      modulePreload: false,
      // Rolldown minifies the result again (see below), which makes the files almost 1 % smaller than alone.
      minify: 'terser',
      // Source maps are for error trackers and for loading by hand. The code does not link to them, because
      // its size is limited.
      sourcemap: 'hidden',
      lib: {
        entry: entries[name],
        formats: [isScript ? 'iife' : 'es'],
        name: 'ConnectorAuth',
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: ['react', '@lit/react', '@connector-auth/widget'],
        output: { minify: true, ...(isScript ? {} : { chunkFileNames }) },
      },
    },
  };
}

/** Puts languages into a separate folder, from which the script-tag file loads the same files. */
function chunkFileNames({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  return /\/messages\/\w\w\.ts$/.test(facadeModuleId ?? '') ? 'languages/[name].js' : 'chunks/[name].js';
}
