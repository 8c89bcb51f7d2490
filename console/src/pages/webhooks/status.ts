import type { Webhook, WebhookDelivery } from '@connector-auth/api';
import type { TemplateResult } from 'lit';
import { eventSummaries } from 'virtual:admin-contract';
import { badge, type Tone } from '../../components/cell.ts';
import type { Fields } from '../../components/fields.ts';

const statuses: Readonly<Record<Webhook['status'], readonly [label: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  failing: ['Failing', 'warn'],
  disabled: ['Off', 'bad'],
};

/** Renders whether a webhook receives events. */
export function webhookBadge(status: Webhook['status']): TemplateResult {
  return badge(...statuses[status]);
}

export const deliveryStates: Readonly<
  Record<WebhookDelivery['state'], readonly [label: string, tone: Tone]>
> = {
  pending: ['Waiting', 'info'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};

/** The fields of a webhook, which are named as the members of the request. */
export const webhookFields: Fields = {
  url: {
    label: 'URL',
    type: 'url',
    required: true,
    maxLength: 500,
    isCode: true,
    placeholder: 'https://app.example.com/connector-auth/events',
    hint: 'Must be https and public. The service follows no redirects.',
  },
  description: { label: 'Description', maxLength: 200 },
  events: {
    label: 'Events',
    type: 'subset',
    all: 'All events, also future ones',
    some: 'Only some events',
    listLabel: 'Events to send',
    choices: Object.entries(eventSummaries)
      // A test event is sent to any webhook.
      .filter(([name]) => name !== 'webhook.test')
      .map(([name, summary]) => [name, `${name}: ${summary}`]),
  },
};
