"""The ptx stage: PTX of each shard, figures of each kernel, and the part of each sample."""
