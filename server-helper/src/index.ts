export { connectorAuth, type ConnectorAuthMiddleware, type ConnectorAuthOptions } from './connector-auth.ts';
export { createConnectorAuth, type ConnectorAuth } from './create-connector-auth.ts';
export { verifyWebhook, type ReceivedEvent } from './webhook.ts';
export type { AllowedOrigins } from './allowed-origins.ts';
export type {
  HelperOptions,
  IssuedToken,
  NamedCustomer,
  ReplicationDefaults,
  ResolvedCustomer,
  ResolvedUser,
} from './options.ts';
