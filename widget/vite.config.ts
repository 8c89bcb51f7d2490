import { defineConfig } from 'vite';
import { compactMessages } from './build/compact-messages.ts';
import { minifyTemplates } from './build/minify-templates.ts';

const entries = {
  production: {
    index: 'src/index.ts',
    element: 'src/connector-auth.ts',
    react: 'src/react/index.ts',
  },
  // Built separately: a shared chunk would be one more request for every page with the element.
  headless: { headless: 'src/headless/index.ts' },
  server: { server: 'src/server.ts' },
  script: { 'connector-auth': 'src/script.ts' },
};

/**
 * Four builds, each usable straight from a static file server: `vite build` writes ES modules whose later
 * screens load on demand; `--mode script` writes one classic file for a script tag; `--mode headless` the
 * flow without the element; `--mode server` what Node imports. Declarations come from tsc.
 */
export default defineConfig(({ mode }) => {
  const isScript = mode === 'script';
  return {
    root: import.meta.dirname,
    // `*.script.ts` replaces the modules that import others on demand.
    resolve: isScript ? { alias: [{ find: /^\.\/(import-\w+)\.ts$/, replacement: './$1.script.ts' }] } : {},
    plugins: [compactMessages(), minifyTemplates()],
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      target: 'es2022',
      // light-dark() and relative colours as written: rewritten for older browsers they would be three times
      // as long.
      cssTarget: ['chrome126', 'firefox128', 'safari18'],
      modulePreload: false,
      minify: true,
      // Without a comment in the code, whose size is limited: for error trackers, and to be loaded by hand.
      sourcemap: 'hidden',
      lib: {
        entry: entries[mode as keyof typeof entries] ?? entries.production,
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
});

/** Languages get a folder of their own: the script-tag file loads the same ones. */
function chunkFileNames({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  return /\/messages\/\w\w\.ts$/.test(facadeModuleId ?? '') ? 'languages/[name].js' : 'chunks/[name].js';
}
