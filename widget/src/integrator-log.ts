import type { FlowSettings } from './properties.ts';
import { concernsIntegrator, failureIn } from './service/failure.ts';

/** Logs a message for the integrator, unless the same element has logged it before. */
export type Log = (message: string, more?: string) => void;

/** Returns the log of one element. */
export function createLog(tagName: string): Log {
  const logged = new Set<string>();
  return (message, more = '') => {
    if (logged.has(message)) return;
    logged.add(message);
    // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
    console.error(`<${tagName}>: ${message}${more}`);
  };
}

/** Logs the failure of a state if it is about the integrator's settings or servers. */
export function logFailure(log: Log, state: object): void {
  const failure = failureIn(state);
  if (!failure || !concernsIntegrator(failure)) return;
  const { code, message, requestId } = failure;
  log(message, ` (${code}${requestId ? `, request ${requestId}` : ''})`);
}

type Widget = FlowSettings & { readonly isConnected: boolean };

/** The widgets with a running flow of their own. */
const owners = new Set<Widget>();
let isAdvised = false;

/**
 * Logs once per page that another widget with the same token could share its flow.
 * @param signal aborts when the widget's flow stops.
 */
export function adviseProvider(widget: Widget, signal: AbortSignal): void {
  for (const { isConnected, tokenUrl, getToken } of owners) {
    if (isAdvised || !isConnected || tokenUrl !== widget.tokenUrl || getToken !== widget.getToken) continue;
    isAdvised = true;
    // oxlint-disable-next-line no-console -- where integrators look
    console.info(
      '<connector-auth>: two widgets with the same token each load the sources. To share one flow, put them into <connector-auth-provider> of @connector-auth/widget/lit',
    );
  }
  owners.add(widget);
  signal.addEventListener('abort', () => owners.delete(widget));
}
