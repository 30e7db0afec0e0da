// The platforms that have a prebuilt binary, each a package of its own (platforms/<name>): npm installs the one that
// fits.

/** `zig` is the target of the cross compiler; `cmake` its name of the system. */
export const PLATFORMS = {
  'linux-x64-gnu': { os: 'linux', cpu: 'x64', libc: 'glibc', zig: 'x86_64-linux-gnu.2.17', cmake: 'Linux' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl', zig: 'x86_64-linux-musl', cmake: 'Linux' },
  'linux-arm64-gnu': { os: 'linux', cpu: 'arm64', libc: 'glibc', zig: 'aarch64-linux-gnu.2.17', cmake: 'Linux' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl', zig: 'aarch64-linux-musl', cmake: 'Linux' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', zig: 'x86_64-macos', cmake: 'Darwin' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', zig: 'aarch64-macos', cmake: 'Darwin' },
  'win32-x64': { os: 'win32', cpu: 'x64', zig: 'x86_64-windows-gnu', cmake: 'Windows' },
  'win32-arm64': { os: 'win32', cpu: 'arm64', zig: 'aarch64-windows-gnu', cmake: 'Windows' },
};

export const packageOf = (platform) => `@colkit/native-${platform}`;
