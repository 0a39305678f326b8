import type { IsoDate } from '@sparechange/domain';

/** A finished task of the timetable, with its figures. */
export interface PlayedTask {
  task: string;
  result: unknown;
}

const hasFigures = (result: unknown): boolean => /[:[]-?[1-9]/.test(JSON.stringify(result) ?? '');

/** Writes a day of `advance` in one line: how many tasks, and the figures of those that had something to do. */
export function dayPlayed(day: IsoDate, tasks: readonly PlayedTask[]): string {
  const told = tasks.filter(({ result }) => hasFigures(result));
  const figures = told.map(({ task, result }) => `; ${task} ${JSON.stringify(result)}`);
  return `${day}: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}${figures.join('')}`;
}
