"""The batches of one rank, in the order of syrah's DataLoader, from a state that either of them wrote."""

import json

import loader_order


class EpochBatches:
    """A batch sampler for torch.utils.data.DataLoader; `state` is that of `loader.state()`, JSON and all."""

    def __init__(self, lengths, state, rank, world_size, batch_size):
        self.lengths, self.rank = lengths, rank
        self.state = {**state, "rank": rank, "worldSize": world_size, "batchSize": batch_size}
        if (state["worldSize"], state["batchSize"]) != (world_size, batch_size):
            # Dealt out anew, from where the old ranks were.
            done = state["batchesDone"] * state["batchSize"] * state["worldSize"]
            self.state.update(start=min(sum(lengths), state["start"] + done), batchesDone=0)
        while self.state["batchesDone"] >= len(self.batches()):
            self.next_epoch()

    def next_epoch(self):
        self.state.update(epoch=self.state["epoch"] + 1, start=0, batchesDone=0)

    def order(self):
        state, length = self.state, sum(self.lengths)
        if not state["shuffle"]:
            return list(range(length))
        if state["blocks"] is None:
            return loader_order.shuffled(length, state["seed"], state["epoch"])
        blocks = json.loads(state["blocks"])
        numbers = blocks["blockItems"], blocks["bufferItems"]
        return loader_order.block_shuffled(self.lengths, state["seed"], state["epoch"], *numbers)

    def batches(self):
        state = self.state
        names = "worldSize", "batchSize", "start", "tail", "dropLast"
        return loader_order.batches_of(self.order(), self.rank, *(state[name] for name in names))

    def __iter__(self):
        return iter(self.batches()[self.state["batchesDone"] :])

    def __len__(self):
        return len(self.batches()) - self.state["batchesDone"]

    def trained(self):
        """Call it after each batch that was trained on: what was only prefetched is not done."""
        self.state["batchesDone"] += 1
