/**
 * Runs the service from its sources, or one of its commands: `pnpm service`, `pnpm service doctor`. Builds the
 * console before a start of the service if its sources changed.
 */
import ensureConsole from './ensure-console.ts';

const isStart = process.argv.length === 2;
try {
  if (isStart) await ensureConsole();
} catch (error) {
  // The API works without the console. The service logs a warning and `/console` says what to do.
  console.error(error instanceof Error ? error.message : error);
}
await import('../service/src/main.ts');
