// Measures the cost of mapping a page compared with our lossless JSON parsing. Run manually:
// node --conditions=source connectors/bench/mapping.bench.ts
import { readFileSync } from 'node:fs';
import { parseJson } from '@connector-auth/api';
import { adGroup } from '../src/tiktok-marketing/ad-groups.ts';
import { ad } from '../src/tiktok-marketing/ads.ts';
import { campaign } from '../src/tiktok-marketing/campaigns.ts';
import { recordMapping } from '../src/tiktok-marketing/record.ts';
import { rowMapping } from '../src/tiktok-marketing/report-row.ts';
import { adReport, advertiserReport } from '../src/tiktok-marketing/reports.ts';
import { readPage } from '../src/tiktok-marketing/wire.ts';

const recordsPerPage = 1000;
const rounds = 40;

const pages: [name: string, sample: string, map: (wire: unknown) => unknown][] = [
  ['campaigns', 'campaign_get_1', recordMapping(campaign)],
  ['ad_groups', 'adgroup_get_1', recordMapping(adGroup)],
  ['ads', 'ad_get_1', recordMapping(ad)],
  ['advertisers_reports_daily', 'report_advertiser_1', rowMapping(advertiserReport)],
  ['ads_reports_daily', 'report_ad_1', rowMapping(adReport)],
];

const table = pages.map(([name, sample, map]) => {
  const text = pageOf(sample);
  const parses: number[] = [];
  const maps: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const body = timed(parses, () => parseJson(text));
    timed(maps, () => readPage({ status: 200, headers: {}, body }, map));
  }
  const [parseMs, mapMs] = [median(parses), median(maps)];
  return {
    page: name,
    'KB of JSON': Math.round(text.length / 1024),
    'parse ms': round(parseMs),
    'map ms': round(mapMs),
    'map / parse': round(mapMs / parseMs),
  };
});
console.log(`A page of ${recordsPerPage} records, median of ${rounds} rounds:`);
console.table(table);

/** Makes a page of TikTok's maximum size from a sample's records, each a little different. */
function pageOf(sample: string): string {
  const path = new URL(`../src/tiktok-marketing/fixtures/${sample}.json`, import.meta.url);
  const body = JSON.parse(readFileSync(path, 'utf8')) as { data: { list: unknown[] } };
  const list = Array.from({ length: recordsPerPage }, (_, index) => {
    const record = JSON.stringify(body.data.list[index % body.data.list.length]);
    return JSON.parse(record.replaceAll(/"179\d{13}"/g, `"${1_790_000_000_000_000 + index}"`)) as unknown;
  });
  return JSON.stringify({ ...body, data: { ...body.data, list } });
}

function timed<T>(times: number[], run: () => T): T {
  const start = performance.now();
  const result = run();
  times.push(performance.now() - start);
  return result;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
