/** A customer of Fieldbook, the fictional product. A real product stores its customers in its database. */
export interface DemoCustomer {
  /** The customer's name in the service. */
  readonly id: string;
  readonly company: string;
  /** The id and the name of the person of the company who is signed in. */
  readonly personId: string;
  readonly person: string;
}

/** The customer who is signed in at first, and whose sources are connected. */
export const firstCustomer: DemoCustomer = {
  id: 'juniper-bakery',
  company: 'Juniper Bakery',
  personId: 'amina',
  person: 'Amina Diallo',
};

export const demoCustomers: readonly DemoCustomer[] = [
  firstCustomer,
  { id: 'northquay-logistics', company: 'Northquay Logistics', personId: 'imre', person: 'Imre Vantongeren' },
  { id: 'okafor-dental', company: 'Okafor Dental Group', personId: 'chidi', person: 'Chidi Okafor' },
];
