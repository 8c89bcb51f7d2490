import type { Response } from 'express';
import { expect, test } from 'vitest';
import type { Question } from '../consent.ts';
import { sendSignInPage } from './page.ts';

/** Returns the page that asks about a client whose document is at `claude.ai`. */
function askAbout(redirectUri: string): string {
  let page = '';
  const response = {
    req: { headers: {} },
    status: () => response,
    set: () => response,
    type: () => response,
    send: (text: string) => void (page = text),
  };
  const question = {
    request: { id: 'sign-in', client: { name: 'Claude', host: 'claude.ai' }, redirectUri },
    organization: {
      id: 'northwind',
      name: 'Northwind',
      display_name: null,
      brand_color: null,
      logoVersion: null,
    },
    signIn: {
      customerId: 'acme',
      customerDisplayName: null,
      userId: 'ana',
      userName: 'Ana',
      confirmedAt: new Date(),
    },
    scopes: ['read'],
    sources: [],
    asksToWriteInVain: false,
    earlier: null,
  } as unknown as Question;
  const selection = { scopes: ['read'], sources: [], includesLater: true, days: 30 };
  // The page uses nothing else of a response.
  sendSignInPage(response as unknown as Response, {
    basePath: '',
    view: { name: 'asking', question, selection, isIncomplete: false },
  });
  return page;
}

test('names both hosts if a client’s codes go to another one than that of its document', () => {
  const sentence = 'The app is from <bdi>claude.ai</bdi>, but access goes to <bdi>claude.com</bdi>.';
  expect(askAbout('https://claude.com/callback')).toContain(sentence);
  expect(askAbout('https://claude.ai/callback')).not.toContain('access goes to');
  const onDevice = askAbout('http://127.0.0.1:7777/callback');
  expect(onDevice).toContain('an app on this device');
  expect(onDevice).not.toContain('access goes to');
});
