/** A customer of Fieldbook, the fictional product. A real product stores its customers in its database. */
export interface DemoCustomer {
  /** The customer's name in the service. */
  readonly id: string;
  readonly company: string;
  readonly person: string;
}

/** The customer who is signed in at first, and whose sources are connected. */
export const firstCustomer: DemoCustomer = {
  id: 'juniper-bakery',
  company: 'Juniper Bakery',
  person: 'Amina Diallo',
};

export const demoCustomers: readonly DemoCustomer[] = [
  firstCustomer,
  { id: 'northquay-logistics', company: 'Northquay Logistics', person: 'Imre Vantongeren' },
  { id: 'okafor-dental', company: 'Okafor Dental Group', person: 'Chidi Okafor' },
];
