import { fileURLToPath } from 'node:url';
import { defaultClientConditions, type UserConfig } from 'vite';
import { adminContract } from './admin-contract.ts';
import { compressFiles } from './compress-files.ts';

/** Builds the files that the service serves. */
export const consoleBuild: UserConfig = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  base: '/console/',
  cacheDir: fileURLToPath(new URL('../../.cache/console-vite', import.meta.url)),
  plugins: [adminContract(), compressFiles()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  clearScreen: false,
  // Found in advance, because the server would reload the page when it discovers them.
  optimizeDeps: {
    include: ['lit', 'lit/decorators.js', 'lit/directives/live.js', 'lit/directives/repeat.js'],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Keeps light-dark() and relative colours.
    cssTarget: ['chrome126', 'firefox128', 'safari18'],
    // The polyfill would run as an inline script, which the content security policy forbids.
    modulePreload: false,
    assetsInlineLimit: 0,
    sourcemap: false,
  },
};
