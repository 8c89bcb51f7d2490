import { steps } from './steps.ts';

/** Stands in for import-steps.ts in the script-tag build, which is one file. */
export function importSteps(): Promise<typeof steps> {
  return Promise.resolve(steps);
}
