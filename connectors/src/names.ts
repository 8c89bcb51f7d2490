/**
 * The names of the kinds in packages, which the compiler accepts as a `KindName`. A package with a kind adds its name:
 *
 * ```ts
 * import type {} from '@connector-auth/connectors/names';
 *
 * declare module '@connector-auth/connectors/names' {
 *   interface PackagedKinds { 'acme-crm': true }
 * }
 * ```
 */
// oxlint-disable-next-line no-empty-object-type -- packages extend it
export interface PackagedKinds {}
