// Firefox, and WebKit's GTK port, as Linux distributions have them.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openedTab } from './opened.ts';
import type { TestBrowser } from './tab.ts';

const FIREFOX = ['/usr/bin/firefox', '/usr/bin/firefox-esr'];
/** A profile that opens what it is told to, and asks nothing of Mozilla's servers. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
};
const LIBRARIES = '/usr/lib';
const XVFB = '/usr/bin/Xvfb';
/** What Safari has and this port leaves off until it is asked for. */
const FEATURES = ['FileSystem', 'AccessHandle', 'StorageAPI'];

/** Named by FIREFOX, or where distributions put it. */
export function firefox(): TestBrowser | null {
  const command = process.env['FIREFOX'] ?? FIREFOX.find((path) => existsSync(path));
  if (command === undefined) return null;
  return {
    name: 'Firefox',
    engine: 'firefox',
    hasWritableHandles: true,
    open: () =>
      openedTab((address, folder) => {
        const lines = Object.entries(PREFERENCES).map((each) => `user_pref(${JSON.stringify(each).slice(1, -1)});\n`);
        writeFileSync(join(folder, 'user.js'), lines.join(''));
        return { command, parameters: ['-headless', '-no-remote', '-profile', folder, address] };
      }),
  };
}

/**
 * Named by MINIBROWSER, or where distributions put it, on this display or one that is started for it.
 *
 * @param hasWritableHandles as Safari has them since 26.
 */
export function webkit(hasWritableHandles: boolean): TestBrowser | null {
  const command = process.env['MINIBROWSER'] ?? miniBrowser();
  const hasDisplay = process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined;
  if (command === null || (!hasDisplay && !existsSync(XVFB))) return null;
  const features = hasWritableHandles ? [...FEATURES, 'FileSystemWritableStream'] : FEATURES;
  return {
    name: hasWritableHandles ? 'WebKit' : 'WebKit without createWritable',
    engine: 'webkit',
    hasWritableHandles,
    async open() {
      const screen = hasDisplay ? null : await startedScreen();
      const tab = await openedTab((address, folder) => ({
        command,
        parameters: [`--features=${features.map((name) => `+${name}`).join(',')}`, address],
        env: {
          ...process.env,
          ...(screen === null ? {} : { DISPLAY: screen.display }),
          // Its writers outlive the browser for a while.
          MESA_SHADER_CACHE_DISABLE: 'true',
          XDG_CACHE_HOME: folder,
          XDG_CONFIG_HOME: folder,
          XDG_DATA_HOME: folder,
        },
      }));
      const close = async (): Promise<void> => {
        await tab.close();
        screen?.close();
      };
      return { ...tab, close };
    },
  };
}

/** In the folder of its version, in that of the machine's kind. */
function miniBrowser(): string | null {
  if (!existsSync(LIBRARIES)) return null;
  const found = readdirSync(LIBRARIES)
    .filter((name) => name.endsWith('-linux-gnu') || name.startsWith('webkit'))
    .flatMap((name) => [join(LIBRARIES, name, 'MiniBrowser'), join(LIBRARIES, name, 'webkit2gtk-4.1', 'MiniBrowser')]);
  return found.find((path) => existsSync(path)) ?? null;
}

async function startedScreen(): Promise<{ readonly display: string; close(): void }> {
  const running = spawn(XVFB, ['-displayfd', '3'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  // The number of its display, when it is ready.
  const number = await new Promise((done, failed) => {
    (running.stdio[3] as Readable).once('data', done);
    running.once('exit', () => failed(new Error(`${XVFB} ended`)));
  });
  const close = (): void => void running.kill();
  process.once('exit', close);
  return { display: `:${String(number).trim()}`, close };
}
