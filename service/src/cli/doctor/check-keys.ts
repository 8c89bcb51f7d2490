import { access } from 'node:fs/promises';
import {
  readKeyConfiguration,
  type KeyConfiguration,
  type StorageConfiguration,
} from '../../platform/config/configuration.ts';
import { ConfigurationError, type Environment } from '../../platform/config/environment.ts';
import {
  generatedAt,
  keyFile,
  loadOrCreateKeyRing,
  type KeyFile,
  type KeyRing,
} from '../../platform/crypto/key-ring.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import type { Database } from '../../platform/database/database.ts';
import { checkEncryptionKeys, countValuesByKey } from '../../shared/credentials/check-keys.ts';
import { count } from '../count.ts';
import { statusOf } from '../keys.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

const maxAgeDays = 365;
const oneDayMs = 86_400_000;
const { ok, warning, problem, skipped } = findingsOf('keys');

/** The keys for both purposes. Null if the service has not created them yet. */
export interface Rings {
  readonly encryption: KeyRing | null;
  readonly signing: KeyRing | null;
}

/**
 * Returns the keys from the environment or the key files, without creating a file.
 * @throws Error for the operator if a key file is damaged.
 */
export async function readRings({
  encryptionKeys,
  signingKeys,
  dataDir,
}: KeyConfiguration & StorageConfiguration): Promise<Rings> {
  const read = async (name: KeyFile): Promise<KeyRing | null> => {
    const isPresent = await access(keyFile(dataDir, name)).then(
      () => true,
      () => false,
    );
    return isPresent ? await loadOrCreateKeyRing(dataDir, name) : null;
  };
  return {
    encryption: encryptionKeys ?? (await read('encryption')),
    signing: signingKeys ?? (await read('signing')),
  };
}

/** Returns the keys as {@link readRings} does, or what is wrong with them. */
export async function readConfiguredRings(
  environment: Environment,
): Promise<Rings | { readonly problem: Finding }> {
  try {
    return await readRings(readKeyConfiguration(environment));
  } catch (error) {
    return {
      problem:
        error instanceof ConfigurationError
          ? skipped('The keys are checked once the configuration is valid.')
          : problem(reasonOf(error)),
    };
  }
}

/** Checks the age of the keys, and that they can decrypt what the database contains. */
export async function checkKeys(
  { encryption, signing }: Rings,
  database: Database | null,
  nowMs: number,
): Promise<Finding[]> {
  if (encryption === null || signing === null) {
    return [
      database === null
        ? ok('The service creates its keys when it starts.')
        : problem(
            'A key file is missing in DATA_DIR, so the service does not start.',
            'Restore it from a backup.',
          ),
    ];
  }
  const ages = [...ageOf('encryption', encryption, nowMs), ...ageOf('signing', signing, nowMs)];
  if (database === null) return [...ages, skipped('The stored values were not compared with the keys.')];
  return [...ages, ...(await compareWithValues({ encryption, signing }, database))];
}

function ageOf(purpose: KeyFile, [active]: KeyRing, nowMs: number): Finding[] {
  const generated = generatedAt(active);
  if (generated === null) return [ok(`The age of the ${purpose} key ${active.id} is unknown.`)];
  const days = Math.floor((nowMs - generated) / oneDayMs);
  const message = `The ${purpose} key ${active.id} is ${days} days old.`;
  return [
    days > maxAgeDays ? warning(message, 'Rotate it: see docs/operating/rotate-a-key.md.') : ok(message),
  ];
}

async function compareWithValues(
  rings: { readonly encryption: KeyRing; readonly signing: KeyRing },
  { kysely }: Database,
): Promise<Finding[]> {
  try {
    await checkEncryptionKeys(kysely, createSealer(rings.encryption));
  } catch (error) {
    return [problem(reasonOf(error))];
  }
  const { encryption } = statusOf(rings, await countValuesByKey(kysely));
  const total = encryption.reduce((sum, { values }) => sum + (values ?? 0), 0);
  const findings = [ok(`The encryption keys decrypt the stored values (${total}).`)];
  for (const { id, state, values } of encryption) {
    if (state !== 'old') continue;
    findings.push(
      values === 0
        ? warning(
            `No stored value needs the old encryption key ${id}.`,
            'Remove it once every process has the active key first.',
          )
        : warning(
            `The old encryption key ${id} still encrypts ${count(values ?? 0, 'stored value')}.`,
            'Run "connector-auth-service keys rotate", then remove the key.',
          ),
    );
  }
  return findings;
}
