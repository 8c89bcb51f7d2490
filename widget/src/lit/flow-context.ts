import { createContext, type Context } from '@lit/context';
import type { Catalog, State } from '../flow/flow.ts';
import { version } from '../messages/version.ts';
import type { FlowHost, HostedWidget } from '../provided-flow.ts';

/** What a provider shares with the elements inside it: a new object after every change. */
export interface ProvidedFlow {
  readonly state: State;
  /** The catalog as it was last known, also while it is loaded again. Null until it is loaded. */
  readonly catalog: Catalog | null;
  readonly provider: FlowProvider;
}

/** The provider, as the elements inside it use it. */
export interface FlowProvider extends FlowHost {
  /** Shows the widget, with a source or all of them. */
  readonly open: (source?: string | null) => void;
  /** Adds a widget in which `open` can show a source. Returns a function that removes it. */
  readonly offer: (widget: ProvidedWidget) => () => void;
}

/** A `<connector-auth>` inside a provider. */
export type ProvidedWidget = HostedWidget & { open(): void };

/** Returns whether a widget has a token of its own, so that it does not share a flow. */
export function hasOwnFlow({ tokenUrl, getToken }: ProvidedWidget): boolean {
  return !!tokenUrl || !!getToken;
}

/** Contains the version, so that elements of two versions on one page do not share a flow. */
export const flowContext: Context<symbol, ProvidedFlow> = createContext<ProvidedFlow, symbol>(
  Symbol.for(`@connector-auth/widget ${version}`),
);
