// Run by `npm ci` with the Node that the scripts will get. It is JavaScript, since an older Node reads no TypeScript.
//
// npm passes over an optional package that it cannot download or whose content is not the one of package-lock.json.

const MINIMUM = [24, 14];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(`Cannot go on with Node ${process.versions.node}: the scripts need ${MINIMUM.join('.')} or newer.
package.json pins one as an optional package for Linux and macOS (x64, arm64) and Windows (x64), and npm has not installed it.
Run npm cache clean --force and npm ci again, or install Node ${MINIMUM.join('.')} or newer from https://nodejs.org.`);
  process.exit(1);
}
