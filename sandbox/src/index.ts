export { createSandbox, type SandboxOptions } from './sandbox.ts';
export { startSandbox, type RunningSandbox, type StartOptions } from './start.ts';
export type { SandboxControl, VendorControl, VendorDescription } from './control.ts';
export type { ActiveFault, Fault, Faults } from './faults.ts';
export type { LoggedRequest, RequestFilter, RequestLog } from './request-log.ts';
export type { OAuthApp } from './oauth-apps.ts';
export type { Credential } from './vendor.ts';
export { SandboxError } from './sandbox-error.ts';
