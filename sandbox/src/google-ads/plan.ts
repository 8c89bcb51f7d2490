import { compileCondition, type Test } from './conditions.ts';
import type { Customer } from './customers.ts';
import { readDateRange, type DateRange } from './date-range.ts';
import { queryError } from './failure.ts';
import { findField, type Field } from './fields.ts';
import type { Query } from './gaql.ts';
import type { Cut } from './performance.ts';
import { RESOURCES, type Resource } from './resources.ts';

/** A validated query: every field exists and is allowed in its clause. */
export interface Plan {
  readonly from: string;
  readonly select: readonly Field[];
  /** Conditions on resources, segments and metrics. */
  readonly attributes: readonly FieldTest[];
  readonly segments: readonly FieldTest[];
  readonly metrics: readonly FieldTest[];
  readonly orderBy: readonly { readonly field: Field; readonly isDescending: boolean }[];
  readonly limit: number | undefined;
  readonly range: DateRange;
  readonly cut: Cut;
  /** Whether the query selects segments or metrics. */
  readonly isReport: boolean;
  /** The segments that rows are grouped by. */
  readonly selectedSegments: readonly Field[];
  readonly omitsNames: boolean;
}

/** A condition on a field. */
export interface FieldTest {
  readonly field: Field;
  readonly passes: Test;
}

type Clause = 'SELECT' | 'WHERE' | 'ORDER BY';

const CORE_DATES = new Set(['date', 'week', 'month', 'quarter', 'year']);

/** Validates a query for an account and a version; throws a `queryError` for the first error. */
export function planQuery(query: Query, version: number, customer: Customer, today: number): Plan {
  const resource = RESOURCES[query.from];
  if (!resource) {
    throw queryError('BAD_RESOURCE_TYPE_IN_FROM_CLAUSE', `'${query.from}' is not a valid resource name.`);
  }
  const read = (name: string, clause: Clause): Field =>
    readField(name, clause, { resource, version, customer, from: query.from });

  const select = query.select.map(name => read(name, 'SELECT'));
  const isSelected = (field: Field): boolean => select.some(({ name }) => name === field.name);
  const conditions = query.where.map(condition => ({ condition, field: read(condition.field, 'WHERE') }));
  const dates = conditions.filter(({ field }) => field.name === 'segments.date');
  const range = readDateRange(
    dates.map(({ condition }) => condition),
    today,
  );
  for (const { field } of conditions) {
    if (field.resource === 'segments' && !CORE_DATES.has(field.key) && !isSelected(field)) {
      throw notSelected(field);
    }
  }
  const tests = conditions
    .filter(({ field }) => field.name !== 'segments.date')
    .map(({ condition, field }): FieldTest => ({ field, passes: compileCondition(field, condition) }));
  const orderBy = query.orderBy.map(({ field: name, isDescending }) => {
    const field = read(name, 'ORDER BY');
    if (field.resource !== query.from && !isSelected(field)) throw notSelected(field);
    return { field, isDescending };
  });

  const selectedSegments = select.filter(({ resource: owner }) => owner === 'segments');
  const needsRange = selectedSegments.some(({ key }) => CORE_DATES.has(key));
  if (needsRange && !(range && Number.isFinite(range.from) && Number.isFinite(range.to))) {
    throw queryError(
      'EXPECTED_FILTERS_ON_DATE_RANGE',
      'The query selects a date segment and must filter on a finite date range.',
    );
  }
  const belongsTo = (owner: string) => (test: FieldTest) => test.field.resource === owner;
  const names = new Set(selectedSegments.map(({ key }) => key));
  return {
    from: query.from,
    select,
    attributes: tests.filter(({ field }) => field.resource !== 'segments' && field.resource !== 'metrics'),
    segments: tests.filter(belongsTo('segments')),
    metrics: tests.filter(belongsTo('metrics')),
    orderBy,
    limit: query.limit,
    range: range ?? { from: -Infinity, to: Infinity },
    cut: { byHour: names.has('hour'), byNetwork: names.has('ad_network_type') },
    isReport: select.some(isOfReport) || tests.some(({ field }) => isOfReport(field)),
    selectedSegments,
    omitsNames: query.parameters['omit_unselected_resource_names'] === 'true',
  };
}

function isOfReport({ resource }: Field): boolean {
  return resource === 'segments' || resource === 'metrics';
}

function readField(
  name: string,
  clause: Clause,
  {
    resource,
    version,
    customer,
    from,
  }: { resource: Resource; version: number; customer: Customer; from: string },
): Field {
  const field = findField(name, version);
  if (!field) throw queryError('UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${name}'.`);
  if (field.resource === 'metrics') {
    if (customer.isManager) {
      throw queryError(
        'REQUESTED_METRICS_FOR_MANAGER',
        'Metrics cannot be requested for a manager account; query each client account.',
      );
    }
    if (resource.hasMetrics) return field;
    throw queryError(
      'PROHIBITED_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
      `Cannot use the metric '${name}' with the resource '${from}'.`,
    );
  }
  if (field.resource === 'segments') {
    if (resource.hasMetrics) return field;
    throw queryError(
      'PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE',
      `Cannot use the segment '${name}' with the resource '${from}'.`,
    );
  }
  if (resource.joined.includes(field.resource)) return field;
  const code =
    clause === 'ORDER BY'
      ? 'PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE'
      : `PROHIBITED_RESOURCE_TYPE_IN_${clause}_CLAUSE`;
  throw queryError(code, `Cannot use '${name}' in ${clause} with the resource '${from}'.`);
}

function notSelected({ name }: Field): Error {
  return queryError(
    'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    `The field '${name}' must be present in the SELECT clause.`,
  );
}
