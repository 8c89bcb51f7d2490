export { createSandbox, type SandboxOptions } from './sandbox.ts';
export { startSandbox, type RunningSandbox, type StartOptions } from './start.ts';
export type { SandboxControl, VendorControl, VendorDescription } from './control/control.ts';
export type { ActiveFault, Fault, Faults } from './control/faults.ts';
export type { LoggedRequest, RequestFilter, RequestLog } from './request-log/request-log.ts';
export type { OAuthApp } from './simulator/oauth-apps.ts';
export type { Credential } from './simulator/vendor.ts';
export { SandboxError } from './simulator/sandbox-error.ts';
