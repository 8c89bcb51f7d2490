import { connectorAuth } from '@connector-auth/server-helper/next';
import { options } from './options.ts';
import { customerOf } from './session.ts';

export const { GET, HEAD, POST, DELETE, OPTIONS } = connectorAuth({
  ...options,
  resolveCustomer: request => customerOf(request),
});
