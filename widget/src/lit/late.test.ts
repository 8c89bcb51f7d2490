import { expect, onTestFinished, test } from 'vitest';
import { FakeService } from '../../gallery/fake-service.ts';
import { appearing } from '../../gallery/scenes.ts';
import { listRoute, withMine } from '../../test/actions.ts';
import { until } from '../../test/until.ts';
import '../index.ts';

// Only this file loads the providers after the widget. A file has a page of its own.
test('widgets that were on the page before the providers were loaded share the flow, too', async () => {
  const [shared, own] = [new FakeService(), new FakeService(withMine())];
  const place = document.createElement('div');
  place.innerHTML = `
    <connector-auth-provider token-url="${shared.tokenUrl}">
      <connector-auth id="light"></connector-auth>
      <div></div>
      <connector-auth id="own" token-url="${own.tokenUrl}"></connector-auth>
    </connector-auth-provider>`;
  const inner = document.createElement('connector-auth');
  place.querySelector('div')?.attachShadow({ mode: 'open' }).append(inner);
  const detached = document.createElement('connector-auth');
  document.body.append(place);
  onTestFinished(() => {
    place.remove();
    own.close();
    shared.close();
    expect([...shared.unexpected, ...own.unexpected]).toEqual([]);
  });
  await inner.updateComplete;
  const before = place.querySelector('#own')?.shadowRoot?.firstElementChild;
  await import('./index.ts');
  const light = place.querySelector<HTMLElement>('#light');
  if (!light) throw new Error('No widget');
  place.querySelector('connector-auth-provider')?.append(detached);
  for (const widget of [light, inner, detached]) await appearing(widget, '[data-id="def-gong"]');
  await until(() => {
    expect(own.requestsTo(listRoute)).toHaveLength(1);
  });
  expect(shared.requestsTo(listRoute)).toHaveLength(1);
  expect(place.querySelector('#own')?.shadowRoot?.firstElementChild).toBe(before);
});
