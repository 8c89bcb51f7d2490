import * as code from './steps.ts';

/** Stands in for import-steps.ts in the script-tag build, which is one file. */
export function importSteps(): Promise<typeof code> {
  return Promise.resolve(code);
}
