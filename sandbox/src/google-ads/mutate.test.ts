import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CLIENT,
  comparable,
  errorSample,
  googleClient,
  MANAGER,
  sample,
  type GoogleBody,
  type GoogleClient,
} from '../../test/google.ts';
import { describeShape } from '../../test/shape.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

let sandbox: RunningSandbox;
let client: GoogleClient;
let first: Campaign;
let second: Campaign;
beforeEach(async () => {
  sandbox = await startSandbox();
  client = await googleClient(sandbox);
  const query =
    "SELECT campaign.id, campaign.name, campaign.status, campaign.labels FROM campaign WHERE campaign.status = 'ENABLED' LIMIT 2";
  const rows = await client.rows(query);
  [first, second] = rows.map(row => row['campaign'] as unknown as Campaign) as [Campaign, Campaign];
});
afterEach(() => sandbox.close());

interface Campaign {
  resourceName: string;
  id: string;
  name: string;
  status: string;
  labels?: string[];
}

const readCampaign = async (resourceName: string): Promise<Record<string, unknown>> => {
  const query = `SELECT campaign.name, campaign.status, campaign.labels, campaign.serving_status FROM campaign WHERE campaign.resource_name = '${resourceName}'`;
  return (await client.rows(query))[0]?.['campaign'] ?? {};
};
const update = (
  resourceName: string,
  fields: object,
  updateMask = Object.keys(fields).join(','),
): object => ({
  updateMask,
  update: { resourceName, ...fields },
});
const firstError = (body: GoogleBody): { errorCode?: unknown; trigger?: unknown; location?: unknown } => {
  const [detail] = (body.error?.details ?? []) as { errors?: object[] }[];
  return detail?.errors?.[0] ?? {};
};
const newLabel = async (label: string): Promise<string> => {
  const { body } = await client.mutate('labels', { operations: [{ create: { name: label } }] });
  const name = body.results?.[0]?.['resourceName'] ?? '';
  expect(name).toMatch(/\/labels\/\d+$/);
  return name as unknown as string;
};

describe('mutate campaigns and ad groups', () => {
  test('renames and pauses a campaign', async () => {
    const operations = [update(first.resourceName, { name: 'Brand – NL 2026 ✓', status: 'PAUSED' })];
    const { status, body } = await client.mutate('campaigns', { operations });
    expect([status, body]).toEqual([200, { results: [{ resourceName: first.resourceName }] }]);
    expect(await readCampaign(first.resourceName)).toMatchObject({
      name: 'Brand – NL 2026 ✓',
      status: 'PAUSED',
      servingStatus: 'NONE',
    });
    expect(
      await client.rows(`SELECT campaign.id FROM campaign WHERE campaign.name = '${first.name}'`),
    ).toEqual([]);
  });

  test('accepts a bid as a string', async () => {
    const [row] = await client.rows(
      "SELECT ad_group.id, ad_group.name FROM ad_group WHERE ad_group.status = 'PAUSED' LIMIT 1",
    );
    const resourceName = String(row?.['adGroup']?.['resourceName']);
    const { body } = await client.mutate('adGroups', {
      operations: [
        update(resourceName, { name: 'Refill generic B', status: 'ENABLED', cpcBidMicros: '720000' }),
      ],
    });
    expect(body).toEqual({ results: [{ resourceName }] });
    const [read] = await client.rows(
      `SELECT ad_group.cpc_bid_micros FROM ad_group WHERE ad_group.resource_name = '${resourceName}'`,
    );
    expect(read?.['adGroup']?.['cpcBidMicros']).toBe('720000');
  });

  test('updates only fields in the mask, in snake_case or camelCase, and clears fields without a value', async () => {
    const [row] = await client.rows(
      "SELECT ad_group.id FROM ad_group WHERE ad_group.status = 'ENABLED' LIMIT 1",
    );
    const resourceName = String(row?.['adGroup']?.['resourceName']);
    const fields = { name: 'not taken', cpcBidMicros: 990000 };
    await client.mutate('adGroups', { operations: [update(resourceName, fields, 'cpc_bid_micros')] });
    const query = `SELECT ad_group.name, ad_group.cpc_bid_micros FROM ad_group WHERE ad_group.resource_name = '${resourceName}'`;
    expect((await client.rows(query))[0]?.['adGroup']).toMatchObject({ cpcBidMicros: '990000' });
    expect((await client.rows(query))[0]?.['adGroup']?.['name']).not.toBe('not taken');
    await client.mutate('adGroups', { operations: [update(resourceName, {}, 'cpcBidMicros')] });
    expect((await client.rows(query))[0]?.['adGroup']).not.toHaveProperty('cpcBidMicros');
  });

  test('returns the recorded error for an update without a mask', async () => {
    const response = await client.mutate('campaigns', {
      operations: [{ update: { resourceName: first.resourceName, name: 'x' } }],
    });
    expect(comparable(response)).toEqual(comparable(errorSample('error_400_field_mask_missing')));
  });

  test('undoes all operations if one fails', async () => {
    const { status, body } = await client.mutate('campaigns', {
      operations: [
        update(first.resourceName, { status: 'PAUSED' }),
        update(second.resourceName, { name: first.name }),
      ],
    });
    expect(status).toBe(400);
    expect(firstError(body)).toMatchObject({
      errorCode: { campaignError: 'DUPLICATE_CAMPAIGN_NAME' },
      trigger: { stringValue: first.name },
      location: {
        fieldPathElements: [
          { fieldName: 'operations', index: 1 },
          { fieldName: 'update' },
          { fieldName: 'name' },
        ],
      },
    });
    expect(await readCampaign(first.resourceName)).toMatchObject({ status: 'ENABLED' });
  });

  test('rejects changes to a removed campaign', async () => {
    const [row] = await client.rows(
      "SELECT campaign.id FROM campaign WHERE campaign.status = 'REMOVED' LIMIT 1",
    );
    const { body } = await client.mutate('campaigns', {
      operations: [update(String(row?.['campaign']?.['resourceName']), { status: 'ENABLED' })],
    });
    expect(firstError(body).errorCode).toEqual({
      operationAccessDeniedError: 'OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE',
    });
  });

  test.each([
    [{}, 'status', 400, { fieldError: 'FIELD_CANNOT_BE_CLEARED' }],
    [{ status: 'REMOVED' }, 'status', 400, { enumError: 'ENUM_VALUE_NOT_PERMITTED' }],
    [{ name: 'n'.repeat(256) }, 'name', 400, { stringLengthError: 'TOO_LONG' }],
    [{ name: 'x' }, 'nam', 400, { fieldMaskError: 'FIELD_NOT_FOUND' }],
    [{}, 'resource_name', 400, { fieldError: 'IMMUTABLE_FIELD' }],
    [
      { resourceName: `customers/${CLIENT}/campaigns/1`, name: 'x' },
      'name',
      404,
      { requestError: 'RESOURCE_NOT_FOUND' },
    ],
  ])('rejects the update %j with mask %s', async (fields, mask, status, errorCode) => {
    const response = await client.mutate('campaigns', {
      operations: [update(first.resourceName, fields, mask)],
    });
    expect([response.status, firstError(response.body).errorCode]).toEqual([status, errorCode]);
  });

  test('rejects an operation that neither creates nor updates', async () => {
    const { body } = await client.mutate('campaigns', { operations: [{}] });
    expect(firstError(body).errorCode).toEqual({ requestError: 'OPERATION_REQUIRED' });
  });

  test('rejects changes to a manager account', async () => {
    const { body } = await client.mutate('labels', { operations: [{ create: { name: 'x' } }] }, MANAGER);
    expect(firstError(body).errorCode).toEqual({ requestError: 'CANNOT_BE_EXECUTED_BY_MANAGER_ACCOUNT' });
  });
});

describe('mutate labels', () => {
  test('creates labels with a color and a description, which queries return', async () => {
    const { operations } = sample('mutate_labels_1_request') as unknown as { operations: object[] };
    const { body } = await client.mutate('labels', { operations });
    expect(describeShape(body)).toEqual(describeShape(sample('mutate_labels_1_response')));
    const rows = await client.rows(
      "SELECT label.name, label.text_label.background_color FROM label WHERE label.name = 'q3 push'",
    );
    expect(rows).toEqual([
      {
        label: {
          resourceName: body.results?.[0]?.['resourceName'],
          name: 'q3 push',
          textLabel: { backgroundColor: '#1E8E3E' },
        },
      },
    ]);
  });

  test('returns the recorded error for a duplicate label name', async () => {
    const whole = await client.mutate('labels', { operations: [{ create: { name: 'core' } }] });
    expect(comparable(whole)).toEqual(comparable(errorSample('error_400_duplicate_label')));
  });

  test('returns the recorded parse error for an unknown label field', async () => {
    const { status, body } = await client.mutate('labels', {
      operations: [{ create: { name: 'x', description: 'y' } }],
    });
    expect({ status, body }).toEqual({ status: 400, body: errorSample('error_400_unknown_field').body });
  });

  test('rejects a label without a name', async () => {
    const { body } = await client.mutate('labels', { operations: [{ create: { name: ' ' } }] });
    expect(firstError(body).errorCode).toEqual({ labelError: 'INVALID_LABEL_NAME' });
  });

  test('creates neither label if two labels in one request have the same name', async () => {
    const operations = [{ create: { name: 'twin' } }, { create: { name: 'twin' } }];
    expect((await client.mutate('labels', { operations })).status).toBe(400);
    expect(await client.rows("SELECT label.id FROM label WHERE label.name = 'twin'")).toEqual([]);
  });
});

describe('mutate attached labels', () => {
  test('attaches a label only once, and lists it in the campaign and in the campaign labels', async () => {
    const label = await newLabel('attached');
    const operations = [{ create: { campaign: first.resourceName, label } }];
    const { body } = await client.mutate('campaignLabels', { operations });
    const resourceName = `customers/${CLIENT}/campaignLabels/${first.id}~${label.split('/').at(-1)}`;
    expect(body).toEqual({ results: [{ resourceName }] });
    expect((await readCampaign(first.resourceName))['labels']).toEqual([...(first.labels ?? []), label]);
    const again = await client.mutate('campaignLabels', {
      operations: [{ create: { campaign: second.resourceName, label } }, ...operations],
    });
    expect(firstError(again.body).errorCode).toEqual({ campaignError: 'CAMPAIGN_LABEL_ALREADY_EXISTS' });
    expect((await readCampaign(second.resourceName))['labels'] ?? []).not.toContain(label);
  });

  test('returns the recorded response for attaching an ad group label', async () => {
    const label = await newLabel('grouped');
    const [row] = await client.rows('SELECT ad_group.id FROM ad_group LIMIT 1');
    const operations = [{ create: { adGroup: row?.['adGroup']?.['resourceName'], label } }];
    const { body } = await client.mutate('adGroupLabels', { operations });
    expect(describeShape(body)).toEqual(describeShape(sample('mutate_ad_group_labels_1_response')));
    const again = await client.mutate('adGroupLabels', { operations });
    expect(firstError(again.body).errorCode).toEqual({ adGroupError: 'ADGROUP_LABEL_ALREADY_EXISTS' });
  });

  test('rejects an unknown label and a 51st label on one object', async () => {
    const created = await client.mutate('labels', {
      operations: Array.from({ length: 51 }, (_, index) => ({ create: { name: `many ${index}` } })),
    });
    const attach = (created.body.results ?? []).map(({ resourceName }) => ({
      create: { campaign: second.resourceName, label: resourceName },
    }));
    const { body } = await client.mutate('campaignLabels', { operations: attach });
    expect(firstError(body).errorCode).toEqual({ labelError: 'EXCEEDED_LABEL_LIMIT_PER_TYPE' });
    expect((await readCampaign(second.resourceName))['labels']).toEqual(second.labels);
    const missing = await client.mutate('campaignLabels', {
      operations: [{ create: { campaign: first.resourceName, label: `customers/${CLIENT}/labels/1` } }],
    });
    expect([missing.status, firstError(missing.body).errorCode]).toEqual([
      404,
      { requestError: 'RESOURCE_NOT_FOUND' },
    ]);
  });
});
