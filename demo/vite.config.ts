import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('./src/page', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../.cache/demo-vite', import.meta.url)),
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  clearScreen: false,
  logLevel: 'warn',
  build: { outDir: '../../dist', emptyOutDir: true },
});
