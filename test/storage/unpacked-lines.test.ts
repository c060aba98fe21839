import { describe, expect, test } from 'vitest';
import { gzipMember } from '../../src/publish/gzip.ts';
import { linesOfBlock } from '../../src/storage/line-bytes.ts';
import { unpackedLines } from '../../src/storage/unpacked-lines.ts';

const LINES = Array.from({ length: 20_000 }, (_, at) => `${at} ${'x'.repeat(at % 50)}\n`);

function packed(lines: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  return gzipMember(async (gzip) => {
    for (const line of lines) await gzip.write(new TextEncoder().encode(line));
  });
}

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
    const { blocks, lines } = await unpack(await packed(LINES));
    expect(lines).toEqual(LINES);
    expect(blocks).toBeLessThan(10);
  });

  test('reads nothing when there is nothing', async () => {
    expect(await unpack(await packed([]))).toEqual({ blocks: 0, lines: [] });
  });

  test.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>]>([
    ['breaks off', (bytes) => bytes.slice(0, -100)],
    ['is no gzip', () => new Uint8Array(new TextEncoder().encode(LINES.join('')))],
  ])('throws when what it reads %s', async (_, spoil) => {
    await expect(unpack(spoil(await packed(LINES)))).rejects.toThrow();
  });

  test('can be stopped early', async () => {
    for await (const block of unpackedLines(new Blob([await packed(LINES)]).stream())) {
      expect(block.length).toBeGreaterThan(0);
      break;
    }
  });
});
