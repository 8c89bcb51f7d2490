import { expect, test } from 'vitest';
import { ADVERTISERS } from './advertisers.ts';
import { createDelivery } from './delivery.ts';
import { createPortfolio } from './portfolio.ts';

const today = 20_777;
const [advertiser] = ADVERTISERS;
if (advertiser === undefined) throw new Error('These tests need an advertiser');
const portfolio = createPortfolio({ seed: 7, ordinal: 9, adCount: 20_000, today, isUniform: true });
const delivery = createDelivery({ seed: 7, advertiser, portfolio, today, hour: 12 });
const indexes = Array.from({ length: portfolio.ad.count }, (_, index) => index);

test('ads never deliver before their ad group, and ad groups never deliver before their campaign', () => {
  const early = indexes.filter(index => {
    const ad = portfolio.ad.at(index);
    const group = portfolio.adGroup.at(ad.parent);
    return ad.first < group.first || group.first < portfolio.campaign.at(group.parent).first;
  });
  expect(early).toEqual([]);
});

test('counts are integers up to the last day, even for ads that start on that day', () => {
  const counts = indexes.flatMap(index => delivery.on('ad', index, today) ?? []);
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.filter(count => !Number.isSafeInteger(count))).toEqual([]);
});
