import {
  announcementInSteps,
  createEffects,
  createStepScreens,
  failureScreen,
  nextInSteps,
  readReturnedConsent,
  stepMessages,
  stepStyles,
} from './steps.ts';
import type * as Code from './steps.ts';

/** Replaces import-steps.ts in the script-tag build, which is a single file. */
export function importSteps(): Promise<typeof Code> {
  return Promise.resolve({
    announcementInSteps,
    createEffects,
    createStepScreens,
    failureScreen,
    nextInSteps,
    readReturnedConsent,
    stepMessages,
    stepStyles,
  });
}
