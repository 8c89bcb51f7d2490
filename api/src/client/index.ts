export {
  createClient,
  createCustomerClient,
  type Client,
  type CustomerClient,
  type ListActivityQuery,
  type ListAgentsQuery,
  type ListConnectLinksQuery,
  type ListConnectorsQuery,
  type ListCustomersQuery,
  type ListDefinitionsQuery,
  type TokenLimits,
} from './client.ts';
export type { FollowedChange, FollowOptions, ListChangesQuery } from './changes.ts';
export type { Call, CallOptions, IdempotentCallOptions, Send } from './caller.ts';
export type { EndpointResponse, EndpointInput } from './messages.ts';
export {
  clientOptions,
  parseOptions,
  type ClientOptions,
  type ConnectionOptions,
  type CustomerClientOptions,
} from './options.ts';
export type { ResponseHeaders, RawResponse, RawRequest } from './transport.ts';
