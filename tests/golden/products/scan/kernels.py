"""Kernels of the category scan, seed 0.

Scans: running sums and extremes, recurrences, filters, the steps of parallel scans, compaction.
"""

import warp as wp


CHUNK = wp.constant(64)


@wp.kernel
def reduce_chunks(samples: wp.array(dtype=float), chunk_totals: wp.array(dtype=float)):
    """Sum of each chunk."""
    chunk = wp.tid()
    total = float(0)
    for i in range(chunk * CHUNK, wp.min((chunk + 1) * CHUNK, samples.shape[0])):
        total += samples[i]
    chunk_totals[chunk] = total


@wp.kernel
def scan_totals(chunk_totals: wp.array(dtype=float), num_chunks: int, whole: wp.array(dtype=float)):
    """Exclusive scan of the chunks' totals in place by one thread, and the total of all."""
    t = wp.tid()
    total = float(0)
    for chunk in range(num_chunks):
        before = total
        total += chunk_totals[chunk]
        chunk_totals[chunk] = before
    whole[t] = total


@wp.kernel
def scan_chunks(
    samples: wp.array(dtype=float),
    chunk_totals: wp.array(dtype=float),
    scanned: wp.array(dtype=float),
):
    """Scan a chunk from the total of those before it."""
    chunk = wp.tid()
    total = chunk_totals[chunk]
    for i in range(chunk * CHUNK, wp.min((chunk + 1) * CHUNK, samples.shape[0])):
        scanned[i] = total
        total += samples[i]


LAUNCH = {
    "multi_block_scan": {
        "description": "Exclusive prefix sum of a long array: reduce chunks, scan their totals, scan chunks.",
        "sizes": {"num_chunks": "(n + 63) // 64"},
        "difficulty": "hard",
        "steps": [
            {"kernel": "reduce_chunks", "dims": ["num_chunks"], "arguments": {}},
            {"kernel": "scan_totals", "dims": ["1"], "arguments": {}},
            {"kernel": "scan_chunks", "dims": ["num_chunks"], "arguments": {}},
        ],
        "parameters": {
            "samples": {"role": "in", "shape": ["n"], "values": { "uniform": [0.0, 1.0]}},
            "num_chunks": {"values": {"size": "num_chunks"}},
            "chunk_totals": {"role": "out", "shape": ["num_chunks"]},
            "whole": {"role": "out", "shape": ["1"]},
            "scanned": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "multi_block_scan": {"goal": "scan.multi_block_scan", "ending": "written", "formulas": []},
}

PARTS = ["reduce_chunks", "scan_totals", "scan_chunks"]
