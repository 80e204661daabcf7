/**
 * The text of the headers around a declaration: its comments, its region, its
 * API. Comments are read for facts in a fixed form, never kept.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { Api } from "../model.ts";
import type { Place } from "./ast.ts";

const API_OF_HEADER: [end: string, api: Api][] = [
  ["level_zero/ze_api.h", "ze"],
  ["level_zero/zes_api.h", "zes"],
  ["level_zero/zet_api.h", "zet"],
  ["level_zero/zer_api.h", "zer"],
  ["level_zero/loader/ze_loader.h", "zel"],
  ["level_zero/layers/zel_tracing_api.h", "zel"],
  ["level_zero/layers/zel_tracing_register_cb.h", "zel"],
];

/** The API whose header a file is; undefined for the C library's headers. */
export function apiOfFile(file: string): Api | undefined {
  return API_OF_HEADER.find(([end]) => file.endsWith(end))?.[1];
}

interface Source {
  text: string;
  lines: string[];
  /** The offset of each line's first character. */
  begins: number[];
}

/** The headers' text, each file read once. */
export class Sources {
  readonly #sources = new Map<string, Source>();

  /** A file's text with one character a byte, as the AST's offsets are in bytes. */
  text(file: string): string {
    return this.#source(file).text;
  }

  /** The line that a place is on, counted from 0. */
  lineOf({ file, offset }: Place): number {
    const { begins } = this.#source(file);
    let low = 0;
    let high = begins.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((begins[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The comment behind a member and on the lines that go on with it, as one line. */
  trailingComment(place: Place): string {
    const { text, lines, begins } = this.#source(place.file);
    const line = this.lineOf(place);
    const end = begins[line + 1] ?? text.length + 1;
    const begin = text.slice(place.offset, end - 1).match(/\/\/(?:\/<)?(.*)$/);
    if (begin === null) return "";
    const parts = [begin[1] ?? ""];
    for (let next = line + 1; next < lines.length; next++) {
      const continuation = lines[next]?.match(/^\s*\/\/\/<(.*)$/)?.[1];
      if (continuation === undefined) break;
      parts.push(continuation);
    }
    return parts.map((part) => part.trim()).join(" ");
  }

  /**
   * The comment above a declaration as a list of its points: a point is a
   * paragraph, a list item or a block command, with its wrapped lines joined.
   */
  pointsAbove(place: Place): string[] {
    const { lines } = this.#source(place.file);
    const comment: string[] = [];
    let index = this.lineOf(place) - 1;
    while (lines[index]?.trim() === "") index--;
    const block = lines[index]?.trim().endsWith("*/") ?? false;
    for (; index >= 0; index--) {
      const line = lines[index] ?? "";
      if (block) {
        comment.unshift(line.replace(/^\s*(?:\/\*\*|\*\/|\*)/, ""));
        if (line.trim().startsWith("/**")) break;
      } else {
        const text = line.match(/^\s*\/\/\/?(?![/<])(.*)$/)?.[1];
        if (text === undefined) break;
        comment.unshift(text);
      }
    }
    return joinPoints(comment);
  }

  /** The line on which the `#pragma region` that a place is in begins, counted from 0. */
  regionOf(place: Place): number | undefined {
    const { lines } = this.#source(place.file);
    for (let index = this.lineOf(place); index >= 0; index--) {
      if (lines[index]?.startsWith("#pragma endregion")) return undefined;
      if (lines[index]?.startsWith("#pragma region")) return index;
    }
    return undefined;
  }

  #source(file: string): Source {
    let source = this.#sources.get(file);
    if (source === undefined) {
      const text = readFileSync(file, "latin1");
      const lines = text.split("\n");
      let begin = 0;
      const begins = lines.map((line) => {
        const offset = begin;
        begin += line.length + 1;
        return offset;
      });
      source = { text, lines, begins };
      this.#sources.set(file, source);
    }
    return source;
  }
}

function joinPoints(lines: string[]): string[] {
  const points: string[] = [];
  let open = false;
  for (const line of lines) {
    const text = line.trim();
    if (text === "") {
      open = false;
      continue;
    }
    if (open && !/^(?:[-+] |@\w)/.test(text)) {
      points[points.length - 1] += ` ${text}`;
    } else {
      points.push(text.replace(/^[-+] /, ""));
    }
    open = true;
  }
  return points;
}
