import { attributeOf, propertySpecs } from '../properties.ts';
import { findHostsWith } from '../provided-flow.ts';
import { FlowConsumer } from './flow-consumer.ts';
import { hasOwnFlow, type FlowProvider, type ProvidedWidget } from './flow-context.ts';
import { flowSettings } from './flow-settings.ts';

type IsWidget = (element: Element) => element is ProvidedWidget;

/** The consumers of the widgets that have looked for a provider. */
const consumers = new WeakMap<ProvidedWidget, FlowConsumer>();

/**
 * Lets each `<connector-auth>` share the flow of the provider around it, unless it has a token of its own. Includes
 * the widgets that are already on the page.
 */
export function shareFlows(isWidget: IsWidget): void {
  findHostsWith(widget => {
    if (!isWidget(widget) || hasOwnFlow(widget)) return undefined;
    if (!consumers.has(widget))
      consumers.set(
        widget,
        follow(widget, () => {}),
      );
    return consumers.get(widget)?.value?.provider;
  });
  for (const widget of widgetsIn(document, isWidget)) {
    if (!hasOwnFlow(widget)) consumers.set(widget, follow(widget, restart));
  }
}

/**
 * Restarts a widget whenever it is moved to another provider.
 * @param onFound called instead if the widget is in a provider now.
 */
function follow(widget: ProvidedWidget, onFound: (widget: ProvidedWidget) => void): FlowConsumer {
  let provider: FlowProvider | undefined;
  let handleMove = onFound;
  let withdraw = () => {};
  let isReported = false;
  const consumer = new FlowConsumer(widget, value => {
    if (value?.provider === provider) return;
    provider = value?.provider;
    withdraw();
    withdraw = provider?.offer(widget) ?? (() => {});
    if (hasOwnFlow(widget)) return;
    if (provider && !isReported) isReported = reportIgnored(widget);
    handleMove(widget);
  });
  handleMove = restart;
  return consumer;
}

/** Restarts a widget as if its settings had changed. */
function restart(widget: ProvidedWidget): void {
  widget.requestUpdate('tokenUrl', {});
}

/** Logs the settings that only a provider's own can replace, and returns whether there are any. */
function reportIgnored(widget: ProvidedWidget): boolean {
  const isOwn = (name: (typeof flowSettings)[number]) =>
    (widget[name] ?? null) !== (propertySpecs[name].initial ?? null);
  const ignored = flowSettings.filter(isOwn);
  if (!ignored.length) return false;
  // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
  console.error(
    `<connector-auth>: ${ignored.map(attributeOf).join(', ')} has no effect inside <connector-auth-provider>: set it on the provider`,
  );
  return true;
}

/** Yields the widgets in a tree and in its open shadow roots. */
function* widgetsIn(root: ParentNode, isWidget: IsWidget): Iterable<ProvidedWidget> {
  for (const element of root.querySelectorAll('*')) {
    if (isWidget(element)) yield element;
    if (element.shadowRoot) yield* widgetsIn(element.shadowRoot, isWidget);
  }
}
