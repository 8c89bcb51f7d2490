import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { adminRoutes } from './build/admin-routes.ts';
import { compressFiles } from './build/compress-files.ts';
import { fakeApi } from './fixture/fake-api-plugin.ts';

/** `vite build` writes the files that the service serves. `vite` serves the console with a fake API. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  cacheDir: fileURLToPath(new URL('../.cache/console-vite', import.meta.url)),
  plugins: [adminRoutes(), compressFiles(), fakeApi()],
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
});
