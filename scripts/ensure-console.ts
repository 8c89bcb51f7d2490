import { consoleSources } from './build-sources.ts';
import { ensureFresh } from './ensure-fresh.ts';

/** Builds the console if it was not built since its sources changed. Also used as a global setup. */
export default async function ensureConsole(): Promise<void> {
  await ensureFresh({
    name: 'console',
    output: 'console/dist/index.html',
    sources: consoleSources,
    commands: [['vite', 'build', '--mode', 'console', '--logLevel', 'warn']],
  });
}
