import { fail } from './failure.ts';
import { toCamelCase, type Values } from './fields.ts';
import { statusField, type Change, type MutateService, type OperationContext } from './mutate.ts';
import type { Message } from './proto-json.ts';
import { adGroupsOf, attachLabel, idOf, labelsOf, MAX_LABELS, type Link, type World } from './world.ts';

/** An object with a resource name, such as a campaign. */
interface Resource {
  readonly values: Values;
}

/** Updates a campaign's name and status. */
const campaigns: MutateService = {
  message: {
    resourceName: 'string',
    name: 'string',
    status: statusField('CampaignStatus'),
  },
  update: (input, mask, context) => {
    const { world } = context;
    const { values } = findUpdated(world.campaigns, input, context);
    return update(values, { input, mask }, context, {
      siblings: world.campaigns,
      nameTaken: [
        'campaignError',
        'DUPLICATE_CAMPAIGN_NAME',
        'The name is already used by another campaign.',
      ],
      onStatus: status => ({ serving_status: status === 'ENABLED' ? 'SERVING' : 'NONE' }),
    });
  },
};

/** Updates an ad group's name, status and bid. */
const adGroups: MutateService = {
  message: {
    resourceName: 'string',
    name: 'string',
    status: statusField('AdGroupStatus'),
    cpcBidMicros: 'int64',
  },
  update: (input, mask, context) => {
    const { values, campaign } = findUpdated(adGroupsOf(context.world), input, context);
    return update(values, { input, mask }, context, {
      siblings: campaign.adGroups,
      nameTaken: ['adGroupError', 'DUPLICATE_ADGROUP_NAME', 'The name is already used by another ad group.'],
      onStatus: () => ({}),
    });
  },
};

/** Creates labels. */
const labels: MutateService = {
  message: {
    name: 'string',
    textLabel: { message: { backgroundColor: 'string', description: 'string' } },
  },
  create: (input, { world, path }) => {
    const given = readLabel(input, world, `${path}.create`);
    const firstId = 22_900_000_000 + world.customer.ordinal * 1_000_000;
    const id = Math.max(firstId, ...world.labels.map(one => Number(idOf(one.values)))) + 1;
    const resourceName = `customers/${world.customer.id}/labels/${id}`;
    const label = { values: { resource_name: resourceName, id, status: 'ENABLED', ...given } };
    world.labels.push(label);
    return { resourceName, undo: () => void world.labels.splice(world.labels.indexOf(label), 1) };
  },
};

/** The services by the name in their path, such as `campaigns:mutate`. */
export const MUTATE_SERVICES: Readonly<Record<string, MutateService>> = {
  campaigns,
  adGroups,
  labels,
  campaignLabels: linkService({
    owner: { field: 'campaign', key: 'campaign' },
    alreadyAttached: ['campaignError', 'CAMPAIGN_LABEL_ALREADY_EXISTS'],
    links: world => world.campaignLabels,
    ownersOf: world => world.campaigns,
  }),
  adGroupLabels: linkService({
    owner: { field: 'adGroup', key: 'ad_group' },
    alreadyAttached: ['adGroupError', 'ADGROUP_LABEL_ALREADY_EXISTS'],
    links: world => world.adGroupLabels,
    ownersOf: adGroupsOf,
  }),
};

/** Finds an object by its resource name. */
function find<T extends Resource>(objects: readonly T[], name: unknown, path: string): T {
  const found = objects.find(({ values }) => values['resource_name'] === name);
  if (found) return found;
  throw fail('requestError', 'RESOURCE_NOT_FOUND', `Resource '${String(name)}' was not found.`, { path });
}

function findUpdated<T extends Resource>(
  objects: readonly T[],
  input: Message,
  { path }: OperationContext,
): T {
  return find(objects, input['resourceName'], `${path}.update.resource_name`);
}

interface UpdateRules {
  /** The objects among which the name must be unique. */
  readonly siblings: readonly Resource[];
  /** The error for a name that is not. */
  readonly nameTaken: readonly [family: string, value: string, message: string];
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
      case 'name':
        changes['name'] = readName(given, path, values, rules);
        break;
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
      default:
        throw fail('fieldError', 'IMMUTABLE_FIELD', `The field '${key}' cannot be changed.`, { path });
    }
  }
  const before = Object.fromEntries(Object.keys(changes).map(key => [key, values[key]]));
  Object.assign(values, changes);
  return {
    resourceName: String(values['resource_name']),
    undo: () => void Object.assign(values, before),
  };
}

function required(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw fail('fieldError', 'FIELD_CANNOT_BE_CLEARED', 'The field cannot be cleared.', { path });
}

function readBid(value: unknown, path: string): number | undefined {
  if (value === undefined) return undefined;
  const bid = Number(value);
  if (bid <= 0) throw fail('rangeError', 'TOO_LOW', 'The bid is too low.', { path, trigger: String(bid) });
  return bid;
}

function readName(
  given: unknown,
  path: string,
  own: Values,
  { siblings, nameTaken }: Pick<UpdateRules, 'siblings' | 'nameTaken'>,
): string {
  const name = required(given, path);
  if (name === '') throw fail('stringLengthError', 'EMPTY', 'The name must not be empty.', { path });
  if (name.length > 255) throw fail('stringLengthError', 'TOO_LONG', 'The name is too long.', { path });
  const isTaken = siblings.some(
    ({ values }) => values !== own && values['name'] === name && values['status'] !== 'REMOVED',
  );
  if (isTaken) throw fail(...nameTaken, { path, trigger: name });
  return name;
}

/** Reads and validates a new label's fields. */
function readLabel(input: Message, world: World, path: string): Values {
  const { name, textLabel } = input;
  const { backgroundColor, description } = Object(textLabel) as Message;
  const namePath = `${path}.name`;
  if (typeof name !== 'string' || name.trim() === '')
    throw fail('labelError', 'INVALID_LABEL_NAME', 'Label names must not be empty.', { path: namePath });
  if (world.labels.some(({ values }) => values['name'] === name))
    throw fail('labelError', 'DUPLICATE_NAME', 'Cannot create a label with a name that exists.', {
      path: namePath,
      trigger: name,
    });
  // The message spec guarantees that the values are strings, if they are present.
  return {
    name,
    'text_label.background_color': backgroundColor as string | undefined,
    'text_label.description': description as string | undefined,
  };
}

interface LinkRules<T extends Resource> {
  /** The owner's field in JSON and in queries. */
  readonly owner: { readonly field: string; readonly key: string };
  readonly alreadyAttached: readonly [family: string, value: string];
  readonly links: (world: World) => Link<T>[];
  readonly ownersOf: (world: World) => readonly T[];
}

/** Attaches labels to campaigns or ad groups. */
function linkService<T extends Resource>(rules: LinkRules<T>): MutateService {
  const { field, key } = rules.owner;
  return {
    message: { [field]: 'string', label: 'string' },
    create: (input, { world, path }) => {
      const owner = find(rules.ownersOf(world), input[field], `${path}.create.${key}`);
      const label = find(world.labels, input['label'], `${path}.create.label`);
      const attached = labelsOf(owner);
      if (attached.includes(String(label.values['resource_name']))) {
        throw fail(...rules.alreadyAttached, 'The label is attached already.', { path: `${path}.create` });
      }
      if (attached.length >= MAX_LABELS) {
        throw fail('labelError', 'EXCEEDED_LABEL_LIMIT_PER_TYPE', 'Too many labels on one object.', {
          path: `${path}.create`,
        });
      }
      const links = rules.links(world);
      const resourceName = attachLabel(links, owner, label);
      return {
        resourceName,
        undo: () => {
          links.pop();
          owner.values['labels'] = attached;
        },
      };
    },
  };
}
