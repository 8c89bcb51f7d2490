import { createClient } from '@connector-auth/api/client';
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner } from '@openai/agents';
import { signIn } from './sign-in.ts';

const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', CUSTOMER = 'acme' } = process.env;
const { MODEL_URL = 'https://api.openai.com/v1', MODEL_NAME = 'gpt-5.5', MODEL_KEY = '' } = process.env;
const [question = 'Which campaigns spent most last week?'] = process.argv.slice(2);

// An agent of your backend has a token for one customer, from your session and never from the conversation. This one can only
// read. A person's own agent has no secret, so the person signs in.
const mintToken = async () => {
  const client = createClient({ baseUrl: SERVICE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  const { token } = await client.tokens.mintScoped({
    customer_name: CUSTOMER,
    allowed_actions: ['list', 'get', 'search'],
  });
  return { headers: { Authorization: `Bearer ${token}` } };
};

const url = `${SERVICE_URL}/mcp`;
const server = new MCPServerStreamableHttp({
  name: 'data',
  url,
  ...(CLIENT_SECRET ? { requestInit: await mintToken() } : { authProvider: await signIn(url) }),
});
const agent = new Agent({
  name: 'Analyst',
  model: MODEL_NAME,
  instructions: `Answer with data from the connected sources. Today is ${new Date().toDateString()}.`,
  mcpServers: [server],
});
agent.on('agent_tool_start', (_context, tool, { toolCall }) => {
  if (toolCall.type === 'function_call') console.log(`→ ${tool.name} ${toolCall.arguments}`);
});
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL: MODEL_URL, apiKey: MODEL_KEY, useResponses: false }),
  // Traces contain the customer's records, and go to OpenAI whatever the model is.
  tracingDisabled: true,
});
await server.connect();
try {
  const { finalOutput } = await runner.run(agent, question, { maxTurns: 20 });
  console.log(finalOutput);
} finally {
  await server.close();
}
