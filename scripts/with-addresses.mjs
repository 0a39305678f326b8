/**
 * Returns the text of a package-lock.json with the address of each package at a registry. Ours names none, since a machine
 * may have its own registry; without them npm reads the list of all versions of each package, many megabytes, to find them.
 */
export function withAddresses(lockText, registry) {
  const lock = JSON.parse(lockText);
  const base = registry.replace(/\/*$/, '/');
  for (const [path, entry] of Object.entries(lock.packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || entry.link || entry.resolved || !entry.integrity) continue;
    const name = entry.name ?? path.slice(at + 'node_modules/'.length);
    entry.resolved = `${base}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`;
  }
  return JSON.stringify(lock);
}
