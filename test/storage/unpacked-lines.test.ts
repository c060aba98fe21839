import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { linesOfBlock } from '../../src/storage/line-bytes.ts';
import { unpackedLines } from '../../src/storage/unpacked-lines.ts';

const LINES = Array.from({ length: 20_000 }, (_, at) => `${at} ${'x'.repeat(at % 50)}\n`);

const packed = (lines: readonly string[]) => new Uint8Array(gzipSync(lines.join('')));

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<{ blocks: number; lines: string[] }> {
  let blocks = 0;
  const lines: string[] = [];
  for await (const block of unpackedLines(new Blob([bytes]).stream())) {
    blocks += 1;
    for (const line of linesOfBlock(block)) lines.push(new TextDecoder().decode(line));
  }
  return { blocks, lines };
}

describe('unpackedLines()', () => {
  test('reads each line, in few blocks', async () => {
    const { blocks, lines } = await unpack(packed(LINES));
    expect(lines).toEqual(LINES);
    expect(blocks).toBeLessThan(10);
  });

  test('reads nothing when there is nothing', async () => {
    expect(await unpack(packed([]))).toEqual({ blocks: 0, lines: [] });
  });

  test.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>]>([
    ['breaks off', (bytes) => bytes.slice(0, -100)],
    ['is no gzip', () => new Uint8Array(new TextEncoder().encode(LINES.join('')))],
  ])('throws when what it reads %s', async (_, spoil) => {
    await expect(unpack(spoil(packed(LINES)))).rejects.toThrow();
  });

  test('can be stopped early', async () => {
    for await (const block of unpackedLines(new Blob([packed(LINES)]).stream())) {
      expect(block.length).toBeGreaterThan(0);
      break;
    }
  });
});
