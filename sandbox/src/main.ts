#!/usr/bin/env node
import { explainOldNode } from './node-version.ts';

// Everything else is imported after this check, because dependencies fail on older versions.
const oldNode = explainOldNode();
if (oldNode !== null) {
  console.error(oldNode);
  process.exit(1);
}
const { startSandbox } = await import('./start.ts');
const { vendors, loadVendors } = await import('./vendors.ts');

const port = Number(process.env['PORT'] ?? 8788);
const host = process.env['HOST'] ?? '127.0.0.1';
const now = process.env['DATA_NOW'];
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`PORT must be a port number (0 to 65535), not "${process.env['PORT']}"`);
  process.exit(1);
}

if (now !== undefined && Number.isNaN(Date.parse(now))) {
  console.error(`DATA_NOW must be a time such as 2026-11-20T12:00:00Z, not "${now}"`);
  process.exit(1);
}

const moreVendors = await loadVendors(process.env['VENDORS'] ?? '').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

try {
  const sandbox = await startSandbox({
    port,
    host,
    vendors: [...vendors, ...moreVendors],
    ...(now === undefined ? {} : { now }),
  });
  console.log(JSON.stringify({ event: 'sandbox_ready', url: sandbox.url }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
} catch (error) {
  const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const reason = isInUse ? 'the port is in use; choose another with PORT' : String(error);
  console.error(`The sandbox cannot listen on ${host}:${port}: ${reason}`);
  process.exitCode = 1;
}
