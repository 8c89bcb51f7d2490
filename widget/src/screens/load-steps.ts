import { ServiceError } from '../service/failure.ts';
import { importSteps } from './import-steps.ts';
import type * as Code from './steps.ts';

let code: typeof Code | undefined;

/** The code of the steps behind the catalog, for every widget of the page; undefined until it was loaded. */
export function loadedSteps(): typeof Code | undefined {
  return code;
}

/** Loads it. Rejects with `unreachable` when its file cannot be had. */
export async function loadSteps(): Promise<typeof Code> {
  code ??= await importSteps().catch((cause: unknown) => {
    throw new ServiceError('unreachable', 'A file of the widget could not be loaded', { cause });
  });
  return code;
}
