import { byCursor } from '@connector-auth/connectors/rest';
import { z } from 'zod';

export const api = {
  name: 'Stripe',
  url: 'https://api.stripe.com/v1',
  // https://docs.stripe.com/api/versioning
  headers: { 'stripe-version': '2026-10-28.endive' },
};

/** Newest first. A page continues after the last record of the previous one: https://docs.stripe.com/api/pagination */
export const pages = {
  api,
  at: 'data',
  paging: byCursor({ param: 'starting_after', next: { lastRecord: 'id' }, more: 'has_more' }),
  query: { limit: 100 },
};

const id = z.string();
const text = z.string().nullable();
const flag = z.boolean().nullable();
const count = z.int().nullable();
const time = count.describe('In seconds since the epoch');
const amount = count.describe('In the smallest unit of the currency, such as cents');
const metadata = z.record(z.string(), z.string()).nullable();

/** https://docs.stripe.com/api/customers/object */
export const customers = {
  ...pages,
  noun: 'customer',
  path: '/customers',
  record: z.object({
    id,
    name: text,
    email: text,
    phone: text,
    description: text,
    address: z.unknown(),
    balance: amount,
    currency: text,
    delinquent: flag.describe('Whether the latest invoice is past due'),
    invoice_prefix: text,
    preferred_locales: z.array(z.string()).nullable(),
    tax_exempt: text,
    metadata,
    livemode: flag,
    created: time,
  }),
};

/** https://docs.stripe.com/api/subscriptions/object */
export const subscriptions = {
  ...pages,
  noun: 'subscription',
  path: '/subscriptions',
  // By default, Stripe does not list canceled ones.
  query: { ...pages.query, status: 'all' },
  record: z.object({
    id,
    customer: text.describe('ID of the customer'),
    status: text,
    items: z
      .object({
        data: z.array(
          z.object({
            id,
            quantity: count,
            price: z.unknown(),
            current_period_start: time,
            current_period_end: time,
          }),
        ),
      })
      .nullable(),
    currency: text,
    collection_method: text,
    description: text,
    default_payment_method: text,
    latest_invoice: text.describe('ID of the latest invoice'),
    cancel_at: time,
    cancel_at_period_end: flag,
    canceled_at: time,
    ended_at: time,
    trial_start: time,
    trial_end: time,
    start_date: time,
    metadata,
    livemode: flag,
    created: time,
  }),
};

/** https://docs.stripe.com/api/invoices/object */
export const invoices = {
  ...pages,
  noun: 'invoice',
  path: '/invoices',
  record: z.object({
    id,
    number: text,
    customer: text.describe('ID of the customer'),
    customer_email: text,
    customer_name: text,
    status: text,
    billing_reason: text,
    collection_method: text,
    description: text,
    currency: text,
    subtotal: amount,
    total: amount,
    amount_due: amount,
    amount_paid: amount,
    amount_remaining: amount,
    attempt_count: count,
    due_date: time,
    period_start: time,
    period_end: time,
    hosted_invoice_url: text,
    invoice_pdf: text,
    metadata,
    livemode: flag,
    created: time,
  }),
};
