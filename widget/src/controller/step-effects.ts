import type { Connector, CreateConnectorRequest, UpdateConnectorRequest } from '@connector-auth/api';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { FlowEvent, StateOf } from '../flow/flow.ts';
import type { StepState } from '../flow/next.ts';
import type { RedirectOptions } from '../popup/redirect.ts';
import { requestConsent } from '../popup/request-consent.ts';
import { randomHex } from '../popup/secrets.ts';
import { failureOf } from '../service/failure.ts';
import { pause } from '../service/pause.ts';
import { vendorTimeoutMs, type Service } from '../service/service.ts';

/** Runs the effect of a state behind the catalog. Resolves with the event of its outcome, or null. */
export type StepEffects = (
  state: StepState,
  signal: AbortSignal,
  send: (event: FlowEvent) => void,
) => Promise<FlowEvent | null>;

/** Milliseconds between polls of the connector on the screen. */
export const refreshMs = 5000;

/** Creates the effects of one flow. They remember a submission whose outcome is unknown. */
export function createEffects(service: Service, redirect: RedirectOptions | null | undefined): StepEffects {
  const connectors = '/integrations/connectors';
  /** The last submission without a response. Its key makes an identical retry idempotent. */
  let pending: { body: string; key: string } | null = null;

  return async (state, signal, send) => {
    switch (state.name) {
      case 'consenting':
        return requestConsent(state, { service, redirect, signal, send });
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
          // Already deleted elsewhere, which is what the user wants.
          if (!isGone(error)) throw error;
        }
        return { type: 'disconnected' };
      case 'managing':
        return refresh(state.connector, signal, send);
      default:
        return null;
    }
  };

  /** Renames the connector, or has the vendor verify new credentials. */
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
    if (pending?.body !== text) pending = { body: text, key: randomHex(16) };
    try {
      const connector = await service.call<Connector>(
        {
          method: 'POST',
          path: connectors,
          body,
          headers: { 'idempotency-key': pending.key },
          timeoutMs: vendorTimeoutMs,
        },
        signal,
      );
      pending = null;
      return connector;
    } catch (error) {
      const { status } = failureOf(error);
      // After a rejection, a retry is a new request. Without a response the connector may exist.
      if (status !== null && status < 500 && status !== 401) pending = null;
      throw error;
    }
  }

  /** Polls a connector while it is on the screen. Failures change nothing there. */
  async function refresh(
    { id }: Connector,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    while (!signal.aborted) {
      await pause(refreshMs, signal);
      try {
        send({
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
