// SPDX-License-Identifier: Apache-2.0
// Starts ./planner and asks it things.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export async function until(what, seconds, condition) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`gave up after ${seconds} s waiting for ${what}`);
    await sleep(50);
  }
}

export class Planner {
  constructor(command, port, ...rest) {
    this.base = `http://127.0.0.1:${port}`;
    this.process = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
    this.ended = once(this.process, 'exit');
  }

  async ready() {
    await until(`the planner at ${this.base}`, 120, async () => {
      if (this.process.exitCode !== null) throw new Error(`the planner ended with ${this.process.exitCode}`);
      try { return (await fetch(`${this.base}/readyz`)).ok; } catch { return false; }
    });
    return this;
  }

  async get(path) {
    const answer = await fetch(this.base + path);
    return answer.ok ? answer.json() : null;
  }

  async stop() {
    if (this.process.exitCode === null) this.process.kill('SIGTERM');
    await this.ended;
  }
}
