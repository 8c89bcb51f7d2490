import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Returns the violations that axe finds on a page, with their elements.
 * @param rule the only rule to check. Default: all rules.
 */
export async function violationsOf(page: Page, rule?: string): Promise<[string, string[]][]> {
  // The legacy mode reads only the page itself, and needs no second page for the results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rule === undefined ? axe : axe.withRules(rule)).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
