import type { Connector, SourceDefinition } from '@connector-auth/api';
import type { ReactiveControllerHost } from 'lit';
import type { State } from '../flow/flow.ts';
import { normalized } from '../flow/sources.ts';
import { FlowConsumer } from './flow-consumer.ts';
import type { ProvidedFlow } from './flow-context.ts';

const idle: State = { name: 'idle' };

/**
 * Gives an element the flow of the `<connector-auth-provider>` around it, and updates the element whenever the flow
 * changes.
 */
export class ConnectorAuthController {
  readonly #consumer: FlowConsumer;
  #isReported = false;

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    this.#consumer = new FlowConsumer(host, this.#handleChange);
  }

  /** The current state of the flow: `idle` outside a provider. */
  get state(): State {
    return this.#consumer.value?.state ?? idle;
  }

  /** Whether the sources and connectors are known. They stay known while they are loaded again. */
  get isLoaded(): boolean {
    return !!this.#consumer.value?.catalog;
  }

  /** The customer's connectors. */
  get connectors(): readonly Connector[] {
    return this.#consumer.value?.catalog?.connectors ?? [];
  }

  /** The sources that the customer can connect. */
  get sources(): readonly SourceDefinition[] {
    return this.#consumer.value?.catalog?.definitions ?? [];
  }

  /** Returns the customer's connectors of a connector type. */
  connectorsOf(source: string): readonly Connector[] {
    return this.connectors.filter(({ connector_type }) => normalized(connector_type) === normalized(source));
  }

  /**
   * Opens the form of a source, its connector, or the catalog: in the visible `<connector-auth>` inside the provider,
   * or else in a dialog. A connector whose sign-in has expired is reconnected.
   */
  open(source?: string | null): void {
    this.#consumer.value?.provider.open(source);
  }

  readonly #handleChange = (value: ProvidedFlow | undefined): void => {
    if (value || this.#isReported) return;
    this.#isReported = true;
    // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
    console.error(
      `<${this.host.localName}>: put this element into <connector-auth-provider token-url="/connector-auth/widget-token">`,
    );
  };
}
