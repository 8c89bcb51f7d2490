import type { State } from '../flow/flow.ts';
import { flowSettings } from './flow-settings.ts';

/**
 * Replaces `@connector-auth/widget/lit` on a server, where an element that uses the controller renders as it does
 * before the sources are loaded. Registers nothing.
 */
export class ConnectorAuthController {
  readonly state: State = { name: 'idle' };
  readonly isLoaded: boolean = false;
  readonly connectors: readonly never[] = [];
  readonly sources: readonly never[] = [];

  connectorsOf(): readonly never[] {
    return [];
  }

  /** Does nothing on a server. */
  open(): void {}
}

/** Declare the properties that a framework would write as attributes. */
export const ConnectorAuthProviderElement = declare(flowSettings);
export const ConnectorAuthButtonElement = declare(['source']);
export const ConnectorAuthStatusElement = declare(['source']);

function declare(names: readonly string[]): new () => object {
  // oxlint-disable-next-line no-extraneous-class -- replaces an element's class
  class ServerElement {}
  for (const name of names) Object.defineProperty(ServerElement.prototype, name, { value: null });
  return ServerElement;
}
