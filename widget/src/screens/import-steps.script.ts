import * as steps from './steps.ts';

/** Stands in for import-steps.ts in the script-tag build, which is one file. */
export const importSteps = (): Promise<typeof steps> => Promise.resolve(steps);
