import type { AdminCaller } from '../auth/admin-caller.ts';

/** The fields that identify an operator's request in the log. */
export interface OperatorFields {
  readonly by: 'operator';
  /** Null for `ADMIN_TOKEN`. */
  readonly admin_key_id: string | null;
  readonly request_id: string;
}

export function operatorFields(call: {
  readonly caller: AdminCaller;
  readonly requestId: string;
}): OperatorFields {
  return { by: 'operator', admin_key_id: call.caller.keyId, request_id: call.requestId };
}
