// Mends what porsager/postgres 3.4.9 does after a connection is lost (reported upstream), until a release does: it writes to
// the socket that is gone, which ends the program; it keeps what it had not sent and never connects again; and it sends
// the rest of a transaction over the next connection, outside of any. See docs/decisions/0012.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** By file: each text of the release, and what it becomes. */
const mends = {
  'connection.js': [
    [
      `      if (needsTypes) {
        initial.reserve && (initial = null)
        return fetchArrayTypes()
      }

      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return
`,
      `      if (needsTypes)
        return fetchArrayTypes()

      const first = initial
      options.shared.retries = retries = 0
      initial = null
      first.reserve ? first.reserve(connection) : execute(first)
      return
`,
    ],
    [
      `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
      `    chunk = nextWriteTimer = null
    if (initial)
      return reconnect()

    if (query || sent.length)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
`,
    ],
  ],
  'index.js': [
    [
      `        queries.push(query)
        closed.length && connect(closed.shift(), query)
`,
      `        closed.length ? connect(closed.shift(), query) : queries.push(query)
`,
    ],
    [
      `    c.reserved = () => queue.length
      ? c.execute(queue.shift())
      : move(c, reserved)
    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      c.queue === full`,
      `    const own = c.reserved = () => queue.length
      ? c.execute(queue.shift())
      : move(c, reserved)
    c.reserved.release = true
    c.onclose = e => {
      while (queue.length)
        queue.shift().reject(e)
    }

    const sql = Sql(handler)
    sql.release = () => {
      if (c.reserved !== own)
        return
      c.reserved = c.onclose = null
      onopen(c)
    }

    return sql

    function handler(q) {
      if (c.reserved !== own)
        return q.reject(Errors.connection('CONNECTION_CLOSED', options))
      c.queue === full`,
    ],
    [
      `      , connection
      , prepare = null
`,
      `      , connection
      , lost
      , prepare = null
`,
    ],
    [
      `        new Promise((_, reject) => connection.onclose = reject)
`,
      `        new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })
`,
    ],
    [
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
        c.queue === full`,
    ],
  ],
};

/** Mends the driver under a project's folder unless that is done. Throws when the driver is another than it was written for. */
export function mendDriver(root) {
  for (const [name, changes] of Object.entries(mends)) {
    const file = join(root, 'node_modules/postgres/src', name);
    const released = readFileSync(file, 'utf8');
    let text = released;
    for (const [before, after] of changes) {
      if (text.includes(after)) continue;
      if (!text.includes(before)) throw new Error(`${file} is not the one that scripts/mend-driver.mjs mends.`);
      text = text.replace(before, () => after);
    }
    if (text === released) continue;
    writeFileSync(`${file}.mended`, text);
    renameSync(`${file}.mended`, file); // whole or not at all, and only here where packages are shared between folders
  }
}
