import type {
  Connector,
  ConnectLink,
  CreateConnectLinkRequest,
  CreateConnectLinkResponse,
} from '@connector-auth/api';
import type { FlowEvent, Link, StateOf } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import { longPollMs, longPollSeconds, type Service } from '../service/service.ts';
import { watch } from '../service/watch.ts';

export const connectLinks = '/integrations/connect-links';

/** Creates the effects of connect links for one flow. */
export function createLinkEffects(service: Service) {
  /** The links that can still be used, by connector or source. The service returns their URLs only once. */
  const links = new Map<string, Link>();

  return async (
    state: StateOf<'linking' | 'sharing' | 'cancelling' | 'cancellingLink'>,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> => {
    if (state.name === 'linking') {
      const { seconds } = state;
      const key = state.target?.id ?? state.definition.sourceDefinitionId;
      const replaced = seconds && links.get(key);
      if (replaced) {
        links.delete(key);
        await service.call({ method: 'DELETE', path: `${connectLinks}/${replaced.id}` }, signal);
      }
      const link = links.get(key) ?? { ...(await create(state, signal)), seconds };
      links.set(key, link);
      return { type: 'linked', link };
    }
    const ended = 'link' in state ? state.link.id : state.linkId;
    const path = `${connectLinks}/${ended}` as const;
    const isCancelling = state.name !== 'sharing';
    const { status, connector_id } = await (isCancelling
      ? cancel(path, signal)
      : watchLink(path, signal, send));
    for (const [key, { id }] of links) if (id === ended) links.delete(key);
    if (status === 'used') {
      const path =
        `/integrations/connectors/${'connector' in state ? state.connector.id : connector_id}` as const;
      return { type: 'stored', connector: await service.call<Connector>({ path }, signal) };
    }
    if (isCancelling) return { type: 'linkCancelled' };
    throw new ServiceError(
      status === 'expired' ? 'link_expired' : 'link_revoked',
      `The connect link is ${status}`,
    );
  };

  function create(
    { definition, target, seconds }: StateOf<'linking'>,
    signal: AbortSignal,
  ): Promise<CreateConnectLinkResponse> {
    const body: CreateConnectLinkRequest = {
      ...(target ? { connector_id: target.id } : { connector_type: definition.connectorType }),
      ...(seconds ? { expires_in: seconds } : null),
    };
    return service.call({ method: 'POST', path: connectLinks, body }, signal);
  }

  /** Cancels a link and resolves with it, because it may have been used just before. */
  async function cancel(path: `/${string}`, signal: AbortSignal): Promise<ConnectLink> {
    await service.call({ method: 'DELETE', path }, signal);
    return service.call({ path }, signal);
  }

  /** Resolves with a link once it can no longer be used. */
  function watchLink(
    path: `/${string}`,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<ConnectLink> {
    return watch({
      poll: async signal => {
        const link = await service.call<ConnectLink>(
          { path: `${path}?wait_seconds=${longPollSeconds}`, timeoutMs: longPollMs },
          signal,
        );
        if (link.status === 'confirmed') send({ type: 'linkOpened' });
        return link;
      },
      isOver: ({ status }) => status !== 'open' && status !== 'confirmed',
      onFailureChange: failure => {
        send({ type: 'polled', failure });
      },
      signal,
    });
  }
}
