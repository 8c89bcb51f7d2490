import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';
import { customerOf } from './session.ts';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PAGE = 'http://localhost:3000' } = process.env;
const connect = connectorAuth({
  baseUrl: SERVICE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  allowedOrigins: [PAGE],
  resolveCustomer: request => customerOf(request),
});
express()
  .use('/connector-auth', connect)
  .listen(process.env.PORT ?? 3000);
