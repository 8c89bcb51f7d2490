import { expect, test } from 'vitest';
import { clientOf, problem } from '../../test/client-of.ts';
import { endpointExamples } from '../contract/examples.ts';

const [change] = endpointExamples.listChanges.response.changes;
const page = (ids: readonly string[], cursor: string, has_more: boolean) => ({
  json: { changes: ids.map(id => ({ ...change, id })), cursor, has_more, horizon_age_seconds: 0 },
});

test('follows changes page by page, with the cursor that loses none', async () => {
  const { client, service } = await clientOf([
    page(['a', 'b'], 'second', true),
    page([], 'third', true),
    page(['c'], 'fourth', false),
  ]);
  const seen: string[] = [];
  const query = { cursor: 'first', entity: 'notes' };
  const onCursor = (cursor: string) => void seen.push(`stored ${cursor}`);
  for await (const { id, cursor } of client.changes(query, { waitSeconds: 0, onCursor })) {
    seen.push(`${id} ${cursor}`);
  }
  expect(seen).toEqual(['a first', 'b second', 'stored second', 'stored third', 'c fourth', 'stored fourth']);
  expect(service.requests.map(({ path }) => path)).toEqual(
    ['first', 'second', 'third'].map(
      cursor => `/api/v1/integrations/changes?cursor=${cursor}&entity=notes&wait_seconds=0`,
    ),
  );
});

test('waits for changes until it is aborted, and fails when the cursor has expired', async () => {
  const { client, service } = await clientOf([page([], 'first', false), 'hang']);
  const leaving = new AbortController();
  const next = client.changes({ cursor: 'first' }, { signal: leaving.signal }).next();
  await service.received(2);
  leaving.abort();
  await expect(next).rejects.toMatchObject({ code: 'aborted' });
  expect(service.requests[1]?.path).toContain('wait_seconds=25');

  const { client: late } = await clientOf([problem('cursor_expired')]);
  await expect(late.changes({ cursor: 'first' }).next()).rejects.toMatchObject({
    code: 'cursor_expired',
    status: 410,
  });
});
