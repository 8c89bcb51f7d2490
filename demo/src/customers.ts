/** The companies that use Fieldbook, our pretend product. A real product has these in its database. */
export interface DemoCustomer {
  /** What the service knows the customer by. */
  readonly id: string;
  readonly company: string;
  readonly person: string;
}

export const demoCustomers: readonly DemoCustomer[] = [
  { id: 'juniper-bakery', company: 'Juniper Bakery', person: 'Amina Diallo' },
  { id: 'northquay-logistics', company: 'Northquay Logistics', person: 'Imre Vantongeren' },
  { id: 'okafor-dental', company: 'Okafor Dental Group', person: 'Chidi Okafor' },
];
