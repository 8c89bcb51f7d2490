const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PAGE = 'http://localhost:3000' } = process.env;

export const options = {
  baseUrl: SERVICE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  allowedOrigins: [PAGE],
};
