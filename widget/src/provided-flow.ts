import type { LitElement } from 'lit';
import type { FlowController, FlowOptions } from './controller/flow-controller.ts';
import type { State } from './flow/flow.ts';
import type { ConnectorAuthProperties } from './properties.ts';

/** A widget that shows a provider's flow. */
export interface FlowView extends Pick<FlowOptions, 'onChange' | 'loadSteps' | 'waitingPage'> {
  /** Shows a state that the user reached in another widget, or before this one. */
  readonly show: (state: State) => void;
}

/** Shares its flow with the widgets inside it: `<connector-auth-provider>`, see `lit/`. */
export interface FlowHost {
  /** Returns what the widget uses in place of a flow of its own. Its first `start` shows the current state. */
  readonly join: (view: FlowView) => Pick<FlowController, 'send' | 'stop'>;
}

export type HostedWidget = LitElement & ConnectorAuthProperties;
type FindHost = (element: LitElement) => FlowHost | undefined;

let find: FindHost = () => undefined;

/** Returns the provider whose flow a widget shares. The script-tag file has no providers. */
export const hostOf: FindHost | null = element => find(element);

/** Sets how the host of a widget is found. Until then, all widgets have flows of their own. */
export function findHostsWith(findHost: FindHost): void {
  find = findHost;
}
