/** Checked by the compiler only: what integrators write has types. */
import type { Router } from 'express';
import { expectTypeOf } from 'vitest';
import { connectorAuth, type ConnectorAuthOptions } from './index.ts';

declare const options: ConnectorAuthOptions;

expectTypeOf(connectorAuth).parameters.toEqualTypeOf<[ConnectorAuthOptions]>();
expectTypeOf(connectorAuth).returns.toEqualTypeOf<Router>();
expectTypeOf<ConnectorAuthOptions[keyof ConnectorAuthOptions]>().not.toBeAny();

// @ts-expect-error An action that does not exist.
void connectorAuth({ ...options, allowedActions: ['delete'] });
// @ts-expect-error A customer is named by a text.
void connectorAuth({ ...options, resolveCustomer: () => 7 });
// @ts-expect-error An option that does not exist.
void connectorAuth({ ...options, customer: 'acme' });
