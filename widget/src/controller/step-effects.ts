import type {
  Connector,
  CreateConnectorRequest,
  ListAccountsResponse,
  ListActivityResponse,
  ListConnectLinksResponse,
  SourceDefinitionDetail,
  UpdateConnectorRequest,
} from '@connector-auth/api';
import { connectionState } from '@connector-auth/api/connection-state';
import { connectorNameFor } from '../flow/connector-name.ts';
import type { FlowEvent, StateOf } from '../flow/flow.ts';
import type { StepState } from '../flow/next.ts';
import { isAllowed } from '../flow/rights.ts';
import { changeableSettings } from '../form/fields.ts';
import { requestConsent, type ConsentOptions } from '../popup/request-consent.ts';
import { randomHex } from '../popup/secrets.ts';
import { failureOf } from '../service/failure.ts';
import { pause } from '../service/pause.ts';
import { expectList, vendorTimeoutMs, type Request, type Service } from '../service/service.ts';
import { connectLinks, createLinkEffects } from './link-effects.ts';

/** Runs the effect of a state that follows the catalog. Resolves with the event for its outcome, or null. */
export type StepEffects = (
  state: StepState,
  signal: AbortSignal,
  send: (event: FlowEvent) => void,
) => Promise<FlowEvent | null>;

/** The time in which the user can undo disconnecting. */
export const undoSeconds = 30;
/** Interval at which the displayed connector is polled, in milliseconds. */
export const refreshMs = 5000;
/** The same while the user watches the first sync. */
export const watchMs = 2000;
/** The longest interval, after repeated failures. */
const maxRefreshMs = 60_000;

/**
 * Creates the effects for one flow. They reuse the idempotency key of a submission whose outcome is unknown.
 */
export function createEffects(
  service: Service,
  consent: Pick<ConsentOptions, 'redirect' | 'waitingPage'>,
): StepEffects {
  const connectors = '/integrations/connectors';
  const runLinkEffect = createLinkEffects(service);
  /** The last submission that got no response. Its idempotency key is sent again with an identical retry. */
  let pending: { body: string; key: string } | null = null;

  return async (state, signal, send) => {
    switch (state.name) {
      case 'consenting':
        return requestConsent(state, { ...consent, service, signal, send });
      case 'listing': {
        const { sessionId, secretId } = state.consented;
        const headers = { 'x-oauth-secret-id': secretId };
        const path = `${connectors}/oauth/sessions/${sessionId}/accounts` as const;
        return { type: 'listed', list: await listAccounts({ path, headers }, signal) };
      }
      case 'openingAccounts':
        return openAccounts(state.connector, signal);
      case 'savingAccounts':
        return { type: 'stored', connector: await saveAccounts(state, signal) };
      case 'syncing':
        return {
          type: 'stored',
          connector: await service.call<Connector>(
            { method: 'POST', path: `${connectors}/${state.connector.id}/sync` },
            signal,
          ),
        };
      case 'linking':
      case 'sharing':
      case 'cancelling':
      case 'cancellingLink':
        return runLinkEffect(state, signal, send);
      case 'connected':
        return refresh(state.connector, signal, send, watchMs);
      case 'submitting':
        return { type: 'stored', connector: await submit(state, signal) };
      case 'saving':
        return { type: 'stored', connector: await update(state.connector, { name: state.newName }, signal) };
      case 'disconnecting':
        return disconnect(state.connector, signal);
      case 'disconnected':
        await pause(Date.parse(state.until) - Date.now(), signal);
        return { type: 'disconnected' };
      case 'undoing': {
        const path = `${connectors}/${state.connector.id}/restore` as const;
        return { type: 'stored', connector: await service.call<Connector>({ method: 'POST', path }, signal) };
      }
      case 'managing':
        return refreshManaged(state, signal, send);
      default:
        return null;
    }
  };

  async function disconnect({ id }: Connector, signal: AbortSignal): Promise<FlowEvent> {
    // Measured before the request, so that the time is over here before it is over at the service.
    const until = new Date(Date.now() + undoSeconds * 1000).toISOString();
    const path = `${connectors}/${id}?undo_seconds=${undoSeconds}` as const;
    try {
      await service.call({ method: 'DELETE', path, timeoutMs: vendorTimeoutMs }, signal);
    } catch (error) {
      // The connector was already deleted elsewhere, which is what the user wants.
      if (isGone(error)) return { type: 'disconnected' };
      throw error;
    }
    return { type: 'disconnected', until };
  }

  async function listAccounts(
    request: Pick<Request, 'path' | 'headers'>,
    signal: AbortSignal,
  ): Promise<ListAccountsResponse> {
    const list = await service.call<ListAccountsResponse>({ ...request, timeoutMs: vendorTimeoutMs }, signal);
    expectList(list.accounts);
    return list;
  }

  async function openAccounts({ id, definition_id }: Connector, signal: AbortSignal): Promise<FlowEvent> {
    const path = `/integrations/definitions/sources/${definition_id}` as const;
    const [list, detail] = await Promise.all([
      listAccounts({ path: `${connectors}/${id}/accounts` }, signal),
      service.call<SourceDefinitionDetail>({ path }, signal),
    ]);
    return { type: 'listed', list, detail };
  }

  /** Stores the chosen accounts and the settings that the user changed. Those that the user cleared get their defaults. */
  function saveAccounts(
    { connector, detail, entry, ids }: StateOf<'savingAccounts'>,
    signal: AbortSignal,
  ): Promise<Connector> {
    const { accounts_setting: setting } = detail;
    const names = changeableSettings(detail, connector).map(({ path }) =>
      path.slice('replication_config.'.length),
    );
    const settings: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries(names.map(name => [name, null])),
      ...entry.replication_config,
      ...(setting ? { [setting]: ids } : null),
    };
    const isChanged = ([name, value]: readonly [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(connector.replication_config?.[name] ?? null);
    const changes = Object.fromEntries(Object.entries(settings).filter(isChanged));
    return update(connector, { replication_config: changes }, signal);
  }

  /** Renames the connector, or changes its settings or credentials after the vendor has verified them. */
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
      // A retry after a rejection is a new request. If no response arrived, the connector may exist.
      if (status !== null && status < 500 && status !== 401) pending = null;
      throw error;
    }
  }

  /** Reports a list that the screen is complete without. A failure to load it only hides it. */
  async function report<T>(
    page: Promise<{ readonly data: readonly T[] }>,
    listed: (data: readonly T[]) => void,
  ): Promise<void> {
    try {
      listed(expectList((await page).data));
    } catch {
      // The state of the connector is shown without it.
    }
  }

  /**
   * Loads the open links for a connector or its source, if the user may cancel them. Polls the connector and, each time
   * something was synced, its activity, of which the screen combines similar entries, so that both say the same.
   */
  function refreshManaged(
    { catalog, connector }: StateOf<'managing'>,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    const { id, connector_type: type } = connector;
    const reportActivity = () => {
      const path = `${connectors}/${id}/activity?limit=50` as const;
      void report(service.call<ListActivityResponse>({ path }, signal), activity => {
        send({ type: 'reported', activity });
      });
    };
    let { since } = connectionState(connector);
    reportActivity();
    if (isAllowed(catalog, 'link')) {
      const path = `${connectLinks}?connector_type=${type}` as const;
      void report(service.call<ListConnectLinksResponse>({ path }, signal), data => {
        const links = data.filter(({ connector_id: target }) => !target || target === id);
        send({ type: 'linksListed', links });
      });
    }
    return refresh(connector, signal, event => {
      send(event);
      const latest = event.type === 'refreshed' ? connectionState(event.connector).since : since;
      if (latest !== since) reportActivity();
      since = latest;
    });
  }

  /**
   * Polls a connector while it is displayed. Failed polls do not change the screen, and the next one waits longer.
   * @param syncingMs the interval until everything is synced.
   */
  async function refresh(
    { id, sync }: Connector,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
    syncingMs = refreshMs,
  ): Promise<FlowEvent | null> {
    const intervalFor = ({ status }: Connector['sync']) =>
      status === 'building' || status === 'preview' ? syncingMs : refreshMs;
    let waitMs = intervalFor(sync);
    while (!signal.aborted) {
      await pause(waitMs, signal);
      try {
        const connector = await service.call<Connector>({ path: `${connectors}/${id}` }, signal);
        waitMs = intervalFor(connector.sync);
        send({ type: 'refreshed', connector });
      } catch (error) {
        if (isGone(error)) return { type: 'disconnected' };
        waitMs = Math.min(waitMs * 2, maxRefreshMs);
      }
    }
    return null;
  }
}

function isGone(error: unknown): boolean {
  return failureOf(error).code === 'connector_not_found';
}
