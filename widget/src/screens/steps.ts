import { nothing, type TemplateResult } from 'lit';
import { createEffects as createStepEffects } from '../controller/step-effects.ts';
import type { StateOf } from '../flow/flow.ts';
import { nextInSteps as nextStep } from '../flow/next-in-steps.ts';
import type { NextInSteps, StepState } from '../flow/next.ts';
import type { Messages } from '../messages/messages.ts';
import { dateFormat } from '../messages/relative-time.ts';
import { AccountsScreen } from './accounts.ts';
import { agentTools } from './agent-tools.ts';
import type * as Agents from './agents.ts';
import { ConnectedScreen } from './connected.ts';
import { FormScreen } from './form.ts';
import { importAgents } from './import-agents.ts';
import { IntroductionScreen } from './introduction.ts';
import { LinkScreen } from './link.ts';
import { manageScreen } from './manage.ts';
import type { RenderContext } from './render-context.ts';

export { announcementInSteps } from '../a11y/announcement-in-steps.ts';
export { stepMessages } from '../messages/step-messages.ts';
export { readReturnedConsent } from '../popup/redirect.ts';
export { failureScreen } from './failure.ts';
export { stepStyles } from '../styles/step-styles.ts';

/** The code of the screen for apps and agents, which is loaded when the first one opens. All widgets share it. */
let agents: typeof Agents | undefined;

export const nextInSteps: NextInSteps = (state, event) =>
  agents && 'agents' in state ? agents.nextInAgents(state, event) : nextStep(state, event);

export const createEffects: typeof createStepEffects = (service, consent) => {
  const run = createStepEffects(service, consent);
  return async (state, signal, send) => {
    if (!('agents' in state)) return run(state, signal, send);
    agents ??= await importAgents();
    return agents.runAgentEffect(state, service, signal);
  };
};

/** Lets the browser load its data for lists and dates, which it does once. */
export function loadFormats(messages: Messages): void {
  new Intl.ListFormat(messages.language).format([]);
  dateFormat(messages).format();
}

/** Renders the screen for a step after the catalog. */
export interface DrawStep {
  (state: StepState): TemplateResult | typeof nothing;
  /** Releases resources and leaves the step. Call it when the screens are no longer rendered. */
  readonly stop: () => void;
}

/** Creates the screens for the steps after the catalog, for one element. */
export function createStepScreens(context: RenderContext): DrawStep {
  let form: FormScreen | undefined;
  let introduction: IntroductionScreen | undefined;
  const accounts = new AccountsScreen(context);
  let connected: ConnectedScreen | undefined;
  const link = new LinkScreen(context);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    form = undefined;
    accounts.stop();
    connected = undefined;
  };
  let drawn: StepState['name'] | undefined;
  return Object.assign(draw, {
    stop: () => {
      stop();
      // A user who leaves can no longer undo. After the state has changed, this does nothing.
      if (drawn === 'disconnected') context.send({ type: 'back' });
    },
  });

  function draw(state: StepState): ReturnType<DrawStep> {
    drawn = state.name;
    switch (state.name) {
      case 'opening':
      case 'openingAgents':
        return nothing;
      case 'submitting':
        return state.choice ? accounts.render(state) : drawForm(state);
      case 'filling':
      case 'consenting':
      case 'replacing':
        return drawForm(state);
      case 'listing':
      case 'unlisted':
      case 'choosing':
      case 'openingAccounts':
      case 'accounts':
      case 'savingAccounts':
        form = undefined;
        return accounts.render(state);
      case 'linking':
      case 'sharing':
      case 'cancelling':
      case 'unlinked':
        updateTimes();
        return link.render(state);
      case 'connected':
        form = undefined;
        accounts.stop();
        connected ??= new ConnectedScreen(context);
        updateTimes();
        return connected.render(state);
      default:
    }
    stop();
    if ('agents' in state) {
      updateTimes();
      return agents ? agents.agentsScreen(state, context, agentTools) : nothing;
    }
    if (state.name !== 'introducing') {
      updateTimes();
      return manageScreen(state, context);
    }
    const { sourceDefinitionId: id } = state.definition;
    if (introduction?.definition.sourceDefinitionId !== id)
      introduction = new IntroductionScreen(state, context);
    return introduction.render(state);
  }

  /** Renders the screen again after a second, because it contains times that are relative to now. */
  function updateTimes(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      context.host.requestUpdate();
    }, 1000);
  }

  function drawForm(state: StateOf<'filling' | 'consenting' | 'submitting' | 'replacing'>): TemplateResult {
    if (form?.method.id !== state.method.id) form = new FormScreen(state, context);
    return form.render(state);
  }
}
