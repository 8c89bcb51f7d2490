import { lstat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { MetricsConfiguration, StorageConfiguration } from '../../platform/config/configuration.ts';
import { forbiddenModes } from '../../platform/database/data-folder.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

const mebibyte = 1024 * 1024;
const minFreeMiB = 200;
const comfortableMiB = 2048;

/** Checks the free space and the permissions of the folder of the embedded database. */
export async function checkDataFolder({
  databaseUrl,
  dataDir,
  dataDirAccess,
}: StorageConfiguration): Promise<Finding[]> {
  if (databaseUrl !== null) return [];
  const { ok, warning, problem } = findingsOf('data folder');
  try {
    const folder = await nearestFolder(resolve(dataDir));
    const { bavail, bsize } = await statfs(folder);
    const freeMiB = Math.floor((bavail * bsize) / mebibyte);
    const message = `${freeMiB} MiB are free for DATA_DIR (${dataDir}).`;
    const advice = 'Free some space, or move DATA_DIR. Writes fail when the disk is full.';
    const space =
      freeMiB < minFreeMiB
        ? problem(message, advice)
        : freeMiB < comfortableMiB
          ? warning(message, advice)
          : ok(message);
    const { mode } = await lstat(folder);
    const isOpen =
      process.platform !== 'win32' &&
      folder === resolve(dataDir) &&
      (mode & forbiddenModes[dataDirAccess]) !== 0;
    const open = warning(
      `Other users of this machine can access DATA_DIR (${dataDir}).`,
      'The next start of the service removes their access.',
    );
    return isOpen ? [space, open] : [space];
  } catch (error) {
    return [
      problem(`DATA_DIR cannot be read: ${reasonOf(error)}.`, 'Run doctor as the user of the service.'),
    ];
  }
}

/** Returns the folder, or the nearest folder above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  const isPresent = await lstat(folder).then(
    () => true,
    () => false,
  );
  return isPresent || dirname(folder) === folder ? folder : await nearestFolder(dirname(folder));
}

/** Says where the metrics are served. */
export function checkMetrics({ listener, token, isServedWithApi }: MetricsConfiguration): Finding {
  const { ok, warning } = findingsOf('metrics');
  if (listener !== null) return ok(`/metrics is served on ${listener.host}:${listener.port}.`);
  if (isServedWithApi)
    return ok(`/metrics is served with the API${token === null ? '' : ', with METRICS_TOKEN'}.`);
  return warning(
    '/metrics is not served, so nothing can alert you.',
    'Set METRICS_PORT for a private address, or METRICS_TOKEN.',
  );
}
