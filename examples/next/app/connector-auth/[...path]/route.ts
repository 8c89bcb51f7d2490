import { connectorAuth } from '@connector-auth/server-helper/next';
import { customerOfSession } from '../../../server/session.ts';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;

export const { GET, HEAD, POST, DELETE, OPTIONS } = connectorAuth({
  baseUrl: SERVICE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  allowedOrigins: [`http://localhost:${PORT}`],
  resolveCustomer: () => customerOfSession(),
});
