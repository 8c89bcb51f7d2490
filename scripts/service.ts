/**
 * Runs the service from its sources, or one of its commands: `pnpm service`, `pnpm service doctor`. Builds the
 * console and the widget before a start of the service if their sources changed.
 */
import ensureServed from './ensure-served.ts';

const isStart = process.argv.length === 2;
try {
  if (isStart) await ensureServed();
} catch (error) {
  // The API works without the console and the widget. The service logs a warning, and their pages say what to do.
  console.error(error instanceof Error ? error.message : error);
}
await import('../service/src/main.ts');
