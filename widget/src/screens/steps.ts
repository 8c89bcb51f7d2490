import { ConnectedScreen } from './connected-screen.ts';
import { FormScreen } from './form-screen.ts';
import { ManageScreen } from './manage-screen.ts';
import { MethodScreen } from './method-screen.ts';

/** The screens behind the catalog, by name: loaded together once the catalog is there. */
export const steps = {
  connected: ConnectedScreen,
  form: FormScreen,
  manage: ManageScreen,
  method: MethodScreen,
};

export { nextInSteps } from '../flow/next-in-steps.ts';
export { askForConsent } from '../popup/ask-for-consent.ts';
