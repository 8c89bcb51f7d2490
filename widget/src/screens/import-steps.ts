import type * as Steps from './steps.ts';

/** The code of the screens behind the catalog, as a file of its own that is loaded when it is needed. */
export const importSteps = (): Promise<typeof Steps> => import('./steps.ts');
