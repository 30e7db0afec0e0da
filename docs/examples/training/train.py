"""torchrun --standalone --nproc-per-node 2 train.py state.json shards/*.syr
Goes on where the state says, with as many ranks as there are, and writes the state beside the weights."""

import argparse
import json
import os

import torch
import torch.distributed as dist
from order import EpochBatches
from syr import SyrShards
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("state")
parser.add_argument("shards", nargs="+")
parser.add_argument("--batch-size", type=int, default=4)
parser.add_argument("--batches", type=int, help="stop after so many of each rank")
parser.add_argument("--epochs", type=int, default=2, help="stop at the end of this epoch")
parser.add_argument("--given", help="write down what each rank was given")
options = parser.parse_args()

dist.init_process_group("gloo")
rank, world_size = dist.get_rank(), dist.get_world_size()
dataset = SyrShards(options.shards, ["index", "features", "label"])
with open(options.state) as file:
    batches = EpochBatches(dataset.lengths, json.load(file), rank, world_size, options.batch_size)

torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(3, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
weights = f"{options.state}.pt"
if os.path.exists(weights):
    model.module.load_state_dict(torch.load(weights))

log, done = [], 0
while batches.state["epoch"] < options.epochs and done != options.batches:
    for index, features, label in DataLoader(dataset, batch_sampler=batches, num_workers=1):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(features).squeeze(1), label.squeeze(1))
        loss.backward()
        optimizer.step()
        batches.trained()
        log.append([batches.state["epoch"], index.flatten().tolist()])
        done += 1
        if done == options.batches:
            break
    if batches.state["batchesDone"] == len(batches.batches()):
        batches.next_epoch()

# All ranks have done as many batches, and have the same weights.
dist.barrier()
if rank == 0:
    torch.save(model.module.state_dict(), weights)
    with open(options.state, "w") as file:
        json.dump(batches.state, file)
if options.given is not None:
    with open(f"{options.given}-{rank}.json", "w") as file:
        json.dump({"batches": log, "weights": model.module.weight.flatten().tolist()}, file)
dist.destroy_process_group()
