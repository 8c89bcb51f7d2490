import type * as Code from './steps.ts';

/** Loads the code for the steps after the catalog. That code is in a separate file. */
export function importSteps(): Promise<typeof Code> {
  return import('./steps.ts');
}
