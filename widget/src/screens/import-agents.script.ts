import { folder } from '../messages/import-language.script.ts';
import { version } from '../messages/version.ts';
import type * as Code from './agents.ts';

/** Replaces import-agents.ts in the script-tag build, which loads the same file from the `chunks` folder. */
export function importAgents(): Promise<typeof Code> {
  return import(/* @vite-ignore */ `${folder}chunks/agents.js?${version}`) as Promise<typeof Code>;
}
