import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createClient } from '@connector-auth/api/client';
import { generateText, isStepCount } from 'ai';
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
  return { Authorization: `Bearer ${token}` };
};

const url = `${SERVICE_URL}/mcp`;
const mcp = await createMCPClient({
  transport: {
    type: 'http',
    url,
    ...(CLIENT_SECRET ? { headers: await mintToken() } : { authProvider: await signIn(url) }),
  },
});
const model = createOpenAICompatible({ name: 'model', baseURL: MODEL_URL, apiKey: MODEL_KEY });
try {
  const { text } = await generateText({
    model: model(MODEL_NAME),
    instructions: `Answer with data from the connected sources. Today is ${new Date().toDateString()}.`,
    prompt: question,
    tools: await mcp.tools(),
    stopWhen: isStepCount(20),
    onToolExecutionStart: ({ toolCall: { toolName, input } }) =>
      console.log(`→ ${toolName} ${JSON.stringify(input)}`),
  });
  console.log(text);
} finally {
  await mcp.close();
}
