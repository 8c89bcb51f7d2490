import { expect, test } from 'vitest';
import { ADVERTISERS } from './advertisers.ts';
import { createDelivery } from './delivery.ts';
import { createPortfolio } from './portfolio.ts';

const today = 20_777;
const [advertiser] = ADVERTISERS;
if (advertiser === undefined) throw new Error('These tests need an advertiser');
const portfolio = createPortfolio({ seed: 7, ordinal: 9, adCount: 20_000, today, isUniform: true });
const delivery = createDelivery({ seed: 7, advertiser, portfolio, today, hour: 12 });

test('ads never deliver before their ad group, and ad groups never deliver before their campaign', () => {
  const early = portfolio.ad.filter(
    ({ first, parent }) => first < parent.first || parent.first < parent.parent.first,
  );
  expect(early).toEqual([]);
});

test('counts are integers up to the last day, even for ads that start on that day', () => {
  const counts = portfolio.ad.flatMap(ad => delivery.on(ad, today) ?? []);
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.filter(count => !Number.isSafeInteger(count))).toEqual([]);
});
