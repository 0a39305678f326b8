import { useState } from 'react';
import { maxRowsOfAct } from './act-on-each.ts';

/** The rows of a list that somebody has ticked, and how to tick them. */
export interface Selection<Row> {
  mayTick: (row: Row) => boolean;
  nameOf: (row: Row) => string;
  isTicked: (row: Row) => boolean;
  tick: (row: Row, isTicked: boolean) => void;
  /** Ticks rows up to an act's limit, or none. */
  tickAll: (isTicked: boolean) => void;
  ticked: readonly Row[];
  /** True if every row that may be ticked is. */
  isWhole: boolean;
}

/**
 * Keeps which of the shown rows are selected; rows that are no longer shown, or no longer fit, are not. Returns undefined
 * where no row fits.
 */
export function useSelection<Row extends { id: string }>(
  rows: readonly Row[],
  act: { isFor: (row: Row) => boolean; nameOf: (row: Row) => string } | undefined,
): Selection<Row> | undefined {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const fit = act ? rows.filter(act.isFor) : [];
  if (!act || fit.length === 0) return undefined;
  const ticked = fit.filter(({ id }) => ids.has(id));
  return {
    mayTick: act.isFor,
    nameOf: act.nameOf,
    isTicked: ({ id }) => ids.has(id),
    tick: ({ id }, isTicked) =>
      setIds(new Set(isTicked ? [...ticked.map((each) => each.id), id] : [...ids].filter((each) => each !== id))),
    tickAll: (isTicked) => setIds(new Set(isTicked ? fit.slice(0, maxRowsOfAct).map(({ id }) => id) : [])),
    ticked,
    isWhole: ticked.length === Math.min(fit.length, maxRowsOfAct),
  };
}
