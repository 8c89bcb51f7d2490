import type { AuditEntry } from '@connector-auth/api/admin';
import type { TemplateResult } from 'lit';
import { badge } from '../../components/badge.ts';

const acronyms: Readonly<Record<string, string>> = { oauth: 'OAuth', id: 'ID', url: 'URL' };

/** Returns a code such as `oauth_app.deleted` as words: “OAuth app deleted”. */
export function wordsOf(code: string): string {
  const words = code
    .split(/[._]/)
    .filter(word => word !== '')
    .map(word => acronyms[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns what happened in an entry: “List calls” or “Connector created”. */
export function actionOf({ action, entity }: Pick<AuditEntry, 'action' | 'entity'>): string {
  const words = wordsOf(action);
  if (entity === null || entity === '*') return words;
  return `${words} ${entity.replaceAll('_', ' ')}`;
}

/**
 * Returns who did it.
 * @param knownName the name that the actor has now, if the entry does not contain one.
 */
export function actorOf({ type, name, id }: AuditEntry['actor'], knownName?: string): string {
  switch (type) {
    case 'application':
      return name ?? knownName ?? `Application ${id ?? ''}`.trim();
    case 'admin_key':
      return name ?? knownName ?? `Admin key ${id ?? ''}`.trim();
    case 'customer_token':
      return 'Customer';
    case 'sync':
      return 'Sync';
    case 'service':
      return 'Service';
  }
}

/** The types of actors with their labels. */
export const actorTypes: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  application: 'Application',
  admin_key: 'Admin key',
  customer_token: 'Customer’s token',
  sync: 'Sync',
  service: 'Service',
};

/** Renders whether it succeeded. */
export function outcomeBadge(outcome: string): TemplateResult {
  return outcome === 'ok' ? badge('OK', 'good') : badge(wordsOf(outcome), 'bad');
}

/** Formats a time to the second, in the browser's time zone. */
export function exactTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' });
}
