import { z } from 'zod';
import type { Entity } from '../kind/kind.ts';
import { listAction } from './list.ts';
import { en } from './messages/en.ts';
import { customer } from './resources.ts';
import { syncOf } from './sync.ts';
import type { Table } from './table.ts';

export const accountsTable = {
  from: 'customer',
  fields: {
    'customer.auto_tagging_enabled': 'boolean',
    'customer.call_reporting_setting.call_conversion_action': 'string',
    'customer.call_reporting_setting.call_conversion_reporting_enabled': 'boolean',
    'customer.call_reporting_setting.call_reporting_enabled': 'boolean',
    'customer.conversion_tracking_setting.conversion_tracking_id': 'integer',
    'customer.conversion_tracking_setting.cross_account_conversion_tracking_id': 'integer',
    'customer.currency_code': 'string',
    'customer.descriptive_name': 'string',
    'customer.final_url_suffix': 'string',
    'customer.has_partners_badge': 'boolean',
    'customer.id': 'integer',
    'customer.manager': 'boolean',
    'customer.optimization_score': 'number',
    'customer.optimization_score_weight': 'number',
    'customer.pay_per_conversion_eligibility_failure_reasons': 'array',
    'customer.remarketing_setting.google_global_site_tag': 'string',
    'customer.resource_name': 'string',
    'customer.test_account': 'boolean',
    'customer.time_zone': 'string',
    'customer.tracking_url_template': 'string',
    'segments.date': 'string',
  },
} as const satisfies Table;

const record = z.object({ customer: customer.nullable() });
export type Account = z.infer<typeof record>;

export const accounts = {
  ...en.accounts,
  description: 'Account name, currency, time zone and settings',
  actions: { list: listAction('Get an account as a list of one record', accountsTable, record) },
  search: {
    fields: accountsTable.fields,
    primaryKey: ['customer.id', 'segments.date'],
    nullableKey: ['segments.date'],
    indexed: ['segments.date', 'customer.descriptive_name'],
    text: ['customer.descriptive_name'],
    sync: syncOf(accountsTable),
  },
} as const satisfies Entity;
