export { sampleOf } from './sample.ts';
export {
  actAsVendor,
  startVendor,
  type Description,
  type VendorReply,
  type VendorRequest,
  type VendorHandler,
  type VendorServer,
} from './vendor-server.ts';
export { openSource, syncRecords, type Synced } from './sync-records.ts';
