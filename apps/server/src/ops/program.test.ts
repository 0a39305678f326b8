import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { operatorProgram } from './program.ts';

const names = commands.map(({ usage }) => usage.split(' ')[0] ?? '');

test.each(names)('help shows %s as it is once it was loaded', async (name) => {
  const unloaded = await operatorProgram([]);
  const loaded = await operatorProgram([name]);
  expect(loaded.helpInformation()).toBe(unloaded.helpInformation());
  const command = loaded.commands.find((each) => each.name() === name);
  expect(command?.commands.length || command?.options.length).toBeGreaterThan(0);
});

test('help about a command is that of the command itself', async () => {
  const [asked, called] = [
    await operatorProgram(['help', 'debit-run']),
    await operatorProgram(['debit-run', '--help']),
  ];
  const helpOf = (program: typeof asked) =>
    program.commands.find((each) => each.name() === 'debit-run')?.helpInformation();
  expect(helpOf(asked)).toBe(helpOf(called));
  expect(helpOf(asked)).toContain('--after-restore');
});
