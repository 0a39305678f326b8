import type { Cents } from '#world/money.ts';

export interface Merchant {
  name: string;
  suburb: string;
  state: string;
  /** ANZSIC group, as Basiq's subClass gives it. */
  code: string;
  title: string;
  /** The middle of what people spend here. */
  median: Cents;
  /** Prices here are mostly whole dollars. */
  isRound?: true;
  /** A fixed amount held before the real one: petrol, hotels. */
  holdCents?: Cents;
}

const cafe = { code: '451', title: 'Cafes, Restaurants and Takeaway Food Services' };
const grocer = { code: '411', title: 'Supermarket and Grocery Stores' };
const fuel = { code: '400', title: 'Fuel Retailing' };
const shop = { code: '427', title: 'Pharmaceutical and Other Store-Based Retailing' };
const travel = { code: '462', title: 'Road Passenger Transport' };

/** Invented shops with the look of real statement lines. */
export const merchants: readonly [Merchant, ...Merchant[]] = [
  { name: 'BLUE WREN COFFEE', suburb: 'NEWTOWN', state: 'NSW', ...cafe, median: 540 },
  { name: 'SQ *MORNING TIDE ESPRESSO', suburb: 'BONDI', state: 'NSW', ...cafe, median: 610 },
  { name: 'KURRAJONG BAKEHOUSE', suburb: 'ORANGE', state: 'NSW', ...cafe, median: 870 },
  { name: 'DUMPLING ALLEY', suburb: 'MELBOURNE', state: 'VIC', ...cafe, median: 1890 },
  { name: 'CAFÉ MIMOSA', suburb: 'CARLTON', state: 'VIC', ...cafe, median: 1450 },
  { name: 'THE PADDOCK HOTEL', suburb: 'BALLARAT', state: 'VIC', ...cafe, median: 2600, isRound: true },
  { name: 'FRESHFIELDS MARKET 4419', suburb: 'PARRAMATTA', state: 'NSW', ...grocer, median: 4630 },
  { name: 'FRESHFIELDS METRO 1207', suburb: 'SYDNEY', state: 'NSW', ...grocer, median: 1725 },
  { name: 'GUMTREE GROCER 0882', suburb: 'GEELONG', state: 'VIC', ...grocer, median: 5240 },
  { name: 'CORNER PANTRY', suburb: 'FITZROY', state: 'VIC', ...grocer, median: 1180 },
  { name: 'BILLABONG FUEL 7731', suburb: 'ROCKBANK', state: 'VIC', ...fuel, median: 6800, holdCents: 10_000 },
  { name: 'SOUTHERN CROSS PETROL', suburb: 'GOULBURN', state: 'NSW', ...fuel, median: 7350, holdCents: 10_000 },
  { name: 'WATTLE PHARMACY', suburb: 'HOBART', state: 'TAS', ...shop, median: 2315 },
  { name: 'LANTERN BOOKS', suburb: 'ADELAIDE', state: 'SA', ...shop, median: 2999 },
  { name: 'SP RIDGELINE OUTDOOR', suburb: 'BRISBANE', state: 'QLD', ...shop, median: 8450 },
  { name: 'TWO DOLLAR TREASURES', suburb: 'DUBBO', state: 'NSW', ...shop, median: 600, isRound: true },
  { name: 'BUNYA HARDWARE 311', suburb: 'TOOWOOMBA', state: 'QLD', ...shop, median: 3745 },
  { name: 'HARBOUR TRANSIT TAP', suburb: 'SYDNEY', state: 'NSW', ...travel, median: 465 },
  { name: 'CITY PARKING 12', suburb: 'PERTH', state: 'WA', ...travel, median: 1400, isRound: true },
  { name: 'PAYPAL *INKWELLAPPS', suburb: '4029357733', state: 'NSW', ...shop, median: 1299 },
];
