export { createToolServer, type ToolServerOptions } from './server.ts';
export { declaresUrls } from './elicitation.ts';
export type {
  ConnectLinks,
  LinkTarget,
  OpenSources,
  Source,
  SourceGateway,
  SourceList,
  Connection,
  ToolRights,
} from './source-gateway.ts';
export { toPlainJson } from './plain-json.ts';
