import { fail } from './failure.ts';
import { toCamelCase, type Value, type Values } from './fields.ts';
import { statusField, type Change, type MutateService, type OperationContext } from './mutate.ts';
import type { Message } from './proto-json.ts';
import { adGroupsOf, type AdGroup, type Campaign, type World } from './world.ts';

/** `campaigns:mutate`: updates a campaign's name and status, and removes campaigns. */
export const campaigns: MutateService = {
  resultKey: 'campaign',
  message: {
    resourceName: 'string',
    id: 'int64',
    name: 'string',
    status: statusField('CampaignStatus'),
    trackingUrlTemplate: 'string',
    campaignBudget: 'string',
    startDateTime: 'string',
    endDateTime: 'string',
  },
  update: (input, mask, context) => {
    const { values } = findCampaign(
      context.world,
      input['resourceName'],
      `${context.path}.update.resource_name`,
    );
    return update(values, { input, mask }, context, {
      checkName: name => checkCampaignName(context, values, name),
      shown: ['name', 'status'],
      onStatus: status => ({ serving_status: status === 'ENABLED' ? 'SERVING' : 'NONE' }),
    });
  },
  remove: (resourceName, context) => {
    const { values } = findCampaign(context.world, resourceName, `${context.path}.remove`);
    return apply(values, { status: 'REMOVED', serving_status: 'NONE' }, []);
  },
};

/** `adGroups:mutate`: updates an ad group's name, status and bid, and removes ad groups. */
export const adGroups: MutateService = {
  resultKey: 'adGroup',
  message: {
    resourceName: 'string',
    id: 'int64',
    name: 'string',
    status: statusField('AdGroupStatus'),
    cpcBidMicros: 'int64',
    campaign: 'string',
    trackingUrlTemplate: 'string',
  },
  update: (input, mask, context) => {
    const adGroup = findAdGroup(context.world, input['resourceName'], `${context.path}.update.resource_name`);
    return update(adGroup.values, { input, mask }, context, {
      checkName: name => checkAdGroupName(context, adGroup, name),
      shown: ['name', 'status', 'cpc_bid_micros'],
      onStatus: () => ({}),
    });
  },
  remove: (resourceName, context) => {
    const { values } = findAdGroup(context.world, resourceName, `${context.path}.remove`);
    return apply(values, { status: 'REMOVED' }, []);
  },
};

/** Finds a campaign by resource name; `path` is the name's location in the request. */
export function findCampaign(world: World, name: unknown, path: string): Campaign {
  checkResourceName(world, name, 'campaigns', path);
  const found = world.campaigns.find(({ values }) => values['resource_name'] === name);
  if (!found) throw notFound(name, path);
  return found;
}

/** Finds an ad group by resource name; `path` is the name's location in the request. */
export function findAdGroup(world: World, name: unknown, path: string): AdGroup {
  checkResourceName(world, name, 'adGroups', path);
  const found = adGroupsOf(world).find(({ values }) => values['resource_name'] === name);
  if (!found) throw notFound(name, path);
  return found;
}

/** Throws if a resource name is missing or does not belong to this collection. */
export function checkResourceName(world: World, name: unknown, collection: string, path: string): void {
  if (typeof name !== 'string' || name === '') {
    throw fail('requestError', 'RESOURCE_NAME_MISSING', 'Resource name is missing.', { path });
  }
  const [, owner] = new RegExp(`^customers/(\\d+)/${collection}/[\\d~]+$`).exec(name) ?? [];
  if (owner === undefined) {
    throw fail('requestError', 'RESOURCE_NAME_MALFORMED', `Resource name '${name}' is malformed.`, {
      path,
      trigger: name,
    });
  }
  if (owner !== world.customer.id) throw notFound(name, path);
}

/** Creates the error for an unknown resource name. */
export function notFound(name: unknown, path: string): Error {
  return fail('requestError', 'RESOURCE_NOT_FOUND', `Resource '${String(name)}' was not found.`, { path });
}

/** Applies changes to an object's values; returns a result that can undo them. */
export function apply(values: Values, changes: Values, shown: readonly string[]): Change {
  const before = Object.fromEntries(Object.keys(changes).map(key => [key, values[key]]));
  Object.assign(values, changes);
  const resourceName = String(values['resource_name']);
  return {
    resourceName,
    undo: () => void Object.assign(values, before),
    resource: () => ({
      resourceName,
      ...Object.fromEntries(
        shown
          .filter(key => values[key] !== undefined)
          .map(key => [toCamelCase(key), key.endsWith('_micros') ? String(values[key]) : values[key]]),
      ),
    }),
  };
}

interface UpdateRules {
  /** Throws if the name is invalid. */
  readonly checkName: (name: string) => void;
  /** The mutable fields that a result includes. */
  readonly shown: readonly string[];
  /** Other fields that change with the status. */
  readonly onStatus: (status: string) => Values;
}

function update(
  values: Values,
  { input, mask }: { input: Message; mask: readonly string[] },
  context: OperationContext,
  rules: UpdateRules,
): Change {
  if (values['status'] === 'REMOVED') {
    throw fail(
      'operationAccessDeniedError',
      'OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE',
      'Operation is not allowed for removed resources.',
      { path: `${context.path}.update` },
    );
  }
  let changes: Values = {};
  for (const key of mask) {
    const path = `${context.path}.update.${key}`;
    const given = input[toCamelCase(key)];
    switch (key) {
      case 'name': {
        const name = required(given, path);
        rules.checkName(name);
        changes['name'] = name;
        break;
      }
      case 'status': {
        const status = required(given, path);
        if (status !== 'ENABLED' && status !== 'PAUSED') {
          throw fail('enumError', 'ENUM_VALUE_NOT_PERMITTED', `Enum value ${status} is not permitted.`, {
            path,
            trigger: status,
          });
        }
        changes = { ...changes, status, ...rules.onStatus(status) };
        break;
      }
      case 'cpc_bid_micros':
        changes['cpc_bid_micros'] = readBid(given, path);
        break;
      case 'tracking_url_template':
        // The message spec guarantees a string, if the value is present. An absent value clears the field.
        changes['tracking_url_template'] = given as Value;
        break;
      default:
        throw fail('fieldError', 'IMMUTABLE_FIELD', `The field '${key}' cannot be changed.`, { path });
    }
  }
  return apply(values, changes, rules.shown);
}

function required(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw fail('fieldError', 'FIELD_CANNOT_BE_CLEARED', 'The field cannot be cleared.', { path });
}

function readBid(value: unknown, path: string): number | undefined {
  if (value === undefined) return undefined;
  const bid = Number(value);
  if (bid <= 0) throw fail('rangeError', 'TOO_LOW', 'The bid is too low.', { path, trigger: String(bid) });
  if (bid > 10_000_000_000)
    throw fail('adGroupError', 'BID_TOO_BIG', 'The bid is too big.', { path, trigger: String(bid) });
  return bid;
}

function checkNameLength(name: string, path: string): void {
  if (name === '') throw fail('stringLengthError', 'EMPTY', 'The name must not be empty.', { path });
  if (name.length > 255) throw fail('stringLengthError', 'TOO_LONG', 'The name is too long.', { path });
}

function checkCampaignName({ world, path }: OperationContext, own: Values, name: string): void {
  const namePath = `${path}.update.name`;
  checkNameLength(name, namePath);
  const isTaken = world.campaigns.some(
    ({ values }) => values !== own && values['name'] === name && values['status'] !== 'REMOVED',
  );
  if (!isTaken) return;
  throw fail('campaignError', 'DUPLICATE_CAMPAIGN_NAME', 'The name is already used by another campaign.', {
    path: namePath,
    trigger: name,
  });
}

function checkAdGroupName({ path }: OperationContext, own: AdGroup, name: string): void {
  const namePath = `${path}.update.name`;
  checkNameLength(name, namePath);
  const isTaken = own.campaign.adGroups.some(
    other => other !== own && other.values['name'] === name && other.values['status'] !== 'REMOVED',
  );
  if (!isTaken) return;
  throw fail('adGroupError', 'DUPLICATE_ADGROUP_NAME', 'The name is already used by another ad group.', {
    path: namePath,
    trigger: name,
  });
}
