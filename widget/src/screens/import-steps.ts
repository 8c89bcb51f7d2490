import type * as Code from './steps.ts';

/** Loads the code for the steps that follow the catalog from its own file. */
export function importSteps(): Promise<typeof Code> {
  return import('./steps.ts');
}
