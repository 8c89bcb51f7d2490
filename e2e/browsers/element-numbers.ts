/** Numbers the elements that tests click and fill, so that webkit-provider.ts finds them. */
import { page } from 'vitest/browser';

const elements: Element[] = [];
Object.assign(window, { numberedElements: elements });

const locatorOf = page.elementLocator.bind(page);
page.extend({
  elementLocator: element => {
    const number = elements.push(element) - 1;
    return Object.assign(locatorOf(element), { selector: String(number) });
  },
});
