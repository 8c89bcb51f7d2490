export { ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
export { findKind, kinds } from './kinds.ts';
export { Granola } from './granola/index.ts';
export type { Note } from './granola/wire.ts';
export { TikTokMarketing } from './tiktok-marketing/index.ts';
