/** Type tests, checked by the compiler only. */
import type { Router } from 'express';
import { expectTypeOf } from 'vitest';
import { connectorAuth, type ConnectorAuthOptions } from './index.ts';

declare const options: ConnectorAuthOptions;

expectTypeOf(connectorAuth).parameters.toEqualTypeOf<[ConnectorAuthOptions]>();
expectTypeOf(connectorAuth).returns.toEqualTypeOf<Router>();
expectTypeOf<ConnectorAuthOptions[keyof ConnectorAuthOptions]>().not.toBeAny();

// @ts-expect-error Unknown action.
void connectorAuth({ ...options, allowedActions: ['delete'] });
// @ts-expect-error Unknown management right.
void connectorAuth({ ...options, allowedManagement: ['destroy'] });
// @ts-expect-error A customer name is a string.
void connectorAuth({ ...options, resolveCustomer: () => 7 });
// @ts-expect-error Unknown option.
void connectorAuth({ ...options, customer: 'acme' });
