/** Examples of the contract's endpoints, for documentation and tests. Clients do not import them. */
export { endpointExamples, exampleValues } from './contract/examples.ts';
export { adminExampleRequests, adminExampleValues } from './contract/admin/examples.ts';
