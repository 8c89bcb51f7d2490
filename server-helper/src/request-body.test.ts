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

describe('the size of a body', () => {
  const megabyte = 1024 * 1024;

  test('may be exactly 1 MiB', async () => {
    host = await startHost(service);
    const body = 'x'.repeat(megabyte);
    expect((await execute(host, { body })).statusCode).toBe(200);
    expect(service.requests[0]?.body.length).toBe(megabyte);
  });

  test.each([
    ['announced', () => Buffer.alloc(megabyte + 1)],
    ['not announced', () => Readable.from(Array.from({ length: 17 }, () => Buffer.alloc(65_536)))],
  ])('beyond 1 MiB, %s, is 413 and goes nowhere', async (_how, body) => {
    host = await startHost(service);
    const response = await execute(host, { body: body() });
    expect(response.statusCode).toBe(413);
    expect(await response.body.json()).toMatchObject({ code: 'body_too_large' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('a body parser that ran before', () => {
  test('is reported as a mistake of the app, in words that help', async () => {
    host = await startHost(service, {}, app => app.use(express.json()));
    const response = await execute(host);
    expect(response.statusCode).toBe(500);
    expect(await response.body.json()).toMatchObject({
      code: 'internal_error',
      detail: expect.stringContaining('before express.json()'),
    });
    expect(service.requests).toHaveLength(0);
  });

  test('that left no trace but an empty stream is noticed too', async () => {
    host = await startHost(service, {}, app => {
      app.use(async (request, _response, next) => {
        await text(request);
        next();
      });
    });
    expect((await execute(host)).statusCode).toBe(500);
  });

  test('does not matter where there is no body to read', async () => {
    host = await startHost(service, {}, app => app.use(express.json()));
    expect((await host.fetch('POST', '/widget-token')).statusCode).toBe(200);
    expect((await host.fetch('GET', '/connectors')).statusCode).toBe(200);
  });
});
