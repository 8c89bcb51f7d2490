import { expect, onTestFinished } from 'vitest';
import { FakeService, type Handler } from '../gallery/fake-service.ts';
import { appearing } from '../gallery/scenes.ts';
import type { ConnectorAuthElement, ConnectorAuthEventName } from '../src/index.ts';
import '../src/index.ts';
// A development server that is busy can need longer for it than a test waits.
import '../src/screens/steps.ts';
import { soon } from './until.ts';

/** A widget mounted with a fake service, with accessors that tests use to observe it. */
export interface Harness {
  readonly widget: ConnectorAuthElement;
  readonly service: FakeService;
  /** The events that the widget has dispatched so far. */
  readonly events: readonly { readonly type: string; readonly detail: unknown }[];
  /** The announcements in the live region so far. */
  readonly announcements: readonly string[];
  /** Resolves with the element that matches a selector, as soon as it exists. */
  find(selector: string): Promise<HTMLElement>;
  /** Resolves with the detail of the next event with this name. */
  nextEvent(name: ConnectorAuthEventName): Promise<unknown>;
}

const eventNames: readonly ConnectorAuthEventName[] = [
  'connector-auth-ready',
  'connector-auth-step',
  'connector-auth-connected',
  'connector-auth-next',
  'connector-auth-reconnected',
  'connector-auth-disconnected',
  'connector-auth-request',
  'connector-auth-close',
  'connector-auth-error',
];

/**
 * Adds a widget to the page and removes it after the test, which fails if the widget sent an unexpected
 * request.
 */
export function mountWidget(
  routes: Readonly<Record<string, Handler>> = {},
  prepare: (widget: ConnectorAuthElement, service: FakeService) => void = useTokenUrl,
): Harness {
  const service = new FakeService(routes);
  const widget = document.createElement('connector-auth');
  const events: { type: string; detail: unknown }[] = [];
  const announcements: string[] = [];
  for (const name of eventNames) {
    widget.addEventListener(name, ({ type, detail }: CustomEvent<unknown>) => {
      events.push({ type, detail });
    });
  }
  prepare(widget, service);
  document.body.append(widget);
  void listen(widget, announcements);
  onTestFinished(() => {
    widget.remove();
    service.close();
    expect(service.unexpected).toEqual([]);
  });
  return {
    widget,
    service,
    events,
    announcements,
    find: selector => appearing(widget, selector),
    nextEvent: name =>
      soon(
        new Promise(resolve => {
          widget.addEventListener(
            name,
            ({ detail }: CustomEvent<unknown>) => {
              resolve(detail);
            },
            { once: true },
          );
        }),
        name,
      ),
  };
}

/** Records the announcements in the live region. */
async function listen(widget: ConnectorAuthElement, said: string[]): Promise<void> {
  const region = await appearing(widget, '[role="status"]');
  new MutationObserver(() => {
    said.push(region.textContent.trim());
  }).observe(region, { subtree: true, childList: true, characterData: true });
}

/** Sets the `token-url` attribute, as most pages do. */
export function useTokenUrl(widget: ConnectorAuthElement, service: FakeService): void {
  widget.setAttribute('token-url', service.tokenUrl);
}

/** Returns the focused element, including inside shadow roots. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
