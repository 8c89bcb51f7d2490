import { BlockList, isIP } from 'node:net';

/** The networks to which an address that outsiders choose must not lead, from the registries of IANA. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Also the metadata services of most clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The platform service of Azure.
  '168.63.129.16/32',
];
/** Outside of this network, IPv6 addresses are local, mapped, translated or reserved. */
const globalIpv6 = '2000::/3';
/** Special networks inside of it, such as tunnels, which contain an IPv4 address. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const loopback = ['127.0.0.0/8', '::1/128'];

/** Networks as text, such as `10.0.0.0/8`. */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Returns whether a text is a network, such as `10.1.0.0/16` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix) || address.includes('%')) return false;
  return Number(prefix) <= (version === 6 ? 128 : 32);
}

export interface AddressRules {
  /** Networks that are allowed although they are special. */
  readonly allowedNetworks: readonly string[];
  /** Whether addresses of this machine are allowed. */
  readonly allowsLoopback: boolean;
}

/** Returns a function that returns whether the service may connect to an IP address. */
export function createAddressCheck({ allowedNetworks, allowsLoopback }: AddressRules) {
  const allowed = listOf([...allowedNetworks, ...(allowsLoopback ? loopback : [])]);
  const special = listOf([...specialIpv4, ...specialIpv6]);
  const global = listOf([globalIpv6]);
  return (text: string): boolean => {
    // A zone is valid only for addresses that are not global.
    if (text.includes('%')) return false;
    const version = isIP(text);
    if (version === 0) return false;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (allowed.check(text, family)) return true;
    return !special.check(text, family) && (version === 4 || global.check(text, family));
  };
}
