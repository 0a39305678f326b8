type Scope = Record<string, unknown>;

/** Returns the value of `.Values.a.b`, `$.Values.a.b`, `.` or `$name`. */
function lookUp(path: string, scope: Scope): unknown {
  if (path in scope) return scope[path];
  if (path.startsWith('$') && !path.startsWith('$.')) throw new Error(`${path} is not set`);
  const names = path.replace(/^\$?\./, '').split('.');
  return names.reduce<unknown>((inside, name) => {
    const found = (inside as Scope | undefined)?.[name];
    if (found === undefined) throw new Error(`${path} is not set`);
    return found;
  }, scope);
}

/**
 * Renders the little of Helm's language that our chart uses: values, and `range` over a list or a map. Throws on
 * everything else, so that what it passes is what Helm makes of it.
 */
export function renderChart(template: string, scope: Scope): string {
  const range = /^ *\{\{- range (?:(\$\w+), (\$\w+) := )?(\S+) \}\}\n([\s\S]*?)^ *\{\{- end \}\}\n/gm;
  const unrolled = template.replaceAll(
    range,
    (_, key: string | undefined, value: string, path: string, body: string) => {
      const over = lookUp(path, scope);
      const entries = Array.isArray(over) ? over.map((each) => ['', each]) : Object.entries(over as Scope);
      return entries
        .map(([name, each]) =>
          renderChart(body, { ...scope, ...(key ? { [key]: name, [value]: each } : { '.': each }) }),
        )
        .join('');
    },
  );
  return unrolled.replaceAll(/\{\{(.*?)\}\}/g, (_, inside: string) => {
    const path = /^ ([$.][\w.]*) $/.exec(inside)?.[1];
    if (!path) throw new Error(`{{${inside}}} is not rendered here`);
    return String(lookUp(path, scope));
  });
}
