// Blocks parsed on this thread, which lets others have a turn between them.
import { passTurn } from '@colkit/io/effects';
import { BlockParser } from '../blocks/block-parser.ts';
import type { BlockPlan, BlockTask, ParsedBlock } from '../blocks/block-parser.ts';
import type { BlockLanes } from './block-stream.ts';

export class OwnLane implements BlockLanes {
  readonly ahead = 1;
  readonly sharesMemory = false;
  readonly #parser: BlockParser;

  constructor(plan: BlockPlan) {
    this.#parser = new BlockParser(plan);
  }

  async parse(task: BlockTask): Promise<ParsedBlock> {
    await passTurn();
    return this.#parser.parse(task);
  }

  parseSync(task: BlockTask): ParsedBlock {
    return this.#parser.parse(task);
  }
}
