import { expect, inject, test } from 'vitest';
import { connect } from '#db/connect.ts';
import { prepareDatabase } from '../../../../simulate/database.ts';
import { simulate } from '../../../../simulate/simulation.ts';

/** An empty database beside the template, whose schema the simulator makes in its own way. */
async function anEmptyDatabase(name: string) {
  const template = inject('templateUrl');
  const admin = connect(template.replace(/\/[^/]+$/, '/postgres'), { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const database = await prepareDatabase(template.replace(/\/[^/]+$/, `/${name}`));
  return {
    ...database,
    close: async () => {
      await database.close();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

test.each([1, 2])(
  'whatever happens to the product in six weeks of random lives, every cent is where it belongs (seed %i)',
  async (seed) => {
    const database = await anEmptyDatabase(`simulation_${seed}`);
    try {
      const report = await simulate({ supporters: 8, days: 45, seed, faults: true, database });
      expect(report.violations).toEqual([]);
      expect(report.debits).toBeGreaterThan(30);
      expect(report.counts.get('crashes')).toBeGreaterThan(10);
    } finally {
      await database.close();
    }
  },
  300_000,
);
