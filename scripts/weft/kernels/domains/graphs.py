"""Graphs: what each node makes of its neighbours, which lie in CSR or in padded lists."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import elements_last
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, space, vector, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name, Redraw
from weft.kernels.types import I32
from weft.types import Type, Vector

GATHER = ("gather",)
"""What formulas teach that read through indices."""

graph = Domain("node", index=("i", "node", "v"), half=True)

STRIDES = (3, 4, 6)

signal = Quantity("signal", -1.0, 1.0)
source = Quantity("source_term", -1.0, 1.0)
strength = Quantity("strength", 0.1, 5.0, least=0.0, extremal=True)
degree = Quantity("degree", 1, 8, whole, least=0, extremal=True)
neighbor_mean = Quantity("neighbor_mean", -1.0, 1.0)
laplacian = Quantity("laplacian", -4.0, 4.0)
new_signal = Quantity("new_signal", -1.0, 1.0, updates=signal)
roughness = Quantity("roughness", 0.0, 5.0, additive=True, generic=True)
rank = Quantity("rank", 0.0, 2.0)
new_rank = Quantity("new_rank", 0.0, 2.0, updates=rank)
hub = Quantity("hub_score", 0.0, 2.0)
authority = Quantity("authority_score", 0.0, 2.0)
distance = Quantity("distance", 0.0, 20.0)
new_distance = Quantity("new_distance", 0.0, 20.0, updates=distance)
label = Quantity("label", 0, 999, whole)
new_label = Quantity("new_label", 0, 999, whole, least=0, most=1e5, updates=label)
community = Quantity("community", 0, 3, whole, plural="communities")
new_community = Quantity(
    "new_community", 0, 3, whole, plural="new_communities", least=0, most=3, updates=community
)
parent = Quantity("root", 0, 99, whole)
triangles = Quantity("triangle_count", 0, 6, whole, least=0)
clustering = Quantity("clustering", 0.0, 1.0, plural="clustering_values", most=200.0)
feature = Quantity("feature", -1.0, 1.0, vector(4))
message = Quantity("message", -1.0, 1.0, vector(4))
position = Quantity("position", -1.0, 1.0, space)
smoothed_position = Quantity("smoothed_position", -1.0, 1.0, space, updates=position)
centroid = Quantity("neighbor_centroid", -1.0, 1.0, space)

Signal = Annotated[Expr, signal]
Signals = Annotated[ArrayHandle, signal]
NeighborMean = Annotated[Expr, neighbor_mean]
Laplacian = Annotated[Expr, laplacian]
NewSignal = Annotated[Expr, new_signal]
Roughness = Annotated[Expr, roughness]
Strength = Annotated[Expr, strength]
Strengths = Annotated[ArrayHandle, strength]
Degree = Annotated[Expr, degree]
Degrees = Annotated[ArrayHandle, degree]
Ranks = Annotated[ArrayHandle, rank]
NewRank = Annotated[Expr, new_rank]
Hubs = Annotated[ArrayHandle, hub]
Authority = Annotated[Expr, authority]
Distance = Annotated[Expr, distance]
Distances = Annotated[ArrayHandle, distance]
NewDistance = Annotated[Expr, new_distance]
Label = Annotated[Expr, label]
Labels = Annotated[ArrayHandle, label]
Communities = Annotated[ArrayHandle, community]
Feature = Annotated[Expr, feature]
Features = Annotated[ArrayHandle, feature]
Message = Annotated[Expr, message]
Position = Annotated[Expr, position]
Centroid = Annotated[Expr, centroid]
SmoothedPosition = Annotated[Expr, smoothed_position]

Share = Annotated[Expr, Setting(0.1, 0.6)]
Step = Annotated[Expr, Setting(0.01, 0.1)]
Damping = Annotated[Expr, Setting(0.8, 0.9)]


@dataclasses.dataclass(frozen=True)
class Link:
    """An edge from the thread's node to a neighbour, and where what it carries lies."""

    k: Builder
    found: Callable[[], Name]
    place: tuple[Expr, ...]
    shape: tuple[str, ...]

    @functools.cached_property
    def node(self) -> Name:
        """The neighbour, which is looked up where it is needed first."""
        return self.found()

    def read(self, name: str, low: float, high: float) -> Expr:
        """A number of the edge."""
        return self.k.input(name, self.k.real, self.shape, uniform(low, high))[self.place]

    @property
    def weight(self) -> Expr:
        return self.read("edge_weights", 0.1, 1.0)


def row_starts(k: Builder) -> tuple[ArrayHandle, str, int]:
    """Where the edges of each node begin in CSR, how many there are, and how many a node has at most."""
    if k.once("adjacency", lambda: "rows") != "rows":
        raise Redraw("the neighbors lie in padded lists")
    stride = k.once("mean degree", lambda: k.rng.pick(*STRIDES))
    k.sizes["num_edges"] = f"{stride} * n + {stride}"
    name = k.once("row starts", lambda: k.rng.pick("row_starts", "row_offsets", "edge_starts"))
    starts = k.input(name, I32, ["n + 1"], {"offsets": [stride, stride + 1]})
    starts.interval = Interval(0, k.largest("num_edges"), True)
    return starts, "num_edges", 2 * stride


@contextmanager
def row(k: Builder, node: Expr, counter: str, name: str) -> Iterator[Link]:
    """A loop over the edges of a node, in CSR."""
    starts, size, most = row_starts(k)
    first, last = starts[node], starts[node + 1]
    last.interval = Interval(0, k.largest(size), True, size, 0)
    with k.loop(counter, first, last, most=most) as e:
        yield Link(
            k,
            lambda: k.let(name, k.input("neighbors", I32, [size], {"integers": [0, "n"]})[e]),
            (e,),
            (size,),
        )


@contextmanager
def neighbors(k: Builder) -> Iterator[Link]:
    """A loop over the neighbours of the thread's node, in the layout that the program has."""
    (i,) = k.index
    layout = k.once("adjacency", lambda: k.rng.pick("rows", "rows", "rows", "padded", "full"))
    if layout == "rows":
        k.notes.append("The graph is in CSR form")
        with row(k, i, "e", "j") as link:
            yield link
        return
    k.sizes["max_degree"] = k.once("max_degree", lambda: k.rng.pick("6", "8", "12"))
    last = elements_last(k)
    shape = ("max_degree", "n") if last else ("n", "max_degree")
    recipe = {"integers": [-1 if layout == "padded" else 0, "n"]}
    ends = ", and -1 ends the list" if layout == "padded" else ""
    k.notes.append(f"`neighbors[{'k, i' if last else 'i, k'}]` is neighbor k of node i{ends}")

    def found() -> Name:
        return k.let("j", k.input("neighbors", I32, shape, recipe)[place])

    with k.loop("slot", 0, k.size("max_degree", "max_degree")) as slot:
        place = (slot, i) if last else (i, slot)
        link = Link(k, found, place, shape)
        if layout == "padded":
            with k.when(link.node < 0):
                k.jump("break")
        yield link


def summed(k: Builder, name: str, term: Callable[[Link], Expr], first: Expr | float = 0.0) -> Name:
    """The sum of a term over the neighbours."""
    total = k.var(name, first)
    with neighbors(k) as link:
        k.add(total, term(link))
    return total


def counted(k: Builder, name: str, test: Callable[[Link], Expr]) -> Name:
    """How many neighbours pass a test."""
    count = k.var(name, 0, type=I32)
    with neighbors(k) as link, k.when(test(link)):
        k.add(count, 1)
    return count


def at_least_one(k: Builder, count: Expr) -> Expr:
    """A number of neighbours as a divisor."""
    return convert(k.real, ops.max(count, 1))


def mean_and_count(k: Builder, name: str, first: Expr | float, term: Callable[[Link], Expr]) -> Expr:
    """The mean of a term over the neighbours; zero where there are none."""
    total, count = k.var(name, first), k.var("num_neighbors", 0, type=I32)
    with neighbors(k) as link:
        k.add(total, term(link))
        k.add(count, 1)
    return total / at_least_one(k, count)


@graph.formula(source="Chung 1997, Spectral Graph Theory", teaches=GATHER)
def normalized_laplacian(
    k: Builder, signal: Signal, signals: Signals, strength: Strength, strengths: Strengths
) -> Laplacian:
    """Normalized graph Laplacian. It is the signal minus the weighted sum over the neighbors, where each
    weight is divided by the root of the product of both strengths.
    """
    scale = k.let("scale", ops.max(strength, 0.01))
    total = k.var("total", 0.0)
    with neighbors(k) as link:
        other = ops.max(strengths[link.node], 0.01)
        k.add(total, link.weight * signals[link.node] / ops.sqrt(scale * other))
    return signal - total


@graph.formula(teaches=GATHER)
def plain_neighbor_mean(k: Builder, signals: Signals) -> NeighborMean:
    """Mean over the neighbors. Nodes without neighbors get zero."""
    return bounded(mean_and_count(k, "total", 0.0, lambda link: signals[link.node]), -1.0, 1.0)


@graph.formula(teaches=GATHER)
def weighted_neighbor_mean(k: Builder, signals: Signals) -> NeighborMean:
    """Weighted mean over the neighbors. Nodes without neighbors get zero."""
    total, weight_sum = k.var("total", 0.0), k.var("weight_sum", 0.0)
    with neighbors(k) as link:
        weight = k.let("weight", link.weight)
        k.add(total, weight * signals[link.node])
        k.add(weight_sum, weight)
    return bounded(total / ops.max(weight_sum, 0.1), -1.0, 1.0)


@graph.formula()
def diffused_signal(k: Builder, signal: Signal, laplacian: Laplacian, dt: Step) -> NewSignal:
    """Heat diffusion step on a graph. It is an explicit Euler step."""
    return signal - dt * laplacian


@graph.formula()
def relaxed_signal(k: Builder, signal: Signal, neighbor_mean: NeighborMean, relaxation: Share) -> NewSignal:
    """Relax values towards the neighbor mean. A relaxation of 1 takes the mean itself."""
    return ops.lerp(signal, neighbor_mean, relaxation)


@graph.formula(teaches=GATHER)
def graph_dirichlet_energy(k: Builder, signal: Signal, signals: Signals) -> Roughness:
    """Graph Dirichlet energy. It is half the weighted sum of squared differences to the neighbors."""

    def term(link: Link) -> Expr:
        gap = k.let("diff", signals[link.node] - signal)
        return link.weight * gap * gap

    return 0.5 * bounded(summed(k, "energy", term), 0.0, 50.0)


@graph.formula(source="Elmoataz, Lezoray and Bougleux 2008", teaches=GATHER)
def graph_total_variation(k: Builder, signal: Signal, signals: Signals) -> Roughness:
    """Graph total variation. It is the weighted sum of absolute differences to the neighbors."""
    return summed(k, "variation", lambda link: link.weight * ops.abs(signals[link.node] - signal))


@graph.formula(source="Page, Brin, Motwani and Winograd 1999", teaches=GATHER)
def pagerank(k: Builder, ranks: Ranks, degrees: Degrees, damping: Damping) -> NewRank:
    """Pull-style PageRank step. Neighbors of a page are the pages that link to it."""
    total = summed(k, "pulled", lambda link: ranks[link.node] / at_least_one(k, degrees[link.node]))
    return (1.0 - damping) + damping * total


@graph.formula(source="Kleinberg 1999", teaches=GATHER)
def authority_update(
    k: Builder, hub_scores: Hubs, norm: Annotated[Expr, Setting(2.0, 5.0, "p")]
) -> Authority:
    """HITS authority score. It is the sum of the hub scores of the neighbors, the pages that link to a
    page, divided by a norm.
    """
    return summed(k, "authority", lambda link: hub_scores[link.node]) / norm


@graph.formula(source="Bellman 1958", teaches=GATHER)
def bellman_ford_distance(k: Builder, distance: Distance, distances: Distances) -> NewDistance:
    """Bellman-Ford relaxation. A node's distance falls to the least distance of a neighbor plus
    the length of the edge, if that is less.
    """
    best = k.var("best", distance, bounds=(0.0, 25.0))
    with neighbors(k) as link:
        length = link.read("edge_lengths", 0.5, 4.0)
        k.set(best, ops.min(best, distances[link.node] + length))
    return best


@graph.formula(teaches=GATHER)
def smallest_label(k: Builder, label: Label, labels: Labels) -> Annotated[Expr, new_label]:
    """Label propagation step. The smallest label around a node wins, so that in the end each connected
    component has one label.
    """
    smallest = k.var("smallest", label, bounds=(0, 999))
    with neighbors(k) as link:
        k.set(smallest, ops.min(smallest, labels[link.node]))
    return smallest


@graph.formula(source="Shiloach and Vishkin 1982", teaches=GATHER)
def jumped_parent(k: Builder) -> Annotated[Expr, parent]:
    """Pointer jumping step in a forest of parents. Each node skips to the parent of its parent."""
    (i,) = k.index
    parents = k.input("parents", I32, ["n"], {"integers": [0, "n"]})
    return parents[k.let("parent", parents[i])]


@graph.formula(source="Raghavan, Albert and Kumara 2007", teaches=GATHER)
def propagated_community(k: Builder, communities: Communities) -> Annotated[Expr, new_community]:
    """Most frequent label of the neighbors. This is a step of label propagation, which finds communities.
    Labels are 0 to 3, and of equally frequent ones the smallest wins.
    """
    votes = k.var("votes", construct(Vector(4, I32), 0, 0, 0, 0), bounds=(0, 24))
    with neighbors(k) as link:
        label = k.let("label", communities[link.node])
        with k.loop("c", 0, 4) as c, k.when(label.equals(c)):
            k.set(votes[c], bounded(votes[c] + 1, 0, 24))
    best, most = k.var("best", 0, type=I32, bounds=(0, 3)), k.var("most", 0, type=I32, bounds=(0, 24))
    with k.loop("c", 0, 4) as c, k.when(votes[c] > most):
        k.set(most, votes[c])
        k.set(best, c)
    return best


@graph.formula(teaches=GATHER)
def neighbor_triangles(k: Builder) -> Annotated[Expr, triangles]:
    """Number of triangles at a node. Each triangle counts twice, once for each way around."""
    (i,) = k.index
    count = k.var("closed", 0, type=I32)
    with (
        row(k, i, "e", "j") as first,
        row(k, first.node, "f", "third") as second,
        row(k, i, "g", "candidate") as other,
        k.when(other.node.equals(second.node)),
    ):
        k.add(count, 1)
        k.jump("break")
    return bounded(count, 0, 144)


@graph.formula(source="Watts and Strogatz 1998")
def clustering_coefficient(
    k: Builder, triangle_count: Annotated[Expr, triangles], degree: Degree
) -> Annotated[Expr, clustering]:
    """Local clustering coefficient. It is the share of pairs of neighbors that are linked themselves."""
    pairs = ops.max(degree * (degree - 1), 2) // 2
    return convert(k.real, triangle_count) / convert(k.real, pairs)


def no_message(k: Builder) -> Expr:
    """A message of zeros."""
    kind: Type = feature.kind(k)
    return construct(kind, 0.0, 0.0, 0.0, 0.0)


@graph.formula(source="Kipf and Welling 2017", teaches=GATHER)
def convolved_message(
    k: Builder, feature: Feature, features: Features, degree: Degree, degrees: Degrees
) -> Message:
    """Graph convolution (GCN) aggregation. It sums the features of a node and of its neighbors, each scaled
    by 1 / sqrt(d_i d_j), where d is a degree plus 1.
    """
    own = k.let("self_degree", convert(k.real, degree + 1))
    total = k.var("total", feature / own)
    with neighbors(k) as link:
        other = convert(k.real, degrees[link.node] + 1)
        k.add(total, features[link.node] / ops.sqrt(own * other))
    return total


@graph.formula(source="Hamilton, Ying and Leskovec 2017", teaches=GATHER)
def mean_message(k: Builder, features: Features) -> Message:
    """GraphSAGE mean aggregation. Each feature is averaged over the neighbors."""
    return mean_and_count(k, "total", no_message(k), lambda link: features[link.node])


@graph.formula(source="Hamilton, Ying and Leskovec 2017", teaches=GATHER)
def pooled_message(k: Builder, feature: Feature, features: Features) -> Message:
    """Max-pool neighbor aggregation. Each feature is the largest among the node and its neighbors."""
    pooled = k.var("pooled", feature, bounds=(-1.0, 1.0))
    with neighbors(k) as link:
        k.set(pooled, ops.max(pooled, features[link.node]))
    return pooled


@graph.formula(source="Veličković, Cucurull, Casanova, Romero, Liò and Bengio 2018", teaches=GATHER)
def attention_message(
    k: Builder,
    feature: Feature,
    features: Features,
    own_attention: Annotated[Expr, Setting(-1.0, 1.0, "p", vector(4))],
    other_attention: Annotated[Expr, Setting(-1.0, 1.0, "p", vector(4))],
    slope: Annotated[Expr, Setting(0.1, 0.3)],
) -> Message:
    """Graph attention (GAT) aggregation. Weights are a softmax over the neighbors."""
    bias = k.let("own_score", ops.dot(own_attention, feature))
    total, weight_sum = k.var("total", no_message(k)), k.var("weight_sum", 0.0)
    with neighbors(k) as link:
        score = k.let("score", bias + ops.dot(other_attention, features[link.node]))
        weight = k.let("weight", ops.exp(ops.max(score, slope * score)))
        k.add(total, weight * features[link.node])
        k.add(weight_sum, weight)
    return bounded(total / ops.max(weight_sum, 1e-4), -1.0, 1.0)


@graph.formula(source="Field 1988")
def laplacian_smoothing(
    k: Builder, position: Position, neighbor_centroid: Centroid, relaxation: Share
) -> SmoothedPosition:
    """Laplacian mesh smoothing. Vertices move towards the mean of their neighbors."""
    return position + relaxation * (neighbor_centroid - position)
