export { readConfiguration, type Configuration } from './config/configuration.ts';
export { ConfigurationError, type Environment } from './config/environment.ts';
export { forbiddenModes } from './database/data-folder.ts';
export { createLog, redactText, silentLog, type Log, type LogFields } from './log/log.ts';
export { startService, type RunningService } from './service.ts';
