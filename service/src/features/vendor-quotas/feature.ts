import type { VendorQuota } from '@connector-auth/api/admin';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { readQuotaUsage, type QuotaUsage } from '../../shared/vendor-limits/quota-usage.ts';

export function vendorQuotas({ db, kinds }: Needs<'db' | 'kinds'>) {
  const declared = kinds.all.flatMap(kind =>
    kind.rateLimits
      .filter(({ isDailyQuota }) => isDailyQuota === true)
      .map(({ countedBy, burst }) => ({
        kind: kind.key,
        countedBy,
        perDay: burst,
        keyPrefix: `${kind.key}:${countedBy} and day:`,
      })),
  );
  return {
    adminHandlers: {
      listVendorQuotas: async () => {
        const used = await readQuotaUsage(db, declared);
        const unused = declared.filter(({ keyPrefix }) => !used.some(({ key }) => key.startsWith(keyPrefix)));
        return {
          data: [
            ...used.map(toVendorQuota),
            ...unused.map(({ kind, countedBy, perDay }) => ({
              connector_type: kind,
              name: countedBy,
              limit: perDay,
              used: 0,
              window_ends_at: null,
              customers: [],
            })),
          ],
        };
      },
    },
  } satisfies Feature;
}

/** Names a quota such as `company 5Rk0Zb2q`, because the vendor's id is stored only as a hash. */
function toVendorQuota({ key, perDay, used, windowEndsAt, customers }: QuotaUsage): VendorQuota {
  const [kind = '', scope = '', hash = ''] = key.split(':');
  return {
    connector_type: kind,
    name: `${scope.replace(/ and day$/, '')} ${hash.slice(0, 8)}`.trim(),
    limit: perDay,
    used,
    window_ends_at: windowEndsAt.toISOString(),
    customers: customers.map(({ organization, customer, used: part, lastUsedAt }) => ({
      organization,
      customer,
      used: part,
      last_used_at: lastUsedAt.toISOString(),
    })),
  };
}
