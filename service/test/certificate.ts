import { execFileSync } from 'node:child_process';

/** Makes a certificate for a host, which is its own authority, and its key. */
export function makeCertificate(
  host: string,
  { certificate, key }: { certificate: string; key: string },
): void {
  const files = ['-keyout', key, '-out', certificate];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...names],
    { stdio: 'pipe' },
  );
}
