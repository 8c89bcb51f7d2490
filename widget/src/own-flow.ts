import type { LitElement } from 'lit';
import type { FlowController } from './controller/flow-controller.ts';
import type { FlowEvent } from './flow/flow.ts';
import type { FlowSettings } from './properties.ts';
import { hostOf } from './provided-flow.ts';
import { findIssues } from './settings.ts';

/** Time that a page has to set `getToken`, in milliseconds. After that, a missing `getToken` is an error. */
export const setupGraceMs = 1000;

export type OwnedFlow = Pick<FlowController, 'send' | 'stop'> & Partial<Pick<FlowController, 'reword'>>;

interface FlowOwner {
  /** Starts the flow, or starts it again. Reports the issues of invalid settings instead. */
  readonly start: () => void;
  readonly send: (event: FlowEvent) => void;
  readonly stop: () => void;
}

/**
 * Runs the flow of a widget or a provider while its settings are valid and it is on the page.
 * @param create creates a flow, or returns null to start later. The signal aborts when the flow stops.
 * @param onInvalid called with one sentence for each invalid or missing setting.
 * @param onRemoved called when the element was removed from the page, to stop the flow.
 */
export function ownFlow(
  host: FlowSettings & LitElement,
  create: (signal: AbortSignal) => OwnedFlow | null,
  onInvalid: (issues: string) => void,
  onRemoved: () => void,
): FlowOwner {
  let flow: OwnedFlow | null = null;
  let lifetime: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  host.addController({
    hostConnected: () => {
      if (!flow && host.hasUpdated) start();
    },
    hostUpdate: () => {
      void flow?.reword?.();
    },
    hostDisconnected: () => {
      // Moving an element removes and inserts it synchronously, which must not discard the user's input.
      queueMicrotask(() => {
        if (!host.isConnected) onRemoved();
      });
    },
  });
  return { start, send, stop };

  function start(): void {
    clearTimeout(timer);
    const issues = flow || hostOf?.(host) ? [] : findIssues(host);
    if (!issues.length) {
      flow ??= create((lifetime = new AbortController()).signal);
      send({ type: 'start' });
    } else if (!host.tokenUrl && !host.getToken && timer === undefined) {
      timer = setTimeout(start, setupGraceMs);
    } else onInvalid(issues.join('; '));
  }

  function send(event: FlowEvent): void {
    flow?.send(event);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    lifetime?.abort();
    flow?.stop();
    flow = null;
  }
}
