import { connect } from '#db/connect.ts';
import { expireCode, makeResetCode } from '#identity/oob-codes.ts';
import { disableUser } from '../users.ts';

/** Runs an operator's command for the conformance script: `code EMAIL`, `disable EMAIL` or `expire-code CODE`. */
const [command, what = ''] = process.argv.slice(2);
const pool = connect(process.env.DATABASE_URL ?? '', { max: 1 });
if (command === 'code') process.stdout.write((await makeResetCode(pool, what)) ?? '');
else if (command === 'disable') await disableUser(pool, what);
else if (command === 'expire-code') await expireCode(pool, what);
else throw new Error(`There is no command ${command}.`);
await pool.end();
