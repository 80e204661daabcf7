/**
 * The mirror and release of this machine, as its own apt knows them.
 *
 * @module
 */

/** One repository of an apt source. */
export interface AptSource {
  /** Where it is. */
  readonly uri: string;
  /** A release's name, or one of its pockets ("bookworm-updates"). */
  readonly suite: string;
  /** "main" and its like. */
  readonly components: readonly string[];
}

/** Reads the lines of a sources.list. */
export function parseSourcesList(text: string): AptSource[] {
  return text.split("\n").flatMap((line) => {
    const match = line.match(/^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/);
    if (!match) return [];
    return [{ uri: match[1]!, suite: match[2]!, components: words(match[3]!) }];
  });
}

/** Reads the paragraphs of a deb822 .sources file. */
export function parseDeb822(text: string): AptSource[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const fields = new Map<string, string>();
    let name = "";
    for (const line of paragraph.split("\n")) {
      if (line.startsWith("#")) continue;
      const field = line.match(/^([A-Za-z-]+):(.*)$/);
      if (field) name = field[1]!.toLowerCase();
      if (name) fields.set(name, `${fields.get(name) ?? ""} ${field ? field[2] : line}`);
    }
    const list = (key: string): string[] => words(fields.get(key) ?? "");
    if (!list("types").includes("deb") || list("enabled").includes("no")) return [];
    return list("uris").flatMap((uri) =>
      list("suites").map((suite) => ({ uri, suite, components: list("components") }))
    );
  });
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Reads all of this machine's apt sources. */
export async function aptSources(root = "/etc/apt"): Promise<AptSource[]> {
  const sources = parseSourcesList(await read(`${root}/sources.list`));
  try {
    for await (const { name } of Deno.readDir(`${root}/sources.list.d`)) {
      const text = await read(`${root}/sources.list.d/${name}`);
      if (name.endsWith(".list")) sources.push(...parseSourcesList(text));
      if (name.endsWith(".sources")) sources.push(...parseDeb822(text));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return sources;
}

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

/** A Debian mirror and the release that this machine runs. */
export interface DebianMirror {
  /** Its address. */
  readonly uri: string;
  /** The machine's own release, as it names itself; sid where it names none. */
  readonly release: string;
}

/** Finds the mirror this machine is updated from, or throws with the reason. */
export async function debianMirror(): Promise<DebianMirror> {
  const system = await read("/etc/os-release");
  const field = (name: string): string | undefined =>
    system.match(new RegExp(`^${name}="?([^"\n]+)"?$`, "m"))?.[1];
  const release = field("VERSION_CODENAME") ?? "sid";
  const given = Deno.env.get("ZE_DEBIAN_MIRROR");
  if (given) return { uri: given, release: field("ID") === "debian" ? release : "sid" };
  if (field("ID") !== "debian") {
    throw new Error(
      `this is ${field("PRETTY_NAME") ?? "no Debian"}, whose apt sources hold no Debian mirror; ` +
        `set ZE_DEBIAN_MIRROR to the address of one`,
    );
  }
  const names = new Set([release, "stable", "testing", "unstable", "sid"]);
  const mirror = (await aptSources()).find((source) =>
    /^https?:/.test(source.uri) && source.components.includes("main") && names.has(source.suite)
  );
  if (!mirror) {
    throw new Error(
      `no apt source in /etc/apt has ${release} over http or https; ` +
        `set ZE_DEBIAN_MIRROR to the address of a Debian mirror`,
    );
  }
  return { uri: mirror.uri.replace(/\/$/, ""), release };
}
