import type { Company } from './companies.ts';

/** A small fictional business with an account at every vendor, and the words of its trade. */
export interface Business {
  /** The same at every vendor. */
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  /** The companies that it meets and calls. */
  readonly clients: readonly Company[];
  readonly products: readonly string[];
  readonly projects: readonly string[];
  readonly teams: readonly string[];
  readonly roles: readonly string[];
  readonly ads: {
    readonly themes: readonly string[];
    readonly groups: readonly string[];
    readonly texts: readonly string[];
    /** Paths on its website that ads lead to. */
    readonly paths: readonly string[];
  };
}

/** The fictional businesses. */
export const BUSINESSES: readonly Business[] = [
  {
    id: 'juniper-bakery',
    name: 'Juniper Bakery',
    domain: 'juniper-bakery.example',
    clients: companies(
      'Café Meridian',
      'Driftwood Hotels',
      'Corner Grocers',
      'Linden School',
      'Oakwell Deli',
    ),
    products: ['sourdough loaves', 'breakfast boxes', 'wedding cakes', 'croissants', 'gluten-free rolls'],
    projects: ['spring menu', 'second shop', 'new deck oven', 'pre-order app', 'flour contract'],
    teams: ['Bakehouse', 'Shop', 'Deliveries', 'Pastry'],
    roles: ['pastry chef', 'early-shift baker', 'shop manager', 'delivery driver'],
    ads: {
      themes: [
        'Sourdough',
        'Wedding cakes',
        'Breakfast boxes',
        'Croissants',
        'Office catering',
        'Baking class',
      ],
      groups: ['Bakery near me', 'Sourdough bread', 'Birthday cakes', 'Catering', 'Gluten-free'],
      texts: [
        'Baked at four, with you by seven',
        'Your cake, your flavours',
        'A box of breakfast for the team',
      ],
      paths: ['bread', 'cakes', 'catering', 'classes'],
    },
  },
  {
    id: 'northquay-logistics',
    name: 'Northquay Logistics',
    domain: 'northquay-logistics.example',
    clients: companies(
      'Brackenfield',
      'Río Claro Foods',
      'Mühlbach Maschinen',
      'Umbra Optics',
      'Wickerworks',
    ),
    products: ['pallet storage', 'chilled deliveries', 'next-day parcels', 'container transport', 'returns'],
    projects: ['new cross-dock', 'electric fleet', 'customs portal', 'route planning', 'night shift'],
    teams: ['Dispatch', 'Warehouse', 'Customs', 'Fleet'],
    roles: ['dispatcher', 'warehouse lead', 'customs clerk', 'fleet mechanic'],
    ads: {
      themes: [
        'Pallet storage',
        'Chilled freight',
        'Next-day delivery',
        'Containers',
        'Fulfilment',
        'Drivers wanted',
      ],
      groups: ['Freight quotes', 'Warehouse space', 'Cold chain', 'Customs help', 'Parcel delivery'],
      texts: ['A pallet place by tomorrow', 'Chilled from dock to door', 'One quote, the whole route'],
      paths: ['storage', 'freight', 'quote', 'jobs'],
    },
  },
  {
    id: 'okafor-dental',
    name: 'Okafor Dental Group',
    domain: 'okafor-dental.example',
    clients: companies(
      'Tidepool Insurance',
      'Valehurst Council',
      'Linden School',
      'Zephyr Rail',
      'Copperline',
    ),
    products: ['staff dental plans', 'school check-ups', 'implants', 'clear aligners', 'hygiene days'],
    projects: ['third practice', 'online booking', 'digital X-ray', 'recall letters', 'Saturday clinic'],
    teams: ['Reception', 'Hygiene', 'Orthodontics', 'Surgery'],
    roles: ['dental nurse', 'hygienist', 'receptionist', 'associate dentist'],
    ads: {
      themes: ['Check-ups', 'Clear aligners', 'Implants', 'Whitening', 'Emergency dentist', 'Staff plans'],
      groups: ['Dentist near me', 'Emergency', 'Clear aligners', 'Implant costs', 'Children'],
      texts: ['An appointment this week', 'Straighter teeth, step by step', 'A dentist who explains'],
      paths: ['book', 'aligners', 'implants', 'team-plans'],
    },
  },
];

/** Returns the member of a credential that says whose account it opens, if a business has this account. */
export function businessOf(account: string | undefined): { readonly business?: string } {
  return BUSINESSES.some(({ id }) => id === account) && account !== undefined ? { business: account } : {};
}

function companies(...names: readonly string[]): Company[] {
  return names.map(name => {
    const label = name
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '-');
    return { name, domain: `${label}.example` };
  });
}
