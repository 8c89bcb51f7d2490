import type { LitElement } from 'lit';
import type { ComponentContext } from '../components/component-context.ts';
import type { FlowEvent, PlainEvent } from '../flow/flow.ts';
import type { ConnectorAuthProperties } from '../properties.ts';

/** The state of a widget whose settings are invalid and that therefore has no flow. */
export interface Misconfigured {
  readonly name: 'misconfigured';
}

/**
 * The context that a screen needs to render. A screen is a function from a state and this context to a
 * template whose root has the class `screen`. a11y/focus-target.ts selects the element that receives focus.
 */
export interface RenderContext extends ComponentContext {
  readonly host: LitElement & Pick<ConnectorAuthProperties, 'requests'>;
  /** Applies an event to the flow. */
  readonly send: (event: FlowEvent) => void;
  /** Returns a handler that applies an event which needs nothing but its type. */
  readonly sends: (type: PlainEvent) => () => void;
}
