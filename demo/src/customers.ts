/** A customer of Fieldbook, the fictional product. A real product stores its customers in its database. */
export interface DemoCustomer {
  /** The customer's name in the service. */
  readonly id: string;
  readonly company: string;
  readonly person: string;
}

export const demoCustomers: readonly DemoCustomer[] = [
  { id: 'juniper-bakery', company: 'Juniper Bakery', person: 'Amina Diallo' },
  { id: 'northquay-logistics', company: 'Northquay Logistics', person: 'Imre Vantongeren' },
  { id: 'okafor-dental', company: 'Okafor Dental Group', person: 'Chidi Okafor' },
];
