import type * as Code from './agents.ts';

/** Loads the code of the screen for apps and agents, which is in a file of its own. */
export function importAgents(): Promise<typeof Code> {
  return import('./agents.ts');
}
