import { expect, test } from 'vitest';
import { customerSentence } from './customer-words.ts';

test.each(['connector_disabled', 'connector_frozen', 'organization_disabled'] as const)(
  'a customer does not read the operator’s sentence about %s',
  code => {
    const detail = 'An operator has to enable it in the console';
    const sentence = customerSentence({ code, detail }, 403);
    expect(sentence).toContain('paused');
    expect(sentence).not.toMatch(/operator|console|incident/i);
  },
);

test('shows the service’s sentence if there is no other, and the status if there is none', () => {
  expect(customerSentence({ code: 'vendor_failed', detail: 'Granola failed' }, 502)).toBe('Granola failed');
  expect(customerSentence({}, 502)).toContain('502');
});
