// Blocks parsed on this thread, which lets others have a turn between them.
import { Turns } from '@colkit/io/effects';
import { BlockParser } from '../blocks/block-parser.ts';
import type { BlockPlan, BlockTask, ParsedBlock } from '../blocks/block-parser.ts';
import type { BlockLanes } from './block-stream.ts';

export class OwnLane implements BlockLanes {
  readonly ahead = 1;
  readonly #parser: BlockParser;
  readonly #turns = new Turns();

  constructor(plan: BlockPlan) {
    this.#parser = new BlockParser(plan);
  }

  async parse(task: BlockTask): Promise<ParsedBlock> {
    await this.#turns.pass();
    return this.#parser.parse(task);
  }

  parseSync(task: BlockTask): ParsedBlock {
    return this.#parser.parse(task);
  }
}
