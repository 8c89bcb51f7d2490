import { createConnectorAuth } from '@connector-auth/server-helper';
import { options } from './options.ts';
import { customerOf } from './session.ts';

export const { handler } = createConnectorAuth({
  ...options,
  resolveCustomer: request => customerOf(request),
});
