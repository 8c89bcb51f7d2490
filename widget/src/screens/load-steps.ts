import { ServiceError } from '../service/failure.ts';
import { importSteps } from './import-steps.ts';
import type * as Code from './steps.ts';

let code: typeof Code | undefined;

/**
 * Returns the code of the steps behind the catalog, which all widgets share; undefined until it is loaded.
 */
export function loadedSteps(): typeof Code | undefined {
  return code;
}

/** Loads that code. Rejects with `unreachable` if its file cannot be loaded. */
export async function loadSteps(): Promise<typeof Code> {
  code ??= await importSteps().catch((cause: unknown) => {
    throw new ServiceError('unreachable', 'A file of the widget could not be loaded', { cause });
  });
  return code;
}
