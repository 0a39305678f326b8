import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '@sparechange/server/config/config.ts';
import { Environment } from '@sparechange/server/config/environment.ts';
import { parseRoles } from '@sparechange/server/config/roles.ts';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { debianPrograms } from './debian-programs.ts';
import { renderChart } from './render-chart.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Values as an operator gives them; everything else has to stand in the files. */
const given: Record<string, string> = {
  PRODUCT_DOMAIN: 'giving.example',
  PRODUCT_PASSWORD: 'a1',
  OWNER_PASSWORD: 'b2',
  POSTGRES_PASSWORD: 'c3',
  REPLICATION_PASSWORD: 'd4',
  DATABASE_URL: 'postgres://sparechange_product:a1@db.internal/sparechange?sslmode=verify-full',
  DATABASE_OWNER_URL: 'postgres://sparechange_owner:b2@db.internal/sparechange?sslmode=verify-full',
  DATA_KEY: '5e'.repeat(32),
  IDENTITY_KEYS: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  BASIQ_API_KEY: 'a-real-key-of-the-bank',
  BASIQ_WEBHOOK_SECRET: 'whsec_YS1yZWFsLXNlY3JldC1vZi10aGUtYmFuaw==',
  ZEPTO_TOKEN: 'a-real-token-of-zepto',
  ZEPTO_WEBHOOK_SECRET: 'a-real-secret-of-zepto',
  ZEPTO_BANK_ACCOUNT_ID: 'b1946ac9-2049-4f0e-9a8a-2f1d1f1c0a11',
  SMTP_URL: 'smtps://user:password@mail.example:465',
  MAIL_FROM: 'Sparechange <hello@giving.example>',
  OPERATOR_MAIL: 'operator@giving.example',
};

/** Fills in what Compose fills in: ${NAME}, ${NAME:-default}, ${NAME:?message}. */
const interpolate = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const value = given[name] ?? (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  });

/** Variables of Node itself. */
const notOurs = ['NODE_EXTRA_CA_CERTS'];
const isKnown = (name: string): boolean => name in Environment.shape || notOurs.includes(name);

/** The seconds that a process needs at most to end: its time of grace, and what main.ts grants. */
const endsWithin = (settings: Record<string, string>): number => Number(settings.DRAIN_SECONDS) + 10;

const containerfile = read('deploy/Containerfile');
const routes = read('apps/server/src/app.ts') + read('apps/server/src/telemetry/metrics-server.ts');
const serves = (path: string): boolean => routes.includes(`'${path}'`);

const Program = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  stop_grace_period: z.templateLiteral([z.number(), 's']),
  volumes: z.array(z.string()),
});
const Compose = z.looseObject({
  services: z.record(z.string(), z.looseObject({ volumes: z.array(z.string()).default([]) })),
});

describe('deploy/compose.yaml', () => {
  const { services } = Compose.parse(loadAll(read('deploy/compose.yaml'), { schema: YAML11_SCHEMA })[0]);
  const programs = Object.entries(services)
    .filter(([name]) => /^(api|worker)-\d$/.test(name))
    .map(([name, service]) => ({ name, ...Program.parse(service) }));

  test('runs two of each, in roles that there are', () => {
    expect(programs.map(({ name, command }) => [name.replace(/-\d$/, ''), ...parseRoles(command)])).toEqual([
      ['api', 'api'],
      ['api', 'api'],
      ['worker', 'worker'],
      ['worker', 'worker'],
    ]);
  });

  test('gives each all that production wants, under names that the product knows', () => {
    for (const { environment } of programs) {
      expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
      const settings = Object.entries(environment).map(([name, value]) => [name, interpolate(value)]);
      const config = parseConfig(Object.fromEntries(settings));
      expect(config).toMatchObject({ isProduction: true, port: 4000, metricsPort: 4003 });
    }
  });

  test('lets each end in order before it is killed', () => {
    for (const program of programs)
      expect(Number.parseInt(program.stop_grace_period, 10)).toBeGreaterThanOrEqual(endsWithin(program.environment));
  });

  test('mounts files that are there', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const files = mounted.filter((source) => source.startsWith('./') && !source.startsWith('./certificates'));
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => !existsSync(`${root}deploy/${file}`))).toEqual([]);
  });

  test('the proxy asks every api process where it is', () => {
    const caddyfile = read('deploy/Caddyfile');
    const upstreams = /reverse_proxy (.*) \{/.exec(caddyfile)?.[1]?.split(' ');
    expect(upstreams).toEqual(
      programs
        .filter(({ command }) => command[0] === 'api')
        .map(({ name, environment }) => `${name}:${environment.PORT}`),
    );
    expect(serves(/health_uri (\S+)/.exec(caddyfile)?.[1] ?? '')).toBe(true);
  });
});

test('deploy/Containerfile starts the program at the port and in the folder that the others name', () => {
  expect(containerfile).toContain('ENTRYPOINT ["node", "apps/server/dist/main.js"]');
  expect(containerfile).toContain('EXPOSE 4000\n');
  expect(containerfile).toContain('DATA_DIR=/data');
  expect(serves('/healthz')).toBe(true);
});

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({ runAsUser: z.number() }),
        volumes: z.array(z.looseObject({ name: z.string() })),
        containers: z.tuple([
          z.looseObject({
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), valueFrom: z.unknown() })),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            startupProbe: Probe,
            livenessProbe: Probe,
            readinessProbe: Probe.optional(),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
      }),
    }),
  }),
});

describe('deploy/helm/sparechange', () => {
  const chart = 'deploy/helm/sparechange';
  const values = loadAll(read(`${chart}/values.yaml`))[0] as Record<string, unknown>;
  const templates = readdirSync(`${root}${chart}/templates`);
  const documents = templates.flatMap((name) =>
    loadAll(renderChart(read(`${chart}/templates/${name}`), { Values: values, Release: { Name: 'giving' } })),
  );
  const kinds = documents.map((document) => z.looseObject({ kind: z.string() }).parse(document).kind);
  const deployments = documents.flatMap((document) => Deployment.safeParse(document).data ?? []);
  const { data: settings } = z
    .object({ kind: z.literal('ConfigMap'), data: z.record(z.string(), z.string()) })
    .parse(documents.find((_, at) => kinds[at] === 'ConfigMap'));

  test('has what a cluster wants', () => {
    expect(kinds.toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(deployments).toHaveLength(2);
  });

  test('gives each all that production wants, under names that the product knows, secrets by reference', () => {
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers;
      expect(parseRoles(container.args).size).toBe(1);
      const secrets = container.env.map(({ name }) => name);
      expect([...secrets, ...Object.keys(settings)].filter((name) => !isKnown(name))).toEqual([]);
      expect(Object.keys(settings).filter((name) => secrets.includes(name))).toEqual([]);
      const environment = { ...settings, ...Object.fromEntries(secrets.map((name) => [name, given[name]])) };
      expect(parseConfig(environment)).toMatchObject({ isProduction: true, port: 4000, metricsPort: 4003 });
    }
  });

  test('lets nobody out but to names, the database, outside services and, where they are given, collectors', () => {
    const Policy = z.object({ spec: z.object({ egress: z.array(z.looseObject({ ports: z.array(z.unknown()) })) }) });
    const portsOf = (network: object) => {
      const scope = {
        Values: { ...values, network: { ...(values.network as object), ...network } },
        Release: { Name: 'giving' },
      };
      const { egress } = Policy.parse(loadAll(renderChart(read(`${chart}/templates/network.yaml`), scope))[0]).spec;
      return egress.map(({ ports }) => ports);
    };
    const names = [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ];
    const outside = [{ port: 443 }, { port: 465 }, { port: 587 }];
    expect(portsOf({})).toEqual([names, [{ port: 5432 }], outside]);
    expect(portsOf({ databasePorts: [5000, 5433], collectors: { observability: 4318 } })).toEqual([
      names,
      [{ port: 5000 }, { port: 5433 }],
      [{ port: 4318 }],
      outside,
    ]);
  });

  test('asks at paths and ports that are served', () => {
    const ofPort: Record<string, string | undefined> = { http: settings.PORT, metrics: settings.METRICS_PORT };
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers;
      for (const { name, containerPort } of container.ports) expect(String(containerPort)).toBe(ofPort[name]);
      const { startupProbe, livenessProbe, readinessProbe = livenessProbe } = container;
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect(serves(httpGet.path)).toBe(true);
        expect(container.ports.map(({ name }) => name)).toContain(httpGet.port);
      }
      const { volumes, securityContext, terminationGracePeriodSeconds } = spec.template.spec;
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
      expect(containerfile).toContain(`--uid ${securityContext.runAsUser} `);
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(endsWithin(settings));
    }
  });
});

test('the proxy of the database leads to where Patroni runs PostgreSQL, and asks where it answers', () => {
  const Patroni = z.looseObject({
    name: z.string(),
    restapi: z.object({ listen: z.string(), connect_address: z.string() }),
    postgresql: z.looseObject({ listen: z.string(), connect_address: z.string() }),
  });
  const { name, restapi, postgresql } = Patroni.parse(loadAll(read('deploy/patroni/patroni.yml'))[0]);
  const restPort = restapi.listen.split(':')[1];
  expect(read('deploy/patroni/haproxy.cfg')).toContain(`server ${name} ${postgresql.listen} check port ${restPort}\n`);
  expect([restapi.connect_address, postgresql.connect_address]).toEqual([restapi.listen, postgresql.listen]);
});

/** Runs a program on files of deploy/. */
const outcomeOf = (command: string, args: string[], changes: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...given, ...changes },
  });
  return { status, said: `${stdout}${stderr}` };
};
const has = (...command: [string, ...string[]]): boolean => spawnSync(command[0], command.slice(1)).status === 0;
test.skipIf(!has('docker', 'compose', 'version'))('docker compose reads it (skipped without docker compose)', () => {
  expect(outcomeOf('docker', ['compose', '-f', 'deploy/compose.yaml', 'config', '--quiet'])).toEqual({
    status: 0,
    said: '',
  });
});
test.skipIf(!has('helm', 'version'))('helm renders it (skipped without helm)', () => {
  expect(outcomeOf('helm', ['template', 'giving', 'deploy/helm/sparechange'])).toMatchObject({ status: 0 });
});

/** A folder with what files name and a machine has of its own: a certificate and its key, a user, a checkout. */
const folder = mkdtempSync(join(tmpdir(), 'sparechange-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const withCertificate = (text: string, where: string): string => {
  const subject = ['-subj', '/CN=giving.example', '-keyout', `${folder}/site.key`, '-out', `${folder}/site.crt`];
  expect(outcomeOf('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]).status).toBe(
    0,
  );
  return text.replaceAll(where, folder);
};
const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const oldCompose = await debianPrograms({ 'docker-compose': 'docker-compose' });
const haproxy = await debianPrograms({ haproxy: 'haproxy' });
const caddy = await debianPrograms({ caddy: 'caddy', openssl: 'openssl' });
const nginx = await debianPrograms({ nginx: 'nginx', openssl: 'openssl' });
const systemd = await debianPrograms({ 'systemd-analyze': 'systemd' });
/** Returns why a test is skipped, for its title. */
const unless = ({ whyNot }: { whyNot?: string | undefined }): string => (whyNot ? ` (skipped: ${whyNot})` : '');

test.skipIf(oldCompose.whyNot)(`docker-compose 1.29 reads it too${unless(oldCompose)}`, () => {
  const program = oldCompose.whyNot === undefined ? oldCompose.paths['docker-compose'] : '';
  expect(outcomeOf(program, ['-f', 'deploy/compose.yaml', 'config', '--quiet'])).toMatchObject({ status: 0 });
});
test.skipIf(haproxy.whyNot)(`haproxy reads its file${unless(haproxy)}`, () => {
  const program = haproxy.whyNot === undefined ? haproxy.paths.haproxy : '';
  expect(outcomeOf(program, ['-c', '-f', 'deploy/patroni/haproxy.cfg'])).toMatchObject({ status: 0 });
});
test.skipIf(caddy.whyNot)(`caddy takes its file${unless(caddy)}`, () => {
  const program = caddy.whyNot === undefined ? caddy.paths.caddy : '';
  const file = written('Caddyfile', withCertificate(read('deploy/Caddyfile'), '/certificates'));
  const args = ['validate', '--adapter', 'caddyfile', '--config', file];
  expect(outcomeOf(program, args, { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })).toEqual({
    status: 0,
    said: expect.stringContaining('Valid configuration'),
  });
});
test.skipIf(nginx.whyNot)(`nginx takes its file${unless(nginx)}`, () => {
  const program = nginx.whyNot === undefined ? nginx.paths.nginx : '';
  const site = withCertificate(read('deploy/nginx/sparechange.conf'), '/etc/nginx/certificates');
  const file = written('nginx.conf', `pid ${folder}/pid;\nevents {}\nhttp {\n${site}}\n`);
  expect(outcomeOf(program, ['-t', '-q', '-c', file, '-p', folder])).toMatchObject({ status: 0 });
});
test.skipIf(systemd.whyNot)(`systemd takes the service${unless(systemd)}`, () => {
  const program = systemd.whyNot === undefined ? systemd.paths['systemd-analyze'] : '';
  // The user and the checkout are the operator's to make.
  const unit = read('deploy/sparechange.service').replaceAll(
    '/opt/sparechange/node_modules/.bin/node',
    process.execPath,
  );
  const file = written(
    'sparechange.service',
    unit.replaceAll(/^(User|Group|WorkingDirectory|Documentation)=.*\n/gm, ''),
  );
  expect(outcomeOf(program, ['verify', '--man=no', file])).toEqual({ status: 0, said: '' });
});
