import { parameterNotValid } from './answers.ts';

const operators = ['eq', 'ne', 'gt', 'gteq', 'lt', 'lteq', 'bt'] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  property: string;
  operator: Operator;
  values: string[];
}

const badFilter = () =>
  parameterNotValid('The provided filter parameter is in invalid format or unsupported', 'filter');

const shape =
  /^([a-zA-Z]+(?:\.[a-zA-Z]+)*)\.([a-z]+)\(\s*((?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*)\s*\)\s*(?:,\s*|$)/;

/** Reads conditions `property.op('value')`, joined by commas; all must hold. */
export function parseFilter(text: string | undefined, allowed: Record<string, readonly Operator[]>): Condition[] {
  const conditions: Condition[] = [];
  let rest = (text ?? '').trim();
  while (rest !== '') {
    const match = shape.exec(rest);
    if (match === null) throw badFilter();
    const [whole, property = '', name = '', list = ''] = match;
    const operator = allowed[property]?.find((known) => known === name);
    const values = [...list.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
    if (operator === undefined || values.length !== (operator === 'bt' ? 2 : 1)) throw badFilter();
    conditions.push({ property, operator, values });
    rest = rest.slice(whole.length);
    if (rest === '' && whole.trimEnd().endsWith(',')) throw badFilter();
  }
  return conditions;
}

/** Compares as text, which suits ids and dates written year-first. */
export function holds({ operator, values: [first = '', second = ''] }: Condition, value: string): boolean {
  switch (operator) {
    case 'eq':
      return value === first;
    case 'ne':
      return value !== first;
    case 'gt':
      return value > first;
    case 'gteq':
      return value >= first;
    case 'lt':
      return value < first;
    case 'lteq':
      return value <= first;
    case 'bt':
      return value >= first && value <= second;
  }
}

/** Keeps items for which every condition of a filter holds. */
export function applyFilter<Item>(
  items: Item[],
  filter: string | undefined,
  operators: readonly Operator[],
  properties: Record<string, (item: Item) => string>,
): Item[] {
  const conditions = parseFilter(
    filter,
    Object.fromEntries(Object.keys(properties).map((property) => [property, operators])),
  );
  return items.filter((item) =>
    conditions.every((condition) => holds(condition, properties[condition.property]?.(item) ?? '')),
  );
}
