import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeService, never, problem, type Handler } from '../../gallery/fake-service.ts';
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

function begin(
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

/** Resolves when the flow is in a state of this name. */
function reaches(flow: ConnectorFlow, name: StateName): Promise<void> {
  return until(() => {
    expect(flow.state.name).toBe(name);
  });
}

describe('the flow without our looks', () => {
  it('asks for nothing before it is told to start', () => {
    const { flow, service } = begin();
    expect(flow.state.name).toBe('idle');
    expect(service.requests).toEqual([]);
  });

  it('connects a source from its schema, step by step', async () => {
    const { flow, service } = begin();
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

  it('shows the sources it is told to, or goes straight to one', async () => {
    const { flow } = begin({}, { sources: ['gong', 'granola'] });
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    if (flow.state.name !== 'catalog') throw new Error('No catalog');
    expect(flow.state.catalog.definitions.map(({ name }) => name)).toEqual(['Granola', 'Gong']);
    const straight = begin({}, { source: 'gong' }).flow;
    straight.send({ type: 'start' });
    await reaches(straight, 'filling');
  });

  it('tells why something failed, and goes on from there', async () => {
    const { flow } = begin({ [listRoute]: () => problem(429, 'rate_limited') });
    flow.send({ type: 'start' });
    await reaches(flow, 'unavailable');
    expect(flow.state).toMatchObject({ failure: { code: 'rate_limited', status: 429 } });
    flow.send({ type: 'retry' });
    expect(flow.state.name).toBe('loading');
    await reaches(flow, 'unavailable');
  });

  it('ignores what a state does not know', async () => {
    const { flow } = begin();
    flow.send({ type: 'start' });
    await reaches(flow, 'catalog');
    const { state } = flow;
    flow.send({ type: 'confirm' });
    expect(flow.state).toBe(state);
  });

  it('tells nobody who does not listen any more', async () => {
    const { flow } = begin();
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

  it('gives up its requests when it is stopped', async () => {
    const { flow, service } = begin({ [listRoute]: never });
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

  it('says what it needs', () => {
    expect(() => createConnectorFlow({})).toThrow('tokenUrl or getToken');
    const both = { tokenUrl: '/token', getToken: () => Promise.reject(new Error('Not asked')) };
    expect(() => createConnectorFlow(both)).toThrow(TypeError);
  });
});
