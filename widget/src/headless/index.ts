/** `@connector-auth/widget/headless` provides the widget's flow without a UI. */
export {
  createConnectorFlow,
  type ConnectorFlow,
  type ConnectorFlowOptions,
  type PersonEvent,
} from './connector-flow.ts';
export type { Catalog, Entry, State, StateName, StateOf } from '../flow/flow.ts';
export { searchDefinitions } from '../flow/search.ts';
export { fieldsOf, leavesOf, type Field, type SingleField } from '../form/fields.ts';
export { collectValues, validateField, initialValue, type FieldIssue } from '../form/values.ts';
export type { Failure, FailureCode } from '../service/failure.ts';
export type { GetToken, WidgetToken } from '../service/widget-token.ts';
