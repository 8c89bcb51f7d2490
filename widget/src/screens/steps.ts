import { nothing, type TemplateResult } from 'lit';
import type { StepState } from '../flow/next.ts';
import { accountsScreen } from './accounts.ts';
import { connectedScreen } from './connected.ts';
import { FormScreen } from './form.ts';
import { introductionScreen } from './introduction.ts';
import { manageScreen } from './manage.ts';
import type { RenderContext } from './render-context.ts';

export { createEffects } from '../controller/step-effects.ts';
export { nextInSteps } from '../flow/next-in-steps.ts';
export { readReturnedConsent } from '../popup/redirect.ts';
export { stepStyles } from '../styles/step-styles.ts';

/** Renders the screen for a step after the catalog. */
export type DrawStep = (state: StepState) => TemplateResult | typeof nothing;

/** Creates the screens for the steps after the catalog, for one element. */
export function createStepScreens(context: RenderContext): DrawStep {
  let form: FormScreen | undefined;
  return state => {
    switch (state.name) {
      case 'opening':
        return nothing;
      case 'filling':
      case 'consenting':
      case 'submitting':
      case 'replacing':
        if (form?.method !== state.method) form = new FormScreen(state, context);
        return form.render(state);
      case 'introducing':
        form = undefined;
        return introductionScreen(state, context);
      case 'listing':
      case 'unlisted':
      case 'choosing':
      case 'openingAccounts':
      case 'accounts':
      case 'savingAccounts':
        form = undefined;
        return accountsScreen(state, context);
      case 'connected':
        form = undefined;
        return connectedScreen(state, context);
      default:
        form = undefined;
        return manageScreen(state, context);
    }
  };
}
