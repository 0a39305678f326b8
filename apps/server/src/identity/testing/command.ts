import { connect } from '#db/connect.ts';
import { expireCode, newestResetCode } from '#identity/oob-codes.ts';
import { disableUser } from '../users.ts';

/** Operator commands for the conformance script: `command.ts code|disable|expire-code WHAT`. */
const [command, what = ''] = process.argv.slice(2);
const pool = connect(process.env.DATABASE_URL ?? '', { max: 1 });
if (command === 'code') process.stdout.write((await newestResetCode(pool, what)) ?? '');
else if (command === 'disable') await disableUser(pool, what);
else if (command === 'expire-code') await expireCode(pool, what);
await pool.end();
