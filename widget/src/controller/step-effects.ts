import type { Connector, CreateConnectorRequest, UpdateConnectorRequest } from '@connector-auth/api';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { FlowEvent, StateOf } from '../flow/flow.ts';
import type { StepState } from '../flow/next.ts';
import { askForConsent } from '../popup/ask-for-consent.ts';
import type { RedirectPlan } from '../popup/redirect.ts';
import { randomHex } from '../popup/secrets.ts';
import { failureOf } from '../service/failure.ts';
import { pause } from '../service/pause.ts';
import { vendorTimeoutMs, type Service } from '../service/service.ts';

/** Does what a state behind the catalog needs done; resolves with what it came to, or null. */
export type StepEffects = (
  state: StepState,
  signal: AbortSignal,
  tell: (event: FlowEvent) => void,
) => Promise<FlowEvent | null>;

/** Milliseconds between two looks at a connector on the screen. */
export const refreshMs = 5000;

/** The effects of one flow: it remembers which request it sent without learning what became of it. */
export function createEffects(service: Service, redirect: RedirectPlan | null | undefined): StepEffects {
  const connectors = '/integrations/connectors';
  /** The last submission whose outcome is unknown: sent again unchanged, it must not make a second connector. */
  let unanswered: { body: string; key: string } | null = null;

  return async (state, signal, tell) => {
    switch (state.name) {
      case 'consenting':
        return askForConsent(state, { service, redirect, signal, tell });
      case 'submitting':
        return { type: 'stored', connector: await submit(state, signal) };
      case 'saving':
        return { type: 'stored', connector: await update(state.connector, { name: state.newName }, signal) };
      case 'disconnecting':
        try {
          await service.call(
            { method: 'DELETE', path: `${connectors}/${state.connector.id}`, timeoutMs: vendorTimeoutMs },
            signal,
          );
        } catch (error) {
          // Somebody else was faster: what the person wanted is so.
          if (!isGone(error)) throw error;
        }
        return { type: 'disconnected' };
      case 'managing':
        return refresh(state.connector, signal, tell);
      default:
        return null;
    }
  };

  /** Renames, or asks the vendor about new credentials before it answers. */
  function update({ id }: Connector, body: UpdateConnectorRequest, signal: AbortSignal): Promise<Connector> {
    return service.call(
      { method: 'PATCH', path: `${connectors}/${id}`, body, timeoutMs: vendorTimeoutMs },
      signal,
    );
  }

  async function submit(
    { catalog, definition, target, entry }: StateOf<'submitting'>,
    signal: AbortSignal,
  ): Promise<Connector> {
    if (target) return update(target, entry, signal);
    const body: CreateConnectorRequest = {
      definition_id: definition.sourceDefinitionId,
      name: connectorNameFor(definition, catalog.connectors),
      ...entry,
    };
    const text = JSON.stringify(body);
    if (unanswered?.body !== text) unanswered = { body: text, key: randomHex(16) };
    try {
      const connector = await service.call<Connector>(
        {
          method: 'POST',
          path: connectors,
          body,
          headers: { 'idempotency-key': unanswered.key },
          timeoutMs: vendorTimeoutMs,
        },
        signal,
      );
      unanswered = null;
      return connector;
    } catch (error) {
      const { status } = failureOf(error);
      // A refusal is an answer: trying again is a new request. Without an answer the connector may exist.
      if (status !== null && status < 500 && status !== 401) unanswered = null;
      throw error;
    }
  }

  /** Looks at a connector again and again while the person looks at it; an outage changes nothing on the screen. */
  async function refresh(
    { id }: Connector,
    signal: AbortSignal,
    tell: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    while (!signal.aborted) {
      await pause(refreshMs, signal);
      try {
        tell({
          type: 'refreshed',
          connector: await service.call<Connector>({ path: `${connectors}/${id}` }, signal),
        });
      } catch (error) {
        if (isGone(error)) return { type: 'disconnected' };
      }
    }
    return null;
  }
}

function isGone(error: unknown): boolean {
  return failureOf(error).code === 'connector_not_found';
}
