import type { steps } from './steps.ts';

/** The code of the screens behind the catalog, as a file of its own that is loaded when it is needed. */
export async function importSteps(): Promise<typeof steps> {
  return (await import('./steps.ts')).steps;
}
