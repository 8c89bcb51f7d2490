import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

/** Builds the demo's page, which the demo's backend otherwise serves from its sources. */
export const demoBuild: UserConfig = {
  root: fileURLToPath(new URL('./page', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../.cache/demo-vite', import.meta.url)),
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  clearScreen: false,
  logLevel: 'warn',
  build: { outDir: '../../dist', emptyOutDir: true },
};
