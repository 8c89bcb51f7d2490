import type * as Code from './steps.ts';

/** The code of the steps behind the catalog, as a file of its own that is loaded when it is needed. */
export function importSteps(): Promise<typeof Code> {
  return import('./steps.ts');
}
