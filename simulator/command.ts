/** Arguments of a simulation. */
export interface Command {
  supporters: number;
  days: number;
  seed: number;
  /** The numbers of those who take part; all where undefined. */
  only?: readonly number[] | undefined;
  faults: boolean;
  /** The faults that occur; all where undefined. */
  kinds?: readonly string[] | undefined;
  buckets: number;
  isOnCluster: boolean;
}

/** Returns the command that plays a run again. */
export function commandOf({ supporters, days, seed, only, faults, kinds, buckets, isOnCluster }: Command): string {
  const options = [
    `--supporters ${supporters} --days ${days} --seed ${seed}`,
    ...(only ? [`--people ${only.join(',')}`] : []),
    ...(faults ? ['--faults'] : []),
    ...(faults && kinds ? [`--kinds ${kinds.map((kind) => kind.replaceAll(' ', '-')).join(',')}`] : []),
    ...(isOnCluster ? ['--citus'] : []),
    ...(buckets > 1 ? [`--buckets ${buckets}`] : []),
  ];
  return `npm run simulate -- ${options.join(' ')}`;
}

/** Reads the numbers of people; undefined where one of them is nobody's. */
export function readNumbers(text: string, most: number): readonly number[] | undefined {
  const numbers = [...new Set(text.split(',').map(Number))].sort((one, other) => one - other);
  return numbers.every((number) => Number.isInteger(number) && number >= 1 && number <= most) ? numbers : undefined;
}

/** Reads names out of a list, whose spaces are written as hyphens; undefined where one is not in it. */
export function readNames<Name extends string>(text: string, known: readonly Name[]): readonly Name[] | undefined {
  const names = text.split(',').map((name) => known.find((each) => each.replaceAll(' ', '-') === name));
  return names.every((name) => name !== undefined) ? names : undefined;
}
