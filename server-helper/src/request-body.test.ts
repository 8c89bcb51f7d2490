import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import express from 'express';
import { beforeEach, describe, expect, test } from 'vitest';
import { FakeService } from '../test/fake-service.ts';
import { execute, startHost, type HostApp } from '../test/host-app.ts';

let service: FakeService;
let host: HostApp;
beforeEach(async () => {
  service = await new FakeService().start();
});

describe('request body size', () => {
  const megabyte = 1024 * 1024;

  test('accepts a body of exactly 1 MiB', async () => {
    host = await startHost(service);
    const body = 'x'.repeat(megabyte);
    expect((await execute(host, { body })).statusCode).toBe(200);
    expect(service.requests[0]?.body.length).toBe(megabyte);
  });

  test.each([
    ['with Content-Length', () => Buffer.alloc(megabyte + 1)],
    ['without Content-Length', () => Readable.from(Array.from({ length: 17 }, () => Buffer.alloc(65_536)))],
  ])('a body over 1 MiB %s is 413 and is not forwarded', async (_how, body) => {
    host = await startHost(service);
    const response = await execute(host, { body: body() });
    expect(response.statusCode).toBe(413);
    expect(await response.body.json()).toMatchObject({ code: 'body_too_large' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('earlier body parsers', () => {
  test('reports a body parser that ran before connectorAuth()', async () => {
    host = await startHost(service, {}, app => app.use(express.json()));
    const response = await execute(host);
    expect(response.statusCode).toBe(500);
    expect(await response.body.json()).toMatchObject({
      code: 'internal_error',
      detail: expect.stringContaining('before express.json()'),
    });
    expect(service.requests).toHaveLength(0);
  });

  test('detects middleware that consumed the body without parsing it', async () => {
    host = await startHost(service, {}, app => {
      app.use(async (request, _response, next) => {
        await text(request);
        next();
      });
    });
    expect((await execute(host)).statusCode).toBe(500);
  });

  test('allows a body parser for requests without a body', async () => {
    host = await startHost(service, {}, app => app.use(express.json()));
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(200);
    expect((await host.fetch('GET', '/connectors')).statusCode).toBe(200);
  });
});
