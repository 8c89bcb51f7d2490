export { createToolServer, type ToolServerOptions } from './server.ts';
export { declaresUrls } from './elicitation.ts';
export type {
  ConnectLinks,
  LinkTarget,
  OpenSources,
  Source,
  SourceAccess,
  SourceList,
  Connection,
  ToolRights,
} from './source-access.ts';
export { toPlainJson } from './plain-json.ts';
