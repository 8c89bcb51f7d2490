/** A fictional company. */
export interface Company {
  readonly name: string;
  readonly domain: string;
}

/** Fictional companies, all under the reserved domain `.example`. */
export const COMPANIES: readonly Company[] = [
  ['Brackenfield', 'brackenfield'],
  ['Nordlys Shipping', 'nordlys'],
  ['Café Meridian', 'cafe-meridian'],
  ['Tessera Health', 'tessera-health'],
  ['Oakwell & Daughters', 'oakwell'],
  ['Plum Logistics', 'plum-logistics'],
  ['Quillfeather', 'quillfeather'],
  ['Río Claro Foods', 'rioclaro'],
  ['Saltmarsh Energy', 'saltmarsh'],
  ['Tidepool Insurance', 'tidepool'],
  ['Umbra Optics', 'umbra-optics'],
  ['Valehurst Council', 'valehurst'],
  ['Wickerworks', 'wickerworks'],
  ['青葉システム', 'aoba-systems'],
  ['Zephyr Rail', 'zephyr-rail'],
  ['Ashgrove Dental', 'ashgrove'],
  ['Blåklint Media', 'blaklint'],
  ['Copperline', 'copperline'],
  ['Driftwood Hotels', 'driftwood'],
  ['Ember Robotics', 'ember-robotics'],
  ['Fjordkraft Data', 'fjordkraft-data'],
  ['Greenlark', 'greenlark'],
  ['Halcyon Freight', 'halcyon'],
  ['Ivory Coast Cocoa', 'ivory-cocoa'],
  ['Juniper Works', 'juniper-works'],
  ['Kestrel Analytics', 'kestrel'],
  ['Lantern Publishing', 'lantern'],
  ['Mühlbach Maschinen', 'muehlbach'],
].map(([name = '', label = '']) => ({ name, domain: `${label}.example` }));
