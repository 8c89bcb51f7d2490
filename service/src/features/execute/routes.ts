import type { Handlers } from '../../shared/http/handler.ts';
import { executeAction, type ExecuteContext } from './execute.ts';

export function executeRoutes(context: ExecuteContext): Pick<Handlers, 'execute'> {
  return {
    execute: ({ caller, params, body, ...call }) =>
      executeAction(context, caller, params.id, { ...call, operation: body }),
  };
}
