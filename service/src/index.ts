export { readConfiguration, type Configuration } from './platform/config/configuration.ts';
export { ConfigurationError, type Environment } from './platform/config/environment.ts';
export { forbiddenModes } from './platform/database/data-folder.ts';
export { createLog, redactText, silentLog, type Log, type LogFields } from './platform/log/log.ts';
export { findBuiltWidget } from './features/connect-links/page/widget-files.ts';
export { startService, type RunningService } from './service.ts';
