/** A process of the service with one more kind, as `main.ts` starts it. */
import { readConfiguration } from '../../src/platform/config/configuration.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { startService } from '../../src/service.ts';
import { slowKind } from './slow-kind.ts';

const { configuration } = readConfiguration(process.env, []);
const service = await startService(configuration, { log: createLog(), kinds: [slowKind] });
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
