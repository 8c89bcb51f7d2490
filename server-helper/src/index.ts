export { connectorAuth } from './connector-auth.ts';
export type { ConnectorAuthOptions } from './options.ts';
