import { en } from './en.ts';

/** The English messages of the steps. The build of the modules moves them into the file of the steps. */
export const stepMessages: Partial<typeof en> = en;
