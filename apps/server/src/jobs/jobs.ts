import { jobRoutes } from './console-routes.ts';
import { queueMetrics } from './queue-metrics.ts';
import { timetableMetrics } from './timetable/timetable-metrics.ts';

/** Work that is queued or due by the timetable. */
export const jobs = {
  consoleRoutes: [jobRoutes],
  metrics: [queueMetrics, timetableMetrics],
};
