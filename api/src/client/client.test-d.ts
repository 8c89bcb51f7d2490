/** Type tests, checked only by the compiler: no type in the public API is `any`. */
import { expectTypeOf } from 'vitest';
import type { EndpointName, endpoints } from '../contract/endpoints.ts';
import type { Connector, ExecuteResponse } from '../index.ts';
import { createClient, type Client, type CustomerClient } from './client.ts';
import type { EndpointInput, EndpointResponse } from './messages.ts';

declare const client: Client;

expectTypeOf(createClient).returns.toEqualTypeOf<Client>();
expectTypeOf(client.connectors.get).returns.resolves.toEqualTypeOf<Connector>();
expectTypeOf(client.connectors.delete).returns.resolves.toEqualTypeOf<void>();
expectTypeOf(client.execute).returns.resolves.toEqualTypeOf<ExecuteResponse>();
expectTypeOf<ExecuteResponse['result']>().toBeUnknown();
expectTypeOf(client.connectors.all()).toEqualTypeOf<AsyncGenerator<Connector, void>>();
expectTypeOf(
  client.call('execute', { params: { id: '' }, body: { entity: '', action: '' } }),
).resolves.toEqualTypeOf<{
  result: unknown;
  connector_metadata: Record<string, unknown> | null;
}>();
expectTypeOf(client.forCustomer).returns.toEqualTypeOf<CustomerClient>();

/** Names of endpoints whose input or response contains `any`. */
type Leaks = {
  [Name in EndpointName]: true extends HasAny<EndpointInput<Name>> | HasAny<EndpointResponse<Name>>
    ? Name
    : never;
}[EndpointName];
type IsAny<T> = 0 extends 1 & T ? true : false;
type HasAny<T> =
  IsAny<T> extends true ? true : T extends object ? { [K in keyof T]: HasAny<T[K]> }[keyof T] : false;
expectTypeOf<Leaks>().toBeNever();
// Verifies that the check detects `any`.
expectTypeOf<
  true extends HasAny<{ a: [{ b: ReturnType<typeof JSON.parse> }] }> ? true : false
>().toEqualTypeOf<true>();
expectTypeOf<keyof typeof endpoints>().toEqualTypeOf<EndpointName>();

// @ts-expect-error A customer client cannot mint tokens.
void client.forCustomer('acme').tokens;
// @ts-expect-error The page size is a number.
void client.customers.list({ limit: '10' });
// @ts-expect-error Unknown query parameter.
void client.connectors.list({ customer: 'acme' });
// @ts-expect-error Execute does not support idempotency keys.
void client.execute('', { entity: '', action: '' }, { idempotencyKey: 'once' });
// @ts-expect-error The entity is required.
void client.execute('', { action: 'list' });
// @ts-expect-error Unknown endpoint.
void client.call('dropTables', {});
