import * as steps from './steps.ts';

/** Replaces import-steps.ts in the script-tag build, which is a single file. */
export function importSteps(): Promise<typeof steps> {
  return Promise.resolve(steps);
}
