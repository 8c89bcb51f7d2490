import { fail } from './failure.ts';
import type { Values } from './fields.ts';
import { apply, checkResourceName, findAdGroup, findCampaign, notFound } from './mutate-campaigns.ts';
import { statusField, type Change, type MutateService, type OperationContext } from './mutate.ts';
import type { Message, MessageSpec } from './proto-json.ts';
import { attachLabel, idOf, labelsOf, MAX_LABELS, type Label, type Link, type World } from './world.ts';

/** `labels:mutate`: creates, updates and removes labels. */
export const labels: MutateService = {
  resultKey: 'label',
  message: {
    resourceName: 'string',
    id: 'int64',
    name: 'string',
    status: statusField('LabelStatus'),
    textLabel: { message: { backgroundColor: 'string', description: 'string' } },
  },
  create: createLabel,
  update: (input, mask, context) => {
    const path = `${context.path}.update`;
    const { values } = findLabel(context.world, input['resourceName'], `${path}.resource_name`);
    const given = readLabel(input, context.world, path, values);
    const changes = Object.fromEntries(
      mask
        .flatMap(key =>
          key === 'text_label' ? ['text_label.background_color', 'text_label.description'] : [key],
        )
        .map(key => [key, given[key]]),
    );
    if ('name' in changes && changes['name'] === undefined) throw nameRequired(path);
    return apply(values, changes, SHOWN);
  },
  remove: (resourceName, context) => {
    const { world } = context;
    const label = findLabel(world, resourceName, `${context.path}.remove`);
    const reattach = [
      detachEverywhere(world.campaignLabels, label),
      detachEverywhere(world.adGroupLabels, label),
      detachEverywhere(world.adLabels, label),
    ];
    const change = apply(label.values, { status: 'REMOVED' }, SHOWN);
    return {
      ...change,
      undo: () => {
        change.undo();
        for (const undo of reattach) undo();
      },
    };
  },
};

/** `campaignLabels:mutate`: attaches labels to campaigns and detaches them. */
export const campaignLabels: MutateService = linkService({
  ownerField: 'campaign',
  collection: 'campaignLabels',
  alreadyThere: ['campaignError', 'CAMPAIGN_LABEL_ALREADY_EXISTS'],
  links: world => world.campaignLabels,
  findOwner: findCampaign,
});

/** `adGroupLabels:mutate`: attaches labels to ad groups and detaches them. */
export const adGroupLabels: MutateService = linkService({
  ownerField: 'adGroup',
  collection: 'adGroupLabels',
  alreadyThere: ['adGroupError', 'ADGROUP_LABEL_ALREADY_EXISTS'],
  links: world => world.adGroupLabels,
  findOwner: findAdGroup,
});

const SHOWN = ['name', 'status'];

function findLabel(world: World, name: unknown, path: string): Label {
  checkResourceName(world, name, 'labels', path);
  const found = world.labels.find(({ values }) => values['resource_name'] === name);
  if (!found || found.values['status'] === 'REMOVED') throw notFound(name, path);
  return found;
}

function createLabel(input: Message, context: OperationContext): Change {
  const { world } = context;
  const path = `${context.path}.create`;
  const given = readLabel(input, world, path);
  if (given['name'] === undefined) throw nameRequired(path);
  const id =
    Math.max(
      22_900_000_000 + world.customer.ordinal * 1_000_000,
      ...world.labels.map(one => Number(idOf(one.values))),
    ) + 1;
  const values: Values = {
    resource_name: `customers/${world.customer.id}/labels/${id}`,
    id,
    status: 'ENABLED',
    ...given,
  };
  const label: Label = { values };
  world.labels.push(label);
  return {
    resourceName: String(values['resource_name']),
    undo: () => void world.labels.splice(world.labels.indexOf(label), 1),
    resource: () => renderLabel(values),
  };
}

function renderLabel(values: Values): Message {
  const backgroundColor = values['text_label.background_color'];
  const description = values['text_label.description'];
  const textLabel = {
    ...(backgroundColor !== undefined && { backgroundColor }),
    ...(description !== undefined && { description }),
  };
  return {
    resourceName: values['resource_name'],
    name: values['name'],
    ...(Object.keys(textLabel).length > 0 && { textLabel }),
  };
}

/** Reads and validates a label's fields. */
function readLabel(input: Message, world: World, path: string, own?: Values): Values {
  const { name, textLabel } = input;
  const { backgroundColor, description } = Object(textLabel) as Message;
  if (typeof name === 'string') checkLabelName(world, name, `${path}.name`, own);
  if (typeof backgroundColor === 'string' && !/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(backgroundColor)) {
    const colorPath = `${path}.text_label.background_color`;
    throw fail('stringFormatError', 'INVALID_FORMAT', 'The color must be #RRGGBB or #RGB.', {
      path: colorPath,
      trigger: backgroundColor,
    });
  }
  if (typeof description === 'string' && description.length > 200) {
    throw fail('stringLengthError', 'TOO_LONG', 'The description is too long.', {
      path: `${path}.text_label.description`,
    });
  }
  // The message spec guarantees that the values are strings, if they are present.
  return {
    name: name as string | undefined,
    'text_label.background_color': backgroundColor as string | undefined,
    'text_label.description': description as string | undefined,
  };
}

function checkLabelName(world: World, name: string, path: string, own?: Values): void {
  if (name.trim() === '')
    throw fail('labelError', 'INVALID_LABEL_NAME', 'Label names must not be empty.', { path });
  if (name.length > 80) throw fail('stringLengthError', 'TOO_LONG', 'The label name is too long.', { path });
  const isTaken = world.labels.some(
    ({ values }) => values !== own && values['name'] === name && values['status'] === 'ENABLED',
  );
  if (isTaken)
    throw fail('labelError', 'DUPLICATE_NAME', 'Cannot create a label with a name that exists.', {
      path,
      trigger: name,
    });
}

function nameRequired(path: string): Error {
  return fail('fieldError', 'REQUIRED', 'The required field was not present.', { path: `${path}.name` });
}

interface LinkRules<T extends { readonly values: Values }> {
  readonly ownerField: 'campaign' | 'adGroup';
  readonly collection: 'campaignLabels' | 'adGroupLabels';
  readonly alreadyThere: readonly [family: string, value: string];
  readonly links: (world: World) => Link<T>[];
  readonly findOwner: (world: World, name: unknown, path: string) => T;
}

function linkService<T extends { readonly values: Values }>(rules: LinkRules<T>): MutateService {
  const { ownerField, collection } = rules;
  const message: MessageSpec = { resourceName: 'string', [ownerField]: 'string', label: 'string' };
  const ownerKey = ownerField === 'adGroup' ? 'ad_group' : ownerField;
  return {
    message,
    create: (input, { world, path }) => {
      const owner = rules.findOwner(world, input[ownerField], `${path}.create.${ownerKey}`);
      const label = findLabel(world, input['label'], `${path}.create.label`);
      const attached = labelsOf(owner);
      if (attached.includes(String(label.values['resource_name']))) {
        throw fail(...rules.alreadyThere, 'The label is attached already.', { path: `${path}.create` });
      }
      if (attached.length >= MAX_LABELS) {
        throw fail('labelError', 'EXCEEDED_LABEL_LIMIT_PER_TYPE', 'Too many labels on one object.', {
          path: `${path}.create`,
        });
      }
      const resourceName = `customers/${world.customer.id}/${collection}/${idOf(owner.values)}~${idOf(label.values)}`;
      const links = rules.links(world);
      const link: Values = {
        resource_name: resourceName,
        [ownerKey]: owner.values['resource_name'],
        label: label.values['resource_name'],
      };
      attachLabel(links, owner, label, link);
      return { resourceName, undo: () => void detachLabel(links, resourceName) };
    },
    remove: (resourceName, { world, path }) => {
      checkResourceName(world, resourceName, collection, `${path}.remove`);
      const links = rules.links(world);
      const link = detachLabel(links, resourceName);
      if (!link) throw notFound(resourceName, `${path}.remove`);
      return { resourceName, undo: () => attachLabel(links, link.owner, link.label, link.values) };
    },
  };
}

function detachLabel<T extends { readonly values: Values }>(
  links: Link<T>[],
  resourceName: string,
): Link<T> | undefined {
  const index = links.findIndex(({ values }) => values['resource_name'] === resourceName);
  const [link] = index === -1 ? [] : links.splice(index, 1);
  if (link) link.owner.values['labels'] = labelsOf(link.owner).filter(name => name !== link.values['label']);
  return link;
}

/** Detaches a label from all objects; returns a function that re-attaches it. */
function detachEverywhere<T extends { readonly values: Values }>(links: Link<T>[], label: Label): () => void {
  const own = links.filter(link => link.label === label);
  for (const { values } of own) detachLabel(links, String(values['resource_name']));
  return () => {
    for (const { owner, values } of own) attachLabel(links, owner, label, values);
  };
}
