/** Renders `deploy/kubernetes`, and validates each object against the schemas of Kubernetes. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfiguration } from '../src/platform/config/configuration.ts';
import { requirePrograms } from './programs.ts';

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Pods {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  };
}

const kubectl = '/usr/bin/kubectl';

function render(): KubernetesObject[] {
  requirePrograms({ 'kubernetes-client': kubectl });
  const folder = join(import.meta.dirname, '../../deploy/kubernetes');
  const text = execFileSync(kubectl, ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
  return parseAllDocuments(text).map(document => document.toJS() as KubernetesObject);
}

/** Throws an error that says what the schema of the object's kind rejects. */
async function validate(object: KubernetesObject): Promise<void> {
  const models = (await import(`kubernetes-models/${object.apiVersion}`)) as Readonly<
    Record<string, new (value: unknown) => { validate(): void }>
  >;
  const Model = models[object.kind];
  if (!Model) throw new Error(`Kubernetes has no ${object.apiVersion} ${object.kind}`);
  new Model(object).validate();
}

test('every object is valid', async () => {
  const objects = render();
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
  for (const object of objects) await validate(object);
});

test('the schemas reject wrong objects', async () => {
  const [deployment] = render().filter(({ kind }) => kind === 'Deployment');
  const wrong = JSON.parse(JSON.stringify(deployment).replace('"periodSeconds":2', '"periodSeconds":"2s"'));
  await expect(validate(wrong as KubernetesObject)).rejects.toThrow('periodSeconds');
});

test('the selectors find the pods of the service, and not those of the migration', () => {
  const objects = render();
  const of = (kind: string) => objects.find(object => object.kind === kind) as unknown as Pods;
  const service = of('Deployment').spec;
  const selects = (selector: object, { template }: Pods['spec']) =>
    Object.entries(selector).every(([name, value]) => template.metadata.labels[name] === value);
  const selectors = [
    service.selector.matchLabels,
    of('PodDisruptionBudget').spec.selector.matchLabels,
    of('Service').spec.selector,
  ];
  for (const selector of selectors) {
    expect(selects(selector, service)).toBe(true);
    expect(selects(selector, of('Job').spec)).toBe(false);
  }
});

test('the service accepts the settings', () => {
  const { data } = render().find(({ kind }) => kind === 'ConfigMap') as unknown as {
    data: Record<string, string>;
  };
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const secrets = {
    DATABASE_URL: 'postgres://db/connector_auth',
    ENCRYPTION_KEYS: `e1:${key(1)}`,
    SIGNING_KEYS: `s1:${key(2)}`,
  };
  expect(readConfiguration({ ...data, ...secrets, HOST: '0.0.0.0' }, []).warnings).toEqual([]);
});
