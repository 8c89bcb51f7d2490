import { events } from '@connector-auth/api';
import type { ReceivedEvent } from '@connector-auth/server-helper';
import { Router, type Response } from 'express';
import type { ShownEvent } from './page/events.ts';
import { signedInCustomer } from './session.ts';

/** Passes events on to the open pages of the customer that they are about. A real product reacts to them instead. */
export function createEventStream() {
  const pages = new Map<Response, string>();
  const routes: Router = Router();
  routes.get('/', (request, response) => {
    const customer = signedInCustomer(request);
    if (customer === null) return void response.status(401).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    pages.set(response, customer.id);
    response.on('close', () => pages.delete(response));
  });
  return {
    routes,
    send: (event: ReceivedEvent): void => {
      // A later version of the service may send other types.
      const summary = Object.hasOwn(events, event.type) ? events[event.type].summary : '';
      const shown: ShownEvent = { ...event, summary };
      for (const [page, customer] of pages) {
        if (!('customer_name' in event.data) || event.data.customer_name !== customer) continue;
        page.write(`data: ${JSON.stringify(shown)}\n\n`);
      }
    },
  };
}
