import { createElement, createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeService } from '../../gallery/fake-service.ts';
import { appearing } from '../../gallery/scenes.ts';
import { until } from '../../test/until.ts';
import type { ConnectorAuthElement } from '../index.ts';
import { ConnectorAuth } from './index.ts';

test('passes properties, typed events and a ref through the React component', async () => {
  const service = new FakeService();
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
    service.close();
    expect(service.unexpected).toEqual([]);
  });
  const ref = createRef<ConnectorAuthElement>();
  const ready = vi.fn<(sources: number) => void>();
  const show = (catalogTitle: string) => {
    root.render(
      createElement(ConnectorAuth, {
        ref,
        tokenUrl: service.tokenUrl,
        className: 'sources',
        messages: { catalogTitle },
        onReady: ({ detail }) => {
          ready(detail.sources);
        },
      }),
    );
  };
  show('Plug in');
  await until(() => {
    expect(ready).toHaveBeenCalledWith(4);
  });
  const widget = ref.current;
  if (widget === null) throw new Error('No element');
  expect(widget.className).toBe('sources');
  const title = await appearing(widget, '[part="title"]');
  await until(() => {
    expect(title.textContent).toBe('Plug in');
  });
  show('Connect');
  await until(() => {
    expect(title.textContent).toBe('Connect');
  });
  // The widget renders again without a restart.
  expect(service.requestsTo('GET /integrations/definitions/sources')).toHaveLength(1);
});
