export { sampleOf } from './sample.ts';
export {
  startVendor,
  type Description,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts';
export { openSource, syncRecords, type Synced } from './sync-records.ts';
