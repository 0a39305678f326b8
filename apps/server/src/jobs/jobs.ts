import { jobRoutes } from './console-routes.ts';

/** Work that is queued or due by the timetable. */
export const jobs = {
  consoleRoutes: [jobRoutes],
};
