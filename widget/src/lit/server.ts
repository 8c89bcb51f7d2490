import type { State } from '../flow/flow.ts';
import type { ConnectorAuthController as Controller } from './controller.ts';
import { flowSettings } from './flow-settings.ts';

/** The public members of a class. */
type Public<Class> = Pick<Class, keyof Class>;

/**
 * Replaces `@connector-auth/widget/lit` on a server, where an element that uses the controller renders as it does
 * before the sources are loaded. Registers nothing.
 */
export class ConnectorAuthController implements Public<Controller> {
  readonly state: State = { name: 'idle' };
  readonly isLoaded: boolean = false;
  readonly connectors: readonly never[] = [];
  readonly sources: readonly never[] = [];

  // oxlint-disable-next-line no-useless-constructor -- takes the host, as in a browser
  constructor(_host: object) {}

  connectorsOf(_source: string): readonly never[] {
    return [];
  }

  /** Does nothing on a server. */
  open(_source?: string | null): void {}
}

/** The classes of the elements declare the properties that a framework would write as attributes. */
export const ConnectorAuthProviderElement = declare(flowSettings);
export const ConnectorAuthButtonElement = declare(['source']);
export const ConnectorAuthStatusElement = declare(['source']);

function declare(names: readonly string[]): new () => object {
  // oxlint-disable-next-line no-extraneous-class -- replaces an element's class
  class ServerElement {}
  for (const name of names) Object.defineProperty(ServerElement.prototype, name, { value: null });
  return ServerElement;
}
