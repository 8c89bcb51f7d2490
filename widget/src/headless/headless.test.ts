import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectLink, FakeService, json, never, problem, type Handler } from '../../gallery/fake-service.ts';
import { createRoute, listRoute } from '../../test/actions.ts';
import { until } from '../../test/until.ts';
import {
  collectValues,
  createConnectorFlow,
  fieldsOf,
  leavesOf,
  type ConnectorFlow,
  type ConnectorFlowOptions,
  type StateName,
} from './index.ts';

function createFlow(
  routes: Readonly<Record<string, Handler>> = {},
  options: Partial<ConnectorFlowOptions> = {},
): {
  flow: ConnectorFlow;
  service: FakeService;
} {
  const service = new FakeService(routes);
  const flow = createConnectorFlow({ tokenUrl: service.tokenUrl, ...options });
  onTestFinished(() => {
    flow.stop();
    service.close();
    expect(service.unexpected).toEqual([]);
  });
  return { flow, service };
}

/** Resolves once the flow reaches a state. */
function reaches(flow: ConnectorFlow, name: StateName): Promise<void> {
  return until(() => {
    expect(flow.state.name).toBe(name);
  });
}

describe('headless flow', () => {
  test('sends no request before the start event', () => {
    const { flow, service } = createFlow();
    expect(flow.state.name).toBe('idle');
    expect(service.requests).toEqual([]);
  });

  test.each([
    [{}, 'en'],
    [{ language: 'pt-BR' }, 'pt-BR'],
  ])('with the options %j, asks the service for %s', async (options, language) => {
    const { flow, service } = createFlow({}, options);
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    const [request] = service.requestsTo('GET /integrations/definitions/sources');
    expect(request?.headers.get('accept-language')).toBe(language);
  });

  test('connects a source with a form generated from its schema', async () => {
    const { flow, service } = createFlow();
    const seen: StateName[] = [];
    flow.subscribe(({ name }) => seen.push(name));
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    flow.send({ type: 'pick', definitionId: 'def-granola' });
    await reaches(flow, 'filling');
    if (flow.state.name !== 'filling') throw new Error('No form');
    const fields = leavesOf(fieldsOf(flow.state.method.schema, 'credentials'));
    const typed = new Map([['credentials.api_key', 'grn_live_1234']]);
    flow.send({ type: 'submit', entry: { credentials: {}, ...collectValues(fields, typed) } });
    await reaches(flow, 'connected');
    expect(seen).toEqual(['loading', 'catalog', 'opening', 'filling', 'submitting', 'connected']);
    const [sent] = service.requestsTo(createRoute);
    expect(await sent?.json()).toMatchObject({ credentials: { api_key: 'grn_live_1234' } });
  });

  test('lists the sources in the options, or opens a single source immediately', async () => {
    const { flow } = createFlow({}, { sources: ['gong', 'granola'] });
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    if (flow.state.name !== 'catalog') throw new Error('No catalog');
    expect(flow.state.catalog.definitions.map(({ name }) => name)).toEqual(['Granola', 'Gong']);
    const straight = createFlow({}, { source: 'gong' }).flow;
    straight.send({ type: 'start' });
    await reaches(straight, 'filling');
  });

  test('reports a failure in the state and retries on request', async () => {
    const { flow } = createFlow({ [listRoute]: () => problem(429, 'rate_limited') });
    flow.send({ type: 'start' });
    await reaches(flow, 'unavailable');
    expect(flow.state).toMatchObject({ failure: { code: 'rate_limited', status: 429 } });
    flow.send({ type: 'retry' });
    expect(flow.state.name).toBe('loading');
    await reaches(flow, 'unavailable');
  });

  test('ignores events that the current state does not handle', async () => {
    const { flow } = createFlow();
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    const { state } = flow;
    flow.send({ type: 'confirm' });
    expect(flow.state).toBe(state);
  });

  test('calls a listener once per subscription until it unsubscribes', async () => {
    const { flow } = createFlow();
    const heard = vi.fn();
    const listener = () => {
      heard();
    };
    const end = flow.subscribe(listener);
    const endOther = flow.subscribe(listener);
    end();
    flow.send({ type: 'start' });
    expect(heard).toHaveBeenCalledTimes(1);
    endOther();
    await reaches(flow, 'catalog');
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('aborts pending requests when the flow is stopped', async () => {
    const { flow, service } = createFlow({ [listRoute]: never });
    flow.send({ type: 'start' });
    await until(() => {
      expect(service.requestsTo(listRoute)).toHaveLength(1);
    });
    const signal = service.requestsTo(listRoute)[0]?.signal;
    flow.stop();
    await until(() => {
      expect(signal?.aborted).toBe(true);
    });
  });

  test('creates a link for a colleague, and cancels it', async () => {
    const { flow, service } = createFlow();
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    flow.send({ type: 'pick', definitionId: 'def-granola' });
    await reaches(flow, 'filling');
    flow.send({ type: 'createLink' });
    await reaches(flow, 'sharing');
    expect(flow.state.name === 'sharing' && flow.state.link.url).toContain('/connect/');
    service.use({ 'GET /integrations/connect-links/*': () => json(connectLink({ status: 'revoked' })) });
    flow.send({ type: 'cancelLink' });
    await reaches(flow, 'filling');
    expect(service.requestsTo('DELETE /integrations/connect-links/*')).toHaveLength(1);
  });

  test('throws unless exactly one of tokenUrl and getToken is set', () => {
    expect(() => createConnectorFlow({})).toThrow('tokenUrl or getToken');
    const both = { tokenUrl: '/token', getToken: () => Promise.reject(new Error('Not asked')) };
    expect(() => createConnectorFlow(both)).toThrow(TypeError);
  });
});
