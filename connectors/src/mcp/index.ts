export { createToolServer, type ToolServerOptions } from './server.ts';
export type {
  OpenSources,
  Source,
  SourceAccess,
  SourceList,
  Connection,
  ToolRights,
} from './source-access.ts';
export { toPlainJson } from './plain-json.ts';
