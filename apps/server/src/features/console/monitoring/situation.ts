import { findSilentNodes, withoutNodes } from '#db/silent-nodes.ts';
import type { Condition, Surroundings } from './condition.ts';
import { conditions } from './conditions.ts';

type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type EachCondition = (typeof conditions)[number];
type ReportedOf<Each> = Each extends Condition<infer Reported, object> ? Reported : never;
type ShownOf<Each> = Each extends Condition<object, infer Shown> ? Shown : never;

/** Leaves out what silent nodes hold, and names them. */
export async function answeringOf<Deps extends Pick<Surroundings, 'db'>>(deps: Deps) {
  const silentServers = await findSilentNodes(deps.db);
  return { ...deps, db: withoutNodes(deps.db, silentServers), silentServers };
}

/** Reads what `ops status` reports: its JSON, and the lines that say the same. */
export async function situationOf(seen: Surroundings) {
  const json = {};
  const lines: string[] = [];
  for (const condition of conditions) {
    const { reported, lines: ofCondition } = await condition.report(seen);
    Object.assign(json, reported);
    lines.push(...ofCondition);
  }
  return { json: json as AllOf<ReportedOf<EachCondition>>, lines };
}

/** Reads what the page Today shows of it. */
export async function situationForToday(seen: Surroundings) {
  const shown = {};
  for (const condition of conditions) Object.assign(shown, await condition.show(seen));
  return shown as AllOf<ShownOf<EachCondition>>;
}

/** Raise the alarms of each minute, beside those of nodes, jobs and the audit log, which need more than others. */
export const watchers = conditions.flatMap(({ watch }) => watch ?? []);
