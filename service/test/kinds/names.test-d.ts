/** Compiled, never run: a package adds the name of its kind. */
import { findKind } from '@connector-auth/connectors';

declare module '@connector-auth/connectors/names' {
  interface PackagedKinds {
    'acme-crm': true;
  }
}

findKind('acme-crm');
findKind('granola');
// @ts-expect-error no package has this kind
findKind('acme-csv');
