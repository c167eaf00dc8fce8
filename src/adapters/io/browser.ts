import { spawn } from "node:child_process";
import { environment } from "./environment.ts";

/** The system's program that opens a URL. Each takes it as one argument, without a shell. */
const PROGRAMS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const ELSEWHERE = ["xdg-open"] as const;
/** The program may be the browser itself, which stays: by then, it has opened the URL. */
const OPENED_MS = 2_000;

/** Opens a URL in the user's browser. Returns false if that failed. */
export function openInBrowser(url: string): Promise<boolean> {
  const [file, ...args] = PROGRAMS[process.platform] ?? ELSEWHERE;
  return new Promise((resolve) => {
    const child = spawn(file, [...args, url], {
      detached: true,
      env: environment(),
      stdio: "ignore",
      windowsHide: true,
    });
    const timer = setTimeout(() => resolve(true), OPENED_MS);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
    child.unref();
  });
}
