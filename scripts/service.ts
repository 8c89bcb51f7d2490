/** Runs the service from its sources: `pnpm service`. Builds the console first if its sources changed. */
import ensureConsole from './ensure-console.ts';

try {
  await ensureConsole();
} catch (error) {
  // The API works without the console. The service logs a warning and `/console` says what to do.
  console.error(error instanceof Error ? error.message : error);
}
await import('../service/src/main.ts');
