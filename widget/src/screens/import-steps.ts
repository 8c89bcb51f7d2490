import type * as Code from './steps.ts';

/** Loads the code of the steps behind the catalog from its own file. */
export function importSteps(): Promise<typeof Code> {
  return import('./steps.ts');
}
