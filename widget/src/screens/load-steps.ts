import { en } from '../messages/en.ts';
import { ServiceError } from '../service/failure.ts';
import { importSteps } from './import-steps.ts';
import type * as Code from './steps.ts';

let code: typeof Code | undefined;

/**
 * Returns the code for the steps that follow the catalog, or undefined until it is loaded. All widgets share
 * it.
 */
export function loadedSteps(): typeof Code | undefined {
  return code;
}

/**
 * Loads the code for those steps, with their English messages. Rejects with `unreachable` if its file cannot be
 * loaded.
 */
export async function loadSteps(): Promise<typeof Code> {
  code ??= await importSteps().catch((cause: unknown) => {
    throw new ServiceError('unreachable', 'A file of the widget could not be loaded', { cause });
  });
  Object.assign(en, code.stepMessages);
  return code;
}
