/**
 * Builds the widget as an ES module with lazily loaded chunks and as a single file for a script tag. Also
 * builds the headless and server entry points, the type declarations, and the files derived from them.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep, type Step } from './steps.ts';

const vite: Step['command'] = ['vite', 'build', '--mode'];
/** Overrides the environment, because Lit's development code must not be published. */
const env = { NODE_ENV: 'production' };
const steps: Step[] = [
  { name: 'build of widget: ES module', command: [...vite, 'widget'], env },
  { name: 'build of widget: script tag', command: [...vite, 'widget-script'], env },
  { name: 'build of widget: headless', command: [...vite, 'widget-headless'], env },
  { name: 'build of widget: server', command: [...vite, 'widget-server'], env },
  { name: 'build of widget: gallery', command: [...vite, 'widget-gallery'], env },
  { name: 'declarations of widget', command: ['tsc', '-p', 'widget/tsconfig.build.json'] },
  {
    name: 'types of the contract for widget',
    command: ['node', '--conditions=source', 'widget/build/write-contract-types.ts'],
  },
  {
    name: 'manifest of widget',
    command: ['node', '--conditions=source', 'widget/build/write-manifest.ts'],
  },
  {
    name: 'integrity of widget',
    command: ['node', '--conditions=source', 'widget/build/write-integrity.ts'],
  },
  { name: 'sizes of widget', command: ['node', '--conditions=source', 'widget/build/print-sizes.ts'] },
];

for (const folder of ['widget/dist', 'widget/gallery/dist'])
  rmSync(join(root, folder), { recursive: true, force: true });
let ok = true;
for (const step of steps) ok &&= (await runStep(step)).ok;
process.exitCode = ok ? 0 : 1;
