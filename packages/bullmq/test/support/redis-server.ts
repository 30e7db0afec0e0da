// A real server for a test: COLKIT_REDIS_SERVER names the program (redis-server or valkey-server).
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';

export const REDIS = process.env['COLKIT_REDIS_SERVER'];
const STARTING_MS = 30_000;

export class RedisServer {
  readonly port: number;
  readonly folder = mkdtempSync(join(tmpdir(), 'colkit-redis-'));
  #running: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(persists = false): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start(persists);
    return server;
  }

  get connection() {
    return { host: '127.0.0.1', port: this.port };
  }

  async start(persists: boolean): Promise<void> {
    const how = persists ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', '', ...how];
    const started = spawn(REDIS as string, options, { stdio: 'ignore' });
    this.#running = started;
    for (const until = Date.now() + STARTING_MS; !(await answers(this.port)); await later(30))
      if (started.exitCode !== null || Date.now() > until) throw new Error('the server did not start');
  }

  /** As a power loss would: nothing is written any more. */
  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const ended = new Promise((done) => running.once('exit', done));
    running.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** PING is answered by PONG, and not by LOADING. */
async function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(500, () => socket.destroy());
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
    socket.on('data', (bytes) => {
      done(bytes.toString().startsWith('+PONG'));
      socket.destroy();
    });
  });
}
