import { html, LitElement, type TemplateResult } from 'lit';
import { expect, onTestFinished } from 'vitest';
import { FakeService, type Handler } from '../gallery/fake-service.ts';
import type { ConnectorAuthElement } from '../src/connector-auth.ts';
import { ConnectorAuthController, type ConnectorAuthProviderElement } from '../src/lit/index.ts';
import { until } from './until.ts';

/** An element of the page that uses the controller. */
export class TestBadge extends LitElement {
  readonly flow = new ConnectorAuthController(this);

  protected override render(): TemplateResult {
    const { state, connectors } = this.flow;
    return html`${state.name}: ${connectors.map(({ name }) => name).join(', ')}`;
  }
}
customElements.define('test-badge', TestBadge);

export interface Page {
  readonly provider: ConnectorAuthProviderElement;
  readonly service: FakeService;
  /** The events that were heard at the provider. */
  readonly events: readonly { readonly type: string; readonly target: EventTarget | null }[];
  /** Returns the element that matches a selector in the provider. */
  readonly at: (selector: string) => HTMLElement;
  readonly widget: ConnectorAuthElement;
  readonly badge: TestBadge;
}

const heard = [
  'connector-auth-ready',
  'connector-auth-connected',
  'connector-auth-disconnected',
  'connector-auth-error',
] as const;

/** Adds a provider with some content to the page until the test ends. */
export function mountProvider(content: string, routes: Readonly<Record<string, Handler>> = {}): Page {
  const service = new FakeService(routes);
  const provider = document.createElement('connector-auth-provider');
  const events: { type: string; target: EventTarget | null }[] = [];
  for (const name of heard) {
    provider.addEventListener(name, ({ type, target }) => {
      events.push({ type, target });
    });
  }
  provider.tokenUrl = service.tokenUrl;
  provider.innerHTML = content;
  document.body.append(provider);
  onTestFinished(() => {
    provider.remove();
    service.close();
    expect(service.unexpected).toEqual([]);
  });
  const at = (selector: string): HTMLElement => {
    const found = provider.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`No ${selector}`);
    return found;
  };
  return {
    provider,
    service,
    events,
    at,
    get widget() {
      // Its tag says so, as below.
      return at('connector-auth') as ConnectorAuthElement;
    },
    get badge() {
      return at('test-badge') as TestBadge;
    },
  };
}

/** Resolves once an element shows a text. */
export async function shows(element: HTMLElement, text: string | RegExp): Promise<void> {
  await until(() => {
    expect(element.shadowRoot?.textContent.replaceAll(/\s+/g, ' ').trim()).toMatch(text);
  });
}
