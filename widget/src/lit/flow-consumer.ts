import { ContextConsumer } from '@lit/context';
import type { ReactiveControllerHost } from 'lit';
import { flowContext, type ProvidedFlow } from './flow-context.ts';

type Host = ReactiveControllerHost & HTMLElement;

/**
 * Consumes the flow of the nearest provider, and notices when its host is moved out of it. The host updates whenever
 * the flow changes.
 */
export class FlowConsumer {
  readonly #consumer: ContextConsumer<typeof flowContext, Host>;
  /** Whether a provider has responded since the host was connected. */
  #isFound = false;

  /** @param onChange called with undefined if the host is not in a provider. */
  constructor(host: Host, onChange: (value: ProvidedFlow | undefined) => void) {
    // Before the consumer, to which a provider responds at once.
    host.addController({
      hostConnected: () => {
        this.#isFound = false;
        queueMicrotask(() => {
          if (this.#isFound || !host.isConnected) return;
          onChange(undefined);
          host.requestUpdate();
        });
      },
    });
    this.#consumer = new ContextConsumer(host, {
      context: flowContext,
      subscribe: true,
      callback: value => {
        this.#isFound = true;
        onChange(value);
      },
    });
  }

  /** The flow, or undefined if the host is not in a provider. */
  get value(): ProvidedFlow | undefined {
    return this.#isFound ? this.#consumer.value : undefined;
  }
}
